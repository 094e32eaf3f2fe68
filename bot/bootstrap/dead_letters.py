"""The dead letters, opened on the Redis of the settings."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from bot.bootstrap.index_parts import private_folder
from bot.bootstrap.parts import open_state
from config.settings import Settings

if TYPE_CHECKING:
    from bot.adapters.work.dead_letters import DeadLetters


@asynccontextmanager
async def open_dead_letters(settings: Settings) -> AsyncIterator["DeadLetters"]:
    """Open them.

    Raises:
        StateUnavailable: the embedded Redis does not start; later, any call when Redis is out of reach.
    """
    from bot.adapters.work.dead_letters import DeadLetters

    async with open_state(settings.server, private_folder(settings.retrieval)) as state:
        yield DeadLetters(state.link, state.keys)
