"""What of an answer becomes history: one rule for the worker, the console, the HTTP API and the playground."""

from dataclasses import replace

from bot.messages import AcceptedMessage, Answer, Notice, NoticeKind, Outcome, Turn
from bot.ports import ThreadStore
from bot.questions.unread_files import unread_notes
from bot.texts import say
from retrieval.redaction import RedactedText

# Ends that say nothing about the question: a follow-up cannot refer to them.
FORGOTTEN = frozenset({Outcome.COURTESY, Outcome.NOT_PERMITTED, Outcome.UNAVAILABLE})


def turn_of(message: AcceptedMessage, answer: Answer, *, asker: str = "") -> Turn | None:
    """Make the turn of an answer, `asker` being the pseudonym of who asked; None when it leaves no trace in history."""
    if answer.outcome in FORGOTTEN or message.task:
        return None
    return Turn(
        question=answer.told.text if answer.told else message.text,
        answer=_as_said(message, answer),
        cited_ids=tuple(dict.fromkeys(citation.id for citation in answer.citations)),
        language=answer.language,
        outcome=answer.outcome,
        asked_at=message.received_at,
        cost_usd=answer.usage.cost_usd,
        asker=asker,
        labels=answer.told.labels if answer.told else (),
    )


def _as_said(message: AcceptedMessage, answer: Answer) -> RedactedText:
    """Give the answer with what was said of files that were not read: a follow-up may name them."""
    return RedactedText.joined((answer.text, *unread_notes(message, answer.language)), "\n")


def with_turn_lost(answer: Answer) -> Answer:
    """Say in the notices that the turn cannot be kept; once, and not beside the notice that the thread could not be read."""
    texts = {say(key, answer.language) for key in ("history_lost", "turn_lost")}
    if answer.outcome in FORGOTTEN or any(notice.text in texts for notice in answer.notices):
        return answer
    notice = Notice(NoticeKind.DEGRADED, (), say("turn_lost", answer.language))
    return replace(answer, notices=(*answer.notices, notice))


async def remember_turn(store: ThreadStore, message: AcceptedMessage, answer: Answer) -> None:
    """Keep the turn once the reply was given; a second call for the same message changes nothing.

    Raises:
        StateUnavailable: Redis is out of reach; the reply itself has been given.
    """
    turn = turn_of(message, answer)
    if turn is not None:
        await store.remember(message.thread, turn, message_id=message.message_id)
