"""Replies for the posting tests."""

from bot.messages import AcceptedMessage, Answer, Citation, MessageId, Outcome, Platform, Reply, ThreadRef
from retrieval.redaction import RedactedText
from tests.peers.slack_payloads import ANA, CHANNEL, TEAM

sealed = RedactedText.stored
ROOT, TS = "1700000000.000100", "1700000009.000200"


def a_message(**fields: object) -> AcceptedMessage:
    """Give a question asked inside the thread ROOT."""
    defaults: dict[str, object] = {
        "message_id": MessageId(f"slack:{TEAM}:{CHANNEL}:{TS}"),
        "thread": ThreadRef(Platform.SLACK, TEAM, CHANNEL, ROOT),
        "user_id": ANA,
        "text": sealed("why does sync fail?"),
        "received_at": 1_800_000_000.0,
        "routing": (("ts", TS),),
    }
    return AcceptedMessage(**{**defaults, **fields})  # type: ignore[arg-type]


def a_reply(text: str = "Restart the agent [1].", message: AcceptedMessage | None = None, **fields: object) -> Reply:
    """Give a reply with one cited article."""
    source = Citation(
        1, "kb-101", "article", sealed("Sync errors"), "https://kb.example/101", "2026-03-01", sealed("q")
    )
    defaults: dict[str, object] = {"outcome": Outcome.ANSWERED, "language": "en", "citations": (source,)}
    answer = Answer(text=sealed(text), request_id="r1", **{**defaults, **fields})  # type: ignore[arg-type]
    return Reply(message or a_message(), answer)
