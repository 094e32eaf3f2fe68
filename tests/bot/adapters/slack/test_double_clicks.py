"""Two quick clicks are one: at two replicas at the same moment, and one right behind the other."""

import asyncio

import pytest

from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import Keyspace
from bot.lead.feedback import Verdict
from tests.bot.adapters.slack.button_desk import SYNC, ButtonDesk
from tests.bot.adapters.slack.test_clicks import QUESTION, _failed
from tests.peers.slack_api import SlackPeer
from tests.peers.slack_clicks import click
from tests.peers.slack_payloads import ANA, BEN
from tests.peers.slack_posts import Post


@pytest.fixture
def desk(peer: SlackPeer, redis_link: RedisLink, redis_keys: Keyspace) -> ButtonDesk:
    """Give a desk where somebody takes questions over."""
    return ButtonDesk(peer, redis_link, redis_keys, groups={"*": "S0HELP"})


async def _twice(
    desk: ButtonDesk, post: Post, label: str, *, at_once: bool, users: tuple[str, str] = (ANA, ANA)
) -> None:
    """Click twice, each with a trigger of its own, at fresh replicas; then let the workers do what waits."""
    bodies = [click(desk.peer, post, label, user=user) for user in users]
    assert bodies[0]["trigger_id"] != bodies[1]["trigger_id"]
    if at_once:
        answers = await asyncio.gather(*(desk.interact(body) for body in bodies))
    else:
        answers = [await desk.interact(body) for body in bodies]
    assert [answer.status_code for answer in answers] == [200, 200]
    await desk.work()


@pytest.mark.parametrize("at_once", [True, False])
async def test_each_button_has_one_effect(desk: ButtonDesk, *, at_once: bool) -> None:
    """One verdict with one word of thanks, one form, one window, one draft, one hand-over."""
    post = await desk.ask(QUESTION)
    await _twice(desk, post, "Useful", at_once=at_once)
    assert [note.text for note in desk.peer.ephemerals] == ["Thank you, noted."]
    (rated,) = await desk.rated()
    assert [vote.verdict for vote in rated.votes.values()] == [Verdict.USEFUL]
    for number, label in enumerate(("Not useful", "Why this answer", "📄 kb-101"), 1):
        await _twice(desk, post, label, at_once=at_once)
        assert len(desk.peer.views) == number
    (rated,) = await desk.rated()
    assert [vote.verdict for vote in rated.votes.values()] == [Verdict.NOT_USEFUL]
    desk.peer.ephemerals.clear()
    await _twice(desk, post, "Draft for the customer", at_once=at_once)
    assert [note.text[:10] for note in desk.peer.ephemerals] == ["Looking it", "*Draft for"]
    desk.peer.ephemerals.clear()
    await _twice(desk, post, "Ask a person", at_once=at_once)
    assert [post.text[:18] for post in desk.peer.posts[1:]] == ["<!subteam^S0HELP> "]
    assert desk.peer.ephemerals == []


@pytest.mark.parametrize("at_once", [True, False])
async def test_a_failure_is_tried_again_once(desk: ButtonDesk, *, at_once: bool) -> None:
    """One answer, and one word that it is looked up."""
    failed = await _failed(desk)
    desk.passages = (SYNC,)
    await _twice(desk, failed, "Try again", at_once=at_once)
    assert [("kb-101" in post.shown) for post in desk.peer.posts] == [False, True]
    assert len(desk.peer.ephemerals) == 1


async def test_two_people_are_two(desk: ButtonDesk) -> None:
    """Both verdicts count and both windows open; a person is still asked once, and the second is told so."""
    post = await desk.ask(QUESTION)
    for label in ("Useful", "Why this answer", "Draft for the customer"):
        await _twice(desk, post, label, at_once=True, users=(ANA, BEN))
    (rated,) = await desk.rated()
    assert len(rated.votes) == 2
    assert len(desk.peer.views) == 2
    assert sum(note.text.startswith("*Draft for") for note in desk.peer.ephemerals) == 2
    await _twice(desk, post, "Ask a person", at_once=True, users=(ANA, BEN))
    assert len(desk.peer.posts) == 2
    assert desk.peer.ephemerals[-1].text == "Somebody has already been asked about this."


async def test_a_press_counts_again_when_nothing_came_of_it_and_after_a_moment(desk: ButtonDesk) -> None:
    """A queue that was away takes nothing up; the name of a press lives for seconds, and names nobody."""
    post = await desk.ask(QUESTION)
    desk.queue.is_down = True
    assert (await desk.press(post, "Draft for the customer")).status_code == 500
    desk.queue.is_down = False
    await desk.press(post, "Draft for the customer")
    assert len(desk.queue.messages) == 1
    keys = [
        key async for page in desk.link.scan(f"{desk.keys.prefix}{{p*", count=100) for key in page if "press:" in key
    ]
    assert len(keys) == 1
    assert ANA not in keys[0]
    assert 0 < await desk.link.execute("TTL", keys[0]) <= 10
    await desk.link.execute("DEL", keys[0])  # as its time would
    await desk.press(post, "Draft for the customer")
    assert len(desk.queue.messages) == 2
