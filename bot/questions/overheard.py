"""What others said around a question, made one more turn of its thread: a follow-up may lean on it, nobody asked it."""

from collections.abc import Sequence

from bot.messages import AcceptedMessage, Heard, Outcome, Turn
from bot.questions.small_talk import Said, kind_of
from bot.texts import say
from bot.words import content_words, lexicon_of
from retrieval.redaction import EMPTY, RedactedText

# The newest of what was said and the root stand for all: the carried terms of a follow-up are few.
LEFT_OUT = "left out"  # stands where messages were left out; its text says how many
_NEWEST = 3
_CHARACTERS = 240
_FEW_WORDS = 2


def with_heard(turns: tuple[Turn, ...], heard: Sequence[Heard]) -> tuple[Turn, ...]:
    """Give the turns with what was heard among them by its time; chatter without a subject is left out."""
    telling = [said for said in heard if said.by != LEFT_OUT and _names_something(said.text)]
    if not telling:
        return turns
    chosen = list(dict.fromkeys([*reversed(telling[-_NEWEST:]), telling[0]]))
    turn = Turn(
        question=RedactedText.joined([said.text.cut(_CHARACTERS) for said in chosen], "\n"),
        answer=EMPTY,
        cited_ids=(),
        language="",
        outcome=Outcome.ANSWERED,
        asked_at=telling[-1].at,
        is_foreign=True,
        is_heard=True,
    )
    before = tuple(kept for kept in turns if kept.asked_at <= turn.asked_at)
    return (*before, turn, *turns[len(before) :])


def notes_around(message: AcceptedMessage, language: str) -> tuple[RedactedText, ...]:
    """Say what of the thread was not read: too long, or too old."""
    given = (("thread_cut", "shown"), ("thread_old", "days"))
    return tuple(say(key, language, **{name: int(message.route(key))}) for key, name in given if message.route(key))


def _names_something(text: str) -> bool:
    return kind_of(text) is Said.QUESTION and len(content_words(text, lexicon_of(text))) >= _FEW_WORDS
