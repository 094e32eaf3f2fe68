"""Small questions, turns and answers for tests of what carries them."""

import time

from bot.messages import AcceptedMessage, Answer, Citation, MessageId, Outcome, Platform, ThreadRef, Turn, Usage
from retrieval.redaction import RedactedText


def thread(name: str = "1700000000.000100", platform: Platform = Platform.SLACK) -> ThreadRef:
    """Name a thread."""
    return ThreadRef(platform, "T1", "C1", name)


def message(
    name: str = "m1", *, thread_id: str = "1700000000.000100", received_at: float | None = None
) -> AcceptedMessage:
    """Ask one question."""
    return AcceptedMessage(
        message_id=MessageId(name),
        thread=thread(thread_id),
        user_id="U1",
        text=RedactedText.stored(f"question {name}"),
        received_at=time.time() if received_at is None else received_at,
        routing=(("event_id", f"Ev-{name}"),),
    )


def turn(text: str = "question", *, cost_usd: float | None = 0.25) -> Turn:
    """Make a turn."""
    return Turn(
        question=RedactedText.stored(text),
        answer=RedactedText.stored(f"answer to {text}"),
        cited_ids=("kb-101",),
        language="en",
        outcome=Outcome.ANSWERED,
        asked_at=1_700_000_000.5,
        cost_usd=cost_usd,
    )


def answer(text: str = "Press reset. [1]", *, outcome: Outcome = Outcome.ANSWERED) -> Answer:
    """Make an answer that cites one article twice."""
    cited = Citation(1, "kb-101", "article", RedactedText.stored("Reset"), None, "2026-01-01", RedactedText.stored("q"))
    return Answer(
        outcome=outcome,
        text=RedactedText.stored(text),
        language="en",
        request_id="r1",
        citations=(cited, cited),
        usage=Usage(cost_usd=0.5),
    )
