"""The stage of each chaos test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.chaos.harness import Stage, stage
from tests.redis_servers import RedisServer


@pytest.fixture
async def chaos(own_redis_server: RedisServer, tmp_path: Path) -> AsyncIterator[Stage]:
    """Give a stage on a Redis of its own."""
    async with stage(own_redis_server, tmp_path) as made:
        yield made
