"""Questions and turns as the JSON text that lies in Redis. Only redacted text is ever written, so reading seals it again."""

import json
from collections.abc import Mapping
from typing import Any

from bot.messages import AcceptedMessage, MessageId, Outcome, Platform, ThreadRef, Turn
from retrieval.redaction import RedactedText

# Raised when a field changes its meaning; a new field with a default needs no new number.
SCHEMA = 1


class MessageUnreadable(ValueError):
    """A stored text is no message or turn of ours; never shows the text."""


def message_to_json(message: AcceptedMessage) -> str:
    """Write a message as one line of JSON."""
    thread = message.thread
    return _written(
        {
            "message_id": message.message_id,
            "thread": [thread.platform, thread.tenant_id, thread.channel_id, thread.thread_id],
            "user_id": message.user_id,
            "text": message.text,
            "received_at": message.received_at,
            "audience": message.audience,
            "is_direct": message.is_direct,
            "is_command": message.is_command,
            "is_truncated": message.is_truncated,
            "refusal": message.refusal,
            "routing": message.routing,
            "marked": "" if message.marked == message.text else message.marked,
        }
    )


def message_from_json(text: str) -> AcceptedMessage:
    """Read a message back.

    Raises:
        MessageUnreadable: no JSON object, another schema, or a field is missing or of another kind.
    """
    row = _read(text)
    try:
        platform, tenant_id, channel_id, thread_id = row["thread"]
        return AcceptedMessage(
            message_id=MessageId(str(row["message_id"])),
            thread=ThreadRef(Platform(platform), str(tenant_id), str(channel_id), str(thread_id)),
            user_id=str(row["user_id"]),
            text=RedactedText.stored(str(row["text"])),
            received_at=float(row["received_at"]),
            audience=tuple(str(label) for label in row["audience"]),
            is_direct=bool(row["is_direct"]),
            is_command=bool(row["is_command"]),
            is_truncated=bool(row["is_truncated"]),
            refusal=str(row["refusal"]),
            routing=tuple((str(name), str(value)) for name, value in row["routing"]),
            marked=RedactedText.stored(str(row.get("marked", ""))),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise MessageUnreadable(f"a stored message cannot be read: {type(error).__name__}") from None


def turn_to_json(turn: Turn) -> str:
    """Write a turn as one line of JSON."""
    return _written(
        {
            "question": turn.question,
            "answer": turn.answer,
            "cited_ids": turn.cited_ids,
            "language": turn.language,
            "outcome": turn.outcome,
            "asked_at": turn.asked_at,
            "cost_usd": turn.cost_usd,
            "asker": turn.asker,
            "labels": turn.labels,
            "withdrawn_ids": turn.withdrawn_ids,
        }
    )


def turn_from_json(text: str) -> Turn:
    """Read a turn back.

    Raises:
        MessageUnreadable: no JSON object, another schema, or a field is missing or of another kind.
    """
    row = _read(text)
    try:
        cost = row["cost_usd"]
        return Turn(
            question=RedactedText.stored(str(row["question"])),
            answer=RedactedText.stored(str(row["answer"])),
            cited_ids=tuple(str(cited) for cited in row["cited_ids"]),
            language=str(row["language"]),
            outcome=Outcome(row["outcome"]),
            asked_at=float(row["asked_at"]),
            cost_usd=None if cost is None else float(cost),
            asker=str(row.get("asker", "")),
            labels=tuple((str(mark), str(label)) for mark, label in row.get("labels", ())),
            withdrawn_ids=tuple(str(name) for name in row.get("withdrawn_ids", ())),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise MessageUnreadable(f"a stored turn cannot be read: {type(error).__name__}") from None


def _written(row: Mapping[str, object]) -> str:
    return json.dumps({"v": SCHEMA, **row}, ensure_ascii=False, separators=(",", ":"))


def _read(text: str) -> dict[str, Any]:
    try:
        row = json.loads(text)
    except ValueError:
        raise MessageUnreadable("a stored text is not JSON") from None
    if not isinstance(row, dict) or row.get("v") != SCHEMA:
        raise MessageUnreadable("a stored text has another schema")
    return row
