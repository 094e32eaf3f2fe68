"""Having Redis write its files anew: what was removed stays in the append-only file and the snapshot until then."""

import asyncio
import time
from typing import Any

from bot.adapters.store.client import RedisLink
from bot.errors import StateUnavailable


async def rewrite_files(link: RedisLink, *, limit_s: float = 50.0, pause_s: float = 0.05) -> str:
    """Have the server write its files anew without what was removed: "rewritten", "none", or "refused".

    Raises:
        StateUnavailable: Redis is out of reach.
    """
    deadline = time.monotonic() + limit_s
    state = await _persistence(link)
    if not int(state.get("aof_enabled", 0)) and not await _saves(link):
        return "none"
    for command, busy in (("BGREWRITEAOF", "aof_rewrite"), ("BGSAVE", "rdb_bgsave")):
        if command == "BGREWRITEAOF" and not int(state.get("aof_enabled", 0)):
            continue
        if command == "BGSAVE" and not await _saves(link):
            continue
        if not await _written(link, command, busy, deadline, pause_s):
            return "refused"
    return "rewritten"


async def _written(link: RedisLink, command: str, busy: str, deadline: float, pause_s: float) -> bool:
    """Run one rewrite to its end; one that was under way before is waited for first, since it may hold what was removed."""
    if not await _idle(link, deadline, pause_s):
        return False
    try:
        await link.execute(command)
    except StateUnavailable:  # a managed server that forbids it
        await link.ping()
        return False
    if not await _idle(link, deadline, pause_s):
        return False
    status = "aof_last_bgrewrite_status" if busy == "aof_rewrite" else "rdb_last_bgsave_status"
    return str((await _persistence(link)).get(status)) == "ok"


async def _idle(link: RedisLink, deadline: float, pause_s: float) -> bool:
    names = ("aof_rewrite_in_progress", "aof_rewrite_scheduled", "rdb_bgsave_in_progress")
    while True:
        state = await _persistence(link)
        if not any(int(state.get(name, 0)) for name in names):
            return True
        if time.monotonic() > deadline:
            return False
        await asyncio.sleep(pause_s)


async def _persistence(link: RedisLink) -> dict[str, Any]:
    found = await link.execute("INFO", "persistence")
    if isinstance(found, dict):
        return found
    lines = (line.partition(":") for line in str(found).splitlines())
    return {name: value for name, _, value in lines if value}


async def _saves(link: RedisLink) -> bool:
    """Tell whether the server writes snapshots; one that does not show its settings is taken at its word."""
    try:
        found = await link.execute("CONFIG", "GET", "save")
    except StateUnavailable:
        return False
    return bool(next(iter(found.values()), "") if isinstance(found, dict) else found[-1] if found else "")
