"""Forgetting with everything around it: Redis, the index, and the platforms that delete the bot's posts."""

import shutil
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import Keyspace
from bot.bootstrap.forgetting import Wanted, forget
from bot.errors import StateUnavailable
from bot.lead.forgetting import SubjectKind
from bot.lead.receipts import Receipt, receipt_to_json
from bot.messages import Platform
from config.settings import Settings
from retrieval.index import read_manifest
from tests.bot.test_audit import Trail
from tests.environment import settings_of
from tests.kept_index import copy_vectors
from tests.peers.slack_api import Fault, Post, SlackPeer
from tests.peers.teams_connector import TeamsConnector
from tests.redis_servers import RedisServer
from tests.sample_messages import message, thread
from tests.scenarios.data_folders import make_data_folder
from tests.scenarios.desk import slack_settings, teams_settings

pytestmark = pytest.mark.parametrize("own_redis_server", ["valkey"], indirect=True)
KEYS = Keyspace()
SLACK = Receipt(message().message_id, thread(), ("1.1", "1.2"), ("kb-101",), "", 1_700_000_000.0)
TEAMS = replace(SLACK, thread=replace(thread(), platform=Platform.TEAMS), post_ids=("sent-1",))


@pytest.fixture
def base(own_redis_server: RedisServer, tmp_path: Path) -> dict[str, str]:
    """Give the settings of a data folder without an index, on a Redis of its own."""
    return {"REDIS_URL": own_redis_server.url, "TRIAGE_DATA_DIR": str(make_data_folder(tmp_path / "data"))}


@pytest.fixture
async def slack() -> AsyncIterator[SlackPeer]:
    """Give a Slack where the post of the receipt stands."""
    async with SlackPeer() as peer:
        peer.posts += [Post("C1", ts, "text", "1.0") for ts in SLACK.post_ids]
        yield peer


async def plant(link: RedisLink, *receipts: Receipt) -> None:
    """Leave receipts."""
    for receipt in receipts:
        key = KEYS.of_thread(receipt.thread, "receipt", receipt.message_id)
        await link.execute("SET", key, receipt_to_json(receipt), "EX", 100)


def thread_of(receipt: Receipt, **more: object) -> Wanted:
    """Have the thread of a receipt forgotten."""
    return Wanted(SubjectKind.THREAD, receipt.thread.thread_id, **more)  # type: ignore[arg-type]


async def test_posts_are_listed_and_then_deleted(
    base: dict[str, str], own_redis_link: RedisLink, slack: SlackPeer
) -> None:
    """Without asking they only are listed, again and again; asked for, every part goes, and then nothing is listed."""
    await plant(own_redis_link, SLACK)
    settings, trail = settings_of(**base, **slack_settings(slack)), Trail()
    for _ in range(2):
        listed = await forget(settings, thread_of(SLACK), trail)
        assert [(post.receipt, post.deleted) for post in listed.posts] == [(SLACK, None)]
        assert listed.is_whole
    deleted = await forget(settings, thread_of(SLACK, deletes_posts=True), trail)
    assert ([post.deleted for post in deleted.posts], slack.posts) == ([True], [])
    assert (await forget(settings, thread_of(SLACK), trail)).posts == ()
    row = trail.rows[2]
    assert (row["event"], row["kind"], row["posts"], row["posts_deleted"], row["files"]) == (
        "forgotten", "thread", 1, 1, "rewritten",
    )  # fmt: skip


async def test_posts_on_teams_are_deleted(base: dict[str, str], own_redis_link: RedisLink) -> None:
    """Through the Bot Connector that the receipt names."""
    async with TeamsConnector() as peer:
        peer.stands = {"sent-1"}
        await plant(own_redis_link, replace(TEAMS, service_url=peer.service_url))
        settings = settings_of(**base, **teams_settings(peer))
        result = await forget(settings, thread_of(TEAMS, deletes_posts=True), Trail())
        assert (result.is_whole, peer.stands) == (True, set())


async def test_a_post_that_cannot_be_deleted_is_told(
    base: dict[str, str], own_redis_link: RedisLink, slack: SlackPeer
) -> None:
    """No token, an outage: said, not whole, and found again by the next run."""
    await plant(own_redis_link, SLACK, TEAMS)
    slack.faults["chat.delete"] = Fault(status=500)
    settings = settings_of(**base, **slack_settings(slack))
    result = await forget(settings, thread_of(SLACK, deletes_posts=True), Trail())
    assert not result.is_whole
    assert [post.deleted for post in result.posts] == [False, False]
    assert len(result.problems) == 2
    again = await forget(settings, thread_of(SLACK, deletes_posts=True), Trail())
    assert sorted(str(post.deleted) for post in again.posts) == ["False", "True"]


async def test_a_document_leaves_the_index(
    base: dict[str, str], own_redis_server: RedisServer, sample_index: Path
) -> None:
    """The current generation holds the others, the older ones are gone; an id that is nowhere changes nothing."""
    data_dir = Path(base["TRIAGE_DATA_DIR"])
    shutil.copytree(sample_index, data_dir / "index")
    copy_vectors(data_dir)
    settings, before = settings_of(**base), read_manifest(sample_index).documents
    nothing = await forget(settings, Wanted(SubjectKind.DOCUMENT, "kb-none"), Trail())
    assert (nothing.documents, nothing.vectors, nothing.seconds < 4) == ((), 0, True)
    result = await forget(settings, Wanted(SubjectKind.DOCUMENT, "kb-101"), Trail())
    assert result.documents == ("kb-101",)
    assert result.vectors > 0
    assert set(before) - set(read_manifest(data_dir / "index").documents) == {"kb-101"}


async def test_without_an_index_a_document_is_only_forgotten_in_redis(
    base: dict[str, str], own_redis_server: RedisServer
) -> None:
    """No index, no model needed."""
    result = await forget(settings_of(**base), Wanted(SubjectKind.DOCUMENT, "kb-101"), Trail())
    assert (result.documents, result.is_whole) == ((), True)


async def test_without_redis_nothing_is_done(base: dict[str, str], own_redis_server: RedisServer) -> None:
    """The error comes before anything was touched."""
    settings: Settings = settings_of(**base | {"REDIS_URL": "redis://127.0.0.1:1/0"})
    with pytest.raises(StateUnavailable):
        await forget(settings, Wanted(SubjectKind.USER, "U1"), Trail())
