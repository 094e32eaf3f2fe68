"""Gate: does the question belong here? Cheap and local, before any model call and any passage search."""

import asyncio
from collections.abc import Sequence

from bot.ends import Ended
from bot.flow import Ports
from bot.messages import GatedQuestion, Outcome, Question, Turn
from bot.questions.codes import ids_of
from bot.questions.leaning import is_follow_up
from bot.questions.play import play_words_of
from bot.questions.small_talk import Said, kind_of
from bot.questions.unread_files import FILES
from retrieval.errors import RetrievalError
from retrieval.passages import GateScore, GateVerdict, SourceText
from retrieval.redaction import RedactedText

# Within .85 log odds below the threshold. 1.5, as far as above it a question counts as unsure, let 6 of 120 messages of off-topic talk
# through behind a question of the thread, for 4 of 149 questions; this lets 2 through for 3.
_CLOSE = 0.3


async def gate_stage(question: Question, *, ports: Ports) -> GatedQuestion | Ended:
    """Let the question through, or end as off-topic; a follow-up is judged with the question that it leans on.

    Who names a source by its id asks for it, whatever the words are like. A gate that fails or takes too long lets the question through as unsure.
    """
    if _is_play(question, ports):
        return Ended(Outcome.OFF_TOPIC, "off_topic", GatedQuestion(question, GateScore(GateVerdict.DECLINE, 0.0)))
    try:
        async with asyncio.timeout(ports.limits.gate_timeout_s):
            score = await _judged(question, ports)
            named = await _named(question, ports)
    except (RetrievalError, TimeoutError, OSError, ArithmeticError, ValueError):
        score, named = GateScore(GateVerdict.ASK, 0.5), ()
    if named:
        score = GateScore(GateVerdict.ANSWER, score.score)
    gated = GatedQuestion(question, score, named)
    if score.verdict is GateVerdict.DECLINE and question.message.route(FILES):
        # "what does this mean?" beside a screenshot: what it is about stands in the file that nobody read.
        return Ended(Outcome.CLARIFY, "clarify_vague", gated)
    if score.verdict is GateVerdict.DECLINE:
        return Ended(Outcome.OFF_TOPIC, "off_topic", gated)
    return gated


def _is_play(question: Question, ports: Ports) -> bool:
    """Say whether something is to be made or played of which no document speaks; the gate would look at what it is about."""
    asked = play_words_of(question.text)
    return bool(asked) and len(asked) not in ports.speakers(asked).values()


async def _judged(question: Question, ports: Ports) -> GateScore:
    """Judge the topic; a question in a thread that is only just declined is unsure where it fits the question before it.

    It keeps its score below a half: what is found for it is no plain answer.
    """
    leaned_on = _leaned_on(question)
    score = await ports.passages.gate(question.text, leaned_on)
    is_close = score.verdict is GateVerdict.DECLINE and score.score >= _CLOSE
    if not is_close or leaned_on is not None or not question.turns:
        return score
    again = await ports.passages.gate(question.text, _with_subject(question.turns))
    return score if again.verdict is GateVerdict.DECLINE else GateScore(GateVerdict.ASK, score.score)


async def _named(question: Question, ports: Ports) -> tuple[SourceText, ...]:
    """Look up what the question may name; only what its asker may see is found."""
    audience = frozenset(question.message.audience)
    found = [await ports.passages.document(id_, audience=audience) for id_ in ids_of(question.text)]
    return tuple({source.card.id: source for source in found if source is not None}.values())


def _leaned_on(question: Question) -> RedactedText | None:
    previous = [turn.question for turn in question.turns]
    return _with_subject(question.turns) if is_follow_up(question.text, previous) else None


def _with_subject(turns: Sequence[Turn]) -> RedactedText:
    """Give the newest question that names a subject: "who can do it?" behind "how do I do it?" leans on the one before both."""
    named = (turn.question for turn in reversed(turns) if kind_of(turn.question) is Said.QUESTION)
    return next(named, turns[-1].question)
