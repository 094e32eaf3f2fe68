"""What the commands print: JSON that every terminal can take."""

import json
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # `triage --help` answers without the bot
    from bot.lead.receipts import Receipt


def counted(number: int, noun: str) -> str:
    """Give "1 document", "2 documents": for nouns that only take an s."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def post_values(receipt: "Receipt") -> dict[str, object]:
    """Give where a post of the bot stands, what it cites and since when."""
    thread = receipt.thread
    return {
        "platform": str(thread.platform),
        "tenant": thread.tenant_id,
        "channel": thread.channel_id,
        "thread": thread.thread_id,
        "ids": list(receipt.post_ids),
        "cited": list(receipt.cited),
        "at": datetime.fromtimestamp(receipt.at, UTC).isoformat(timespec="seconds"),
    }


def json_line(values: object) -> str:
    """Give one object on one line.

    Text stays readable where the output can hold it; else, and for lone surrogates, it is escaped as JSON does, so that
    a reader gets back what was put in.
    """
    text = json.dumps(values, ensure_ascii=False)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return json.dumps(values)
    return text
