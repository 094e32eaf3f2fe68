"""The stage of each chaos test."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.chaos.bots import Zygote
from tests.chaos.harness import Stage, stage
from tests.redis_servers import RedisServer


@pytest.fixture(scope="session")
def zygote(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Zygote]:
    """Give the process that forks the bots of all tests."""
    made = Zygote(tmp_path_factory.mktemp("zygote"))
    yield made
    made.close()


@pytest.fixture
async def chaos(own_redis_server: RedisServer, tmp_path: Path, zygote: Zygote) -> AsyncIterator[Stage]:
    """Give a stage on a Redis of its own."""
    async with stage(own_redis_server, tmp_path, zygote) as made:
        yield made
