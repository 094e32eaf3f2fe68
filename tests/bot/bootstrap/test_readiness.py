"""`/readyz` tells of every part that is away, in every role (case G2)."""

import asyncio
from pathlib import Path

import httpx
import pytest

from bot.adapters.store.client import RedisLink
from bot.bootstrap.processes import Role
from tests.bot.bootstrap.test_processes import process
from tests.peers.slack_api import Fault, SlackPeer
from tests.redis_servers import RedisServer
from tests.scenarios.bot_process import until
from tests.scenarios.data_folders import make_data_folder
from tests.scenarios.desk import slack_settings

pytestmark = pytest.mark.parametrize("own_redis_server", ["valkey"], indirect=True)


async def test_a_role_is_red_while_its_parts_are_away(own_redis_server: RedisServer, tmp_path: Path) -> None:
    """`/readyz` of role `slack` is green with socket and Redis, red while either is gone or Redis takes no writes, green again without a restart."""
    base = {"REDIS_URL": own_redis_server.url, "TRIAGE_DATA_DIR": str(make_data_folder(tmp_path / "data"))}
    async with SlackPeer() as peer, process(Role.SLACK, {**base, **slack_settings(peer)}) as lines:
        await until(lambda: bool(lines))
        async with httpx.AsyncClient(trust_env=False, timeout=10) as client:

            async def parts(**expected: str) -> None:
                async with asyncio.timeout(20):
                    while True:
                        told = await client.get(lines[0].split()[1])
                        if told.json()["parts"] == expected:
                            break
                        await asyncio.sleep(0.02)
                assert told.status_code == (200 if set(expected.values()) == {"up"} else 503)

            await parts(redis="up", **{"slack socket": "up"})
            peer.faults["apps.connections.open"] = Fault(status=500, times=10_000)
            await peer.close_sockets()
            await parts(redis="up", **{"slack socket": "down"})
            peer.faults.clear()
            await parts(redis="up", **{"slack socket": "up"})
            link = RedisLink(own_redis_server.url)
            await link.execute("CONFIG", "SET", "maxmemory", "1")
            await parts(redis="down", **{"slack socket": "up"})
            await link.execute("CONFIG", "SET", "maxmemory", "0")
            await link.close()
            await parts(redis="up", **{"slack socket": "up"})
            own_redis_server.kill()
            await parts(redis="down", **{"slack socket": "up"})
            assert "triage_redis_up 0.0" in (await client.get(lines[0].split()[1].replace("readyz", "metrics"))).text
            own_redis_server.start()
            await parts(redis="up", **{"slack socket": "up"})
