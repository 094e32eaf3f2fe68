"""One set of conversations through every door: the same question gets the same end wherever it is asked."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from bot.texts import say
from tests.redis_servers import RedisServer, server_binary
from tests.scenarios.conversations import SCENARIOS, Scenario, Turn
from tests.scenarios.data_folders import make_data_folder
from tests.scenarios.desk import Desk, open_desk
from tests.scenarios.doors import Seen, bare

DOORS = ("slack over HTTP", "slack over Socket Mode", "teams", "HTTP API", "console")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def desk(sample_index: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Desk]:
    """Run the bot with every door once for all conversations."""
    server = RedisServer(server_binary("valkey"))
    server.start()
    data_dir = make_data_folder(tmp_path_factory.mktemp("desk") / "data", index=sample_index)
    try:
        async with open_desk(server, data_dir) as desk:
            yield desk
    finally:
        server.close()


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
async def test_conversation(desk: Desk, door: str, scenario: Scenario) -> None:
    """Every turn ends as it must: outcome, cited source, language, thread, one post; what is private stays nowhere."""
    opened = desk.door(door)
    for turn in scenario.turns:
        seen = await opened.say(turn.text, turn.thread)
        _check(seen, turn)
        assert not [value for value in scenario.hidden if value in seen.shown]
    kept = desk.kept()
    assert not [value for value in scenario.hidden if value.encode() in kept]


def _check(seen: Seen, turn: Turn) -> None:
    assert (seen.outcome, seen.language) == (turn.outcome, turn.language), seen.shown
    assert bool(set(seen.cited) & set(turn.cites_any)) == bool(turn.cites_any), seen.cited
    assert bool(seen.cited) == bool(turn.cites_any)
    assert (seen.posts, seen.threads) == (1, frozenset({turn.thread}))
    for notice in turn.notices:
        assert bare(say(str(notice), turn.language)) in bare(seen.shown)
