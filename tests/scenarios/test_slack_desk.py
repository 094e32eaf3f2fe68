"""What an agent's desk is offered by the bot as it starts, with its own wiring: a draft shared in the thread, once."""

from pathlib import Path

import pytest

from bot.bootstrap import SAMPLE, index_tools
from config.settings import RetrievalSettings
from retrieval.documents import FieldMap, load_documents
from retrieval.index import Update, update_index
from tests.conftest import MODELS
from tests.environment import settings_of
from tests.peers.slack_api import SlackPeer
from tests.peers.slack_clicks import click, labels, signed_interaction
from tests.peers.slack_payloads import CHANNEL, event_body, mention
from tests.redis_servers import RedisServer
from tests.scenarios.bot_process import until
from tests.scenarios.data_folders import make_data_folder
from tests.scenarios.desk import running_bot, slack_settings


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    """Give a data folder with some articles of the sample."""
    folder = make_data_folder(tmp_path / "data")
    articles = load_documents((SAMPLE / "articles",), field_map=FieldMap.parse([])).documents[:10]
    update_index(folder / "index", articles, index_tools(RetrievalSettings(TRIAGE_DATA_DIR=MODELS)), update=Update())
    return folder


@pytest.mark.parametrize("own_redis_server", ["valkey"], indirect=True)
async def test_a_draft_is_shared(own_redis_server: RedisServer, data_dir: Path) -> None:
    """In a channel that drafts first, two clicks on the draft's button post the answer into the thread once."""
    async with SlackPeer() as peer:
        settings = settings_of(
            REDIS_URL=own_redis_server.url, TRIAGE_DATA_DIR=str(data_dir),
            TRIAGE_CHANNELS=f'{{"{CHANNEL}": {{"draft": true}}}}', **slack_settings(peer),
        )  # fmt: skip
        async with running_bot(settings) as (_private, public):
            await peer.connected()
            event = mention("How do I reset a forgotten console password?")
            assert await peer.deliver(event_body(event)) is not None
            await until(lambda: bool(peer.ephemerals))
            (draft,) = peer.ephemerals
            assert labels(draft) == ["Share in the thread"]
            for _ in range(2):
                raw, headers = signed_interaction(click(peer, draft, "Share in the thread"))
                assert (await public.post("/slack/events", content=raw, headers=headers)).status_code == 200
            await until(lambda: bool(peer.thread(event["ts"])))
        (post,) = peer.thread(event["ts"])
        assert "Forgot password" in post.shown
        assert peer.ephemerals == [draft]
