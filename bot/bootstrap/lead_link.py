"""A one-time link to the lead's page of the bot that runs on this machine."""

import asyncio

from bot.adapters.files.private_port import is_bot, port_written_down, would_open
from bot.adapters.web.lead_access import RedisLeadDoor
from bot.audit import AuditTrail
from bot.bootstrap.index_parts import private_folder
from bot.bootstrap.parts import open_state
from bot.bootstrap.private_doors import FIRST_PRIVATE_PORT
from bot.errors import BotError
from config.settings import Settings


class NoBotAnswers(BotError):
    """No bot answers on this machine that would open a link."""


async def lead_link(settings: Settings, trail: AuditTrail, *, port: int = 0) -> str:
    """Give a new one-time link, which was tried on the running bot without spending it.

    Args:
        settings: those of the bot.
        trail: where the link is written down.
        port: of the bot's private listener; 0 is where the running one listens.

    Raises:
        NoBotAnswers: no bot answers there, or one on another Redis.
        StateUnavailable: Redis is out of reach.
    """
    folder = settings.retrieval.data_dir
    port = port or port_written_down(folder) or settings.server.port or FIRST_PRIVATE_PORT
    if not await asyncio.to_thread(is_bot, port):
        raise NoBotAnswers(
            f"no bot answers on port {port} of this machine, so no link would open; start `all` or `http` with"
            f" TRIAGE_DATA_DIR={folder}, or name the private port of one with --port"
        )
    async with open_state(settings.server, private_folder(settings.retrieval)) as state:
        secret = await RedisLeadDoor(state.link, state.keys).make_link()
        if not await asyncio.to_thread(would_open, port, secret):
            raise NoBotAnswers(
                f"the bot on port {port} does not know links made here: it uses another Redis; set REDIS_URL and"
                " TRIAGE_DATA_DIR as it has them"
            )
    trail.write("lead_link_made")
    return f"http://127.0.0.1:{port}/lead?link={secret}"
