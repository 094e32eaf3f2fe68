"""What stands around the flow where people press buttons: kept answers, votes, drafts, and who takes over."""

from dataclasses import replace
from typing import TYPE_CHECKING

from bot.answers.answer_tasks import TaskResponder
from bot.answers.drafting import Drafter, DraftStyle
from bot.answers.kept_answers import KeepingResponder
from bot.bootstrap.index_parts import private_folder
from bot.bootstrap.parts import Flow, State, open_state
from bot.lead.feedback import Rated
from bot.pipeline import Pipeline
from bot.ports import Responder
from bot.prompts import draft_line
from config.answer_settings import AnswerSettings
from config.settings import Settings
from retrieval.redaction import RedactedText

if TYPE_CHECKING:
    from bot.adapters.store.answers import RedisAnswers, RedisFeedback, RedisPresses


def build_answers(settings: Settings, state: State) -> "RedisAnswers":
    """Build what keeps answers for their buttons, as long as the history of their threads."""
    from bot.adapters.store.answers import RedisAnswers

    return RedisAnswers(state.link, state.keys, ttl_s=settings.server.history_ttl_s)


def build_presses(state: State) -> "RedisPresses":
    """Give what knows which button was pressed a moment ago."""
    from bot.adapters.store.answers import RedisPresses

    return RedisPresses(state.link, state.keys)


def build_feedback(settings: Settings, state: State) -> "RedisFeedback":
    """Build what keeps votes."""
    from bot.adapters.store.answers import RedisFeedback

    return RedisFeedback(state.link, state.keys, state.people, ttl_s=settings.answers.feedback_ttl_s)


async def rated_answers(settings: Settings) -> list[Rated]:
    """Give every answer that people gave a verdict on.

    Raises:
        StateUnavailable: Redis is out of reach.
    """
    async with open_state(settings.server, private_folder(settings.retrieval)) as state:
        return [rated async for rated in build_feedback(settings, state).all()]


def build_drafter(settings: Settings, flow: Flow) -> Drafter:
    """Build what drafts replies to customers: the flow, told to write in the house style."""
    style = draft_style(settings.answers)
    line = draft_line(is_formal=style.is_formal, tone=style.tone)
    ports = replace(flow.pipeline.ports, style=line)
    if style.language:
        ports = replace(ports, language_of=lambda _text: style.language, asked_in=None)
    return Drafter(Pipeline(ports), style)


def draft_style(settings: AnswerSettings) -> DraftStyle:
    """Give the house style; the sign-off is the desk's own words, nobody's data."""
    return DraftStyle(
        is_formal=settings.draft_address == "formal",
        tone=settings.draft_tone,
        sign_off=RedactedText.stored(settings.draft_sign_off),
        language=settings.draft_language,
    )


def with_tasks(responder: Responder, settings: Settings, state: State, flow: Flow) -> Responder:
    """Give the responder that keeps its answers for their buttons, and does what those ask for."""
    answers = build_answers(settings, state)
    keeping = KeepingResponder(responder, answers, name_of=state.people.of)
    return TaskResponder(keeping, answers, drafter=build_drafter(settings, flow), passages=flow.index.source)
