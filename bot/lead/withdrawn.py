"""Sources that are no more: what a thread that rested on them keeps of them, and what a follow-up is told."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Protocol

from bot.checks.closed_output import plain_name
from bot.messages import Answer, Notice, NoticeKind, Question, Turn
from bot.questions.codes import ids_of
from bot.questions.leaning import is_follow_up
from bot.texts import say
from retrieval.redaction import RedactedText


class SourceWithdrawals(Protocol):
    """Takes sources that are no more out of everything that is kept of answers. Raises `StateUnavailable` without Redis."""

    async def withdraw(self, ids: Collection[str]) -> Mapping[str, int]:
        """Take them out; gives what was changed, by kind."""
        ...


def without_sources(turn: Turn, ids: Collection[str]) -> Turn | None:
    """Give a turn that keeps nothing of these sources but that they are gone; None when it did not rest on them."""
    gone = tuple(name for name in turn.cited_ids if name in ids)
    if not gone:
        return None
    withdrawn = tuple(dict.fromkeys((*turn.withdrawn_ids, *gone)))
    return replace(
        turn,
        answer=_said(withdrawn, turn.language),
        cited_ids=tuple(name for name in turn.cited_ids if name not in ids),
        withdrawn_ids=withdrawn,
    )


def with_withdrawn(answer: Answer, question: Question | None) -> Answer:
    """Give the answer with a notice when the question asks on about a source that was withdrawn, or names it."""
    ids = _asked_about(question) if question is not None else ()
    if not ids:
        return answer
    notice = Notice(NoticeKind.WITHDRAWN, ids, _said(ids, answer.language))
    return replace(answer, notices=(*answer.notices, notice))


def _asked_about(question: Question) -> tuple[str, ...]:
    turns = [turn for turn in question.turns if turn.withdrawn_ids]
    if not turns:
        return ()
    asked = [turn.question for turn in question.turns]
    leans = turns[-1] is question.turns[-1] and is_follow_up(question.text, asked)
    named = {name.casefold() for name in ids_of(question.text)}
    return tuple(
        dict.fromkeys(
            name
            for turn in turns
            for name in turn.withdrawn_ids
            if name.casefold() in named or (leans and turn is turns[-1])
        )
    )


def _said(ids: Collection[str], language: str) -> RedactedText:
    names = [plain_name(name) or "?" for name in ids]
    return RedactedText.joined((say("withdrawn", language, id=RedactedText.stored(name)) for name in names), "\n")
