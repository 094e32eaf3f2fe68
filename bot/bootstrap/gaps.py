"""Unanswered questions: noted by every door, read and grouped for the lead."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from bot.audit import nobody
from bot.bootstrap.index_parts import private_folder
from bot.bootstrap.parts import State, open_state
from bot.lead.gaps import Gap, GapNotingResponder, GapStore, gap_of_votes
from bot.ports import Responder
from config.settings import Settings
from config.trust_settings import RetentionSettings


def noting_gaps(responder: Responder, settings: RetentionSettings, state: State) -> Responder:
    """Give the responder with every question that it cannot answer kept for the lead."""
    if not settings.gaps_ttl_s:
        return responder
    return GapNotingResponder(responder, _store(settings, state), name_of=state.people.of)


def noting_gaps_late(
    responder: Responder, settings: RetentionSettings, open_late: Callable[[], Awaitable[State]]
) -> Responder:
    """Give the same for a command that needs no Redis otherwise: it is opened at the first question without an answer."""
    if not settings.gaps_ttl_s:
        return responder
    return GapNotingResponder(responder, _LateGaps(settings, open_late), name_of=nobody)


@dataclass(slots=True)
class _LateGaps:
    settings: RetentionSettings
    open_late: Callable[[], Awaitable[State]]
    _opened: GapStore | None = field(default=None, init=False)

    async def note(self, gap: Gap) -> None:
        if self._opened is None:
            self._opened = _store(self.settings, await self.open_late())
        await self._opened.note(gap)


def _store(settings: RetentionSettings, state: State) -> GapStore:
    from bot.adapters.store.gaps import RedisGaps

    return RedisGaps(state.link, state.keys, ttl_s=settings.gaps_ttl_s)


async def read_gaps(settings: Settings, *, since: float) -> Sequence[Gap]:
    """Read the gaps asked at or after a time, seconds since the epoch, oldest first; what people voted down is one too.

    Raises:
        StateUnavailable: Redis is out of reach.
    """
    async with open_state(settings.server, private_folder(settings.retrieval)) as state:
        await state.link.ping()
        return await gaps_of(state, since=since)


async def gaps_of(state: State, *, since: float) -> Sequence[Gap]:
    """Read them from an open state.

    Raises:
        StateUnavailable: Redis is out of reach.
    """
    from bot.adapters.store.answers import RedisFeedback
    from bot.adapters.store.gaps import RedisGaps

    found = {gap.message_id: gap for gap in await RedisGaps(state.link, state.keys).all(since=since)}
    async for rated in RedisFeedback(state.link, state.keys, state.people).all():
        gap = gap_of_votes(rated)
        if gap is not None and gap.asked_at >= since:
            found[gap.message_id] = gap
    return sorted(found.values(), key=lambda gap: (gap.asked_at, gap.message_id))
