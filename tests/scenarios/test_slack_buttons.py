"""A thread with its buttons as an agent sees it: two processes, both doors, every click at the process that did not answer."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.peers.slack_clicks import click, labels, signed_interaction, submission
from tests.peers.slack_payloads import BEN, Json, event_body, mention
from tests.peers.slack_posts import Post
from tests.redis_servers import RedisServer
from tests.scenarios.test_slack_two_processes import Desk, two_processes, until


@pytest.fixture
async def desk(redis_server: RedisServer, tmp_path: Path) -> AsyncIterator[Desk]:
    """Give a Slack served by two processes."""
    async with two_processes(redis_server, tmp_path) as made:
        yield made


async def _click(desk: Desk, body: Json, *, over_http: bool) -> None:
    """Deliver an interaction to the second process."""
    if over_http:
        assert await desk.bots[1].post("/slack/interactivity", signed_interaction(body)) == 200
    else:
        assert await desk.peer.deliver(body, kind="interactive", socket=1) is not None


async def _answered(desk: Desk, text: str) -> Post:
    """Ask the first process."""
    event = mention(text)
    assert await desk.peer.deliver(event_body(event), socket=0) is not None
    await until(lambda: bool(desk.peer.thread(event["ts"])))
    return desk.peer.thread(event["ts"])[-1]


@pytest.mark.parametrize("redis_server", ["valkey"], indirect=True)
async def test_an_agents_thread(desk: Desk) -> None:
    """Answer, reasons, verdict with a reason, draft, and a person asked once: all in one thread, nothing twice."""
    peer = desk.peer
    post = await _answered(desk, "why does sync fail with error 500?")
    root = post.thread_ts
    assert post.shown.startswith("_I am not certain that this answers your question")
    assert post.shown.index("“When sync fails with error 500, restart the sync agent") < post.shown.index("**Sources**")
    assert post.shown.index("**Sources**") < post.shown.index("kb-101 Sync fails")
    assert labels(post)[:3] == ["Useful", "Not useful", "Why this answer"]
    await _click(desk, click(peer, post, "Why this answer"), over_http=True)
    assert "✓ kb-101 Sync fails" in peer.window
    await _click(desk, click(peer, post, "Not useful"), over_http=False)
    await _click(desk, submission(peer, "which agent?"), over_http=False)
    await _click(desk, click(peer, post, "Draft for the customer"), over_http=False)
    await until(lambda: any("Dear customer," in note.shown for note in peer.ephemerals))
    for over_http in (True, False):
        await _click(desk, click(peer, post, "Ask a person", user=BEN), over_http=over_http)
    await until(lambda: len(peer.thread(root)) == 2 and any("already been asked" in n.text for n in peer.ephemerals))
    assert peer.thread(root)[-1].text.startswith("<!subteam^S0HELP> Please take over this question.")
    assert not any(post.is_streaming for post in peer.posts)
    assert peer.status(root) == ""
