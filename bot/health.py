"""Health: the sum of the pings of what the process depends on."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from bot.errors import BotError
from retrieval.errors import RetrievalError

Ping = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Health:
    """Which parts are up. Holds no version and no secret, so anybody on the port may read it."""

    parts: tuple[tuple[str, bool], ...]

    @property
    def is_ready(self) -> bool:
        """Whether every part is up."""
        return all(up for _, up in self.parts)


async def check_health(pings: Mapping[str, Ping]) -> Health:
    """Ping every part; a typed error means down, anything else is a fault and is raised."""
    return Health(tuple([(name, await _is_up(ping)) for name, ping in pings.items()]))


async def _is_up(ping: Ping) -> bool:
    try:
        await ping()
    except (BotError, RetrievalError):
        return False
    return True
