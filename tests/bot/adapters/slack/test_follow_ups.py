"""Vague follow-ups in a Slack thread, through the real adapter: what is left, or one line with the source."""

import pytest
from markdown_it import MarkdownIt

from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import Keyspace
from tests.bot.adapters.slack.button_desk import ButtonDesk, card
from tests.fakes import make_passage
from tests.peers.slack_api import SlackPeer

QUESTION = "How do I restart the sync agent?"
SCRIPT = "```sh\nstop --all\nstart --all\n```"


@pytest.fixture
def desk(peer: SlackPeer, redis_link: RedisLink, redis_keys: Keyspace) -> ButtonDesk:
    """Give a desk with one procedure of ten steps, the second with a script."""
    steps = [(f"{n}. Open the settings page number {n} of the sync agent.", 0.8) for n in range(1, 11)]
    steps[1] = ("2. Restart the sync agent by this script:", 0.88)
    steps.insert(2, (SCRIPT, 0.7))
    return ButtonDesk(
        peer, redis_link, redis_keys, (make_passage(card("kb-101", url="https://kb.example/101"), *steps),)
    )


async def test_more_is_the_rest_and_then_one_line(desk: ButtonDesk) -> None:
    """Seven steps with the script, then all ten, then that nothing is left, with the link; each in the thread."""
    first = await desk.ask(QUESTION)
    assert "8. Open" not in first.shown
    rest = await desk.ask("more", thread_ts=first.thread_ts)
    assert "10. Open the settings page number 10" in rest.shown
    last = await desk.ask("and then?", thread_ts=first.thread_ts)
    assert last.shown.startswith("The sources hold nothing more on this. The whole text: kb-101 [1]")
    assert "[kb-101](https://kb.example/101)" in last.shown
    assert "1. Open" not in last.shown
    assert {post.thread_ts for post in desk.peer.posts} == {first.thread_ts}


async def test_a_script_stands_whole_below_its_step(desk: ButtonDesk) -> None:
    """One fence with its language between its step and the next, and the sources behind it are no code."""
    shown = (await desk.ask(QUESTION)).shown
    (fence,) = [token for token in MarkdownIt().parse(shown) if token.type == "fence"]
    assert (fence.info, fence.content) == ("sh", "stop --all\nstart --all\n")
    assert shown.index("by this script:") < shown.index("```sh") < shown.index("3. Open") < shown.index("**Sources**")
