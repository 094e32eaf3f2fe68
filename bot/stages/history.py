"""History: the question with the earlier turns of its thread; ends what asks nothing."""

from dataclasses import replace

from bot.answers.brevity import is_more
from bot.ends import Ended
from bot.errors import StateUnavailable
from bot.flow import Ports
from bot.messages import AcceptedMessage, Outcome, Question, Told, Turn
from bot.questions.numbered_tokens import plain_turn, told_in
from bot.questions.overheard import with_heard
from bot.questions.small_talk import Said, is_wordless, kind_of
from bot.texts import has_text
from bot.words import lexicon_of
from retrieval.redaction import RedactedText, unnumbered

# Below this many letters a language detector guesses; the thread's language is the better guess then.
_TOO_SHORT = 12

_ENDS = {
    Said.NOTHING: (Outcome.CLARIFY, "clarify_empty"),
    Said.EMOJI: (Outcome.CLARIFY, "clarify_empty"),
    Said.THANKS: (Outcome.COURTESY, "courtesy_thanks"),
    Said.GREETING: (Outcome.COURTESY, "courtesy_greeting"),
    Said.VAGUE: (Outcome.CLARIFY, "clarify_vague"),
}


async def history_stage(message: AcceptedMessage, *, ports: Ports) -> Question | Ended:
    """Give the question with its thread, or end: refused, nothing asked, thanks, a greeting, no subject named.

    Turns older than the history limit do not count. When Redis is out of reach the question stands alone and says so.
    A mention with nothing in it, and one that asks for details, ask the thread's last question again.
    """
    turns, is_lost = await _turns(message, ports)
    question = _question(message, turns, is_lost=is_lost, ports=ports)
    if message.refusal:
        said = message.refusal if has_text(message.refusal) else "not_permitted"
        return Ended(Outcome.NOT_PERMITTED, said, question)
    kind = kind_of(question.text)
    subjects = [turn for turn in question.turns if kind_of(turn.question) is Said.QUESTION]
    if kind is Said.QUESTION or (kind is Said.VAGUE and subjects):
        return question
    if kind is Said.THANKS and is_wordless(question.text) and not question.turns:
        kind = Said.EMOJI  # a raised thumb thanks for an answer; where there was none it says nothing
    outcome, said = _ENDS[kind]
    return Ended(outcome, said, question)


async def _turns(message: AcceptedMessage, ports: Ports) -> tuple[tuple[Turn, ...], bool]:
    if ports.threads is None:
        return (), False
    try:
        kept = await ports.threads.turns(message.thread)
        asker = await ports.name_of(message.user_id) if kept else ""
    except StateUnavailable:
        return (), True
    oldest = ports.clock.now() - ports.limits.history_ttl_s
    shown = (turn for turn in kept if turn.asked_at >= oldest and not _is_own(turn, message))
    return tuple(replace(turn, is_foreign=_is_foreign(turn, asker)) for turn in shown), False


def _is_foreign(turn: Turn, asker: str) -> bool:
    """Say whether somebody else asked; where nobody has a name, everything is taken for the asker's own."""
    return bool(asker) and bool(turn.asker) and turn.asker != asker


def _is_own(turn: Turn, message: AcceptedMessage) -> bool:
    """Say whether the turn is this very message, delivered again after its turn was stored."""
    return turn.asked_at == message.received_at and unnumbered(turn.question) == unnumbered(message.text)


def _question(message: AcceptedMessage, turns: tuple[Turn, ...], *, is_lost: bool, ports: Ports) -> Question:
    asked = tuple(turn for turn in turns if turn.question.strip())
    told = told_in(message, asked, turns)
    if asked and (kind_of(message.text) is Said.NOTHING or is_more(message.text)):
        told = Told(asked[-1].question, asked[:-1], asked[-1].labels)
    told = replace(
        told,
        turns=with_heard(told.turns, message.heard),
        heard=message.heard,
        given=_given(message, asked),
    )
    text = unnumbered(told.text)
    return Question(
        message=message,
        text=text,
        language=_language(text, turns, ports),
        turns=tuple(plain_turn(turn) for turn in told.turns),
        is_history_lost=is_lost,
        told=told,
    )


def _given(message: AcceptedMessage, asked: tuple[Turn, ...]) -> tuple[RedactedText, ...]:
    """Give the answers that a message which names no subject would only repeat."""
    if not (is_more(message.text) or kind_of(message.text) is Said.VAGUE):
        return ()
    return tuple(unnumbered(turn.answer) for turn in asked if turn.outcome is Outcome.ANSWERED)


def _language(text: str, turns: tuple[Turn, ...], ports: Ports) -> str:
    spoken = turns[-1].language if turns else ""
    if spoken and len(text.strip()) < _TOO_SHORT and lexicon_of(text, prefer=spoken).code == spoken:
        return spoken
    named = ports.asked_in(text, spoken) if ports.asked_in else ports.language_of(text)
    return named or spoken or lexicon_of(text).code
