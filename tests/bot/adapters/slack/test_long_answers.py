"""Long answers, scripts and tables as posts in a Slack thread (cases F1 to F3), and a slow answer asked for thrice (A1)."""

import pytest
from markdown_it import MarkdownIt

from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import Keyspace
from retrieval.passages import Passage
from tests.bot.adapters.slack.button_desk import SYNC, ButtonDesk, card
from tests.fakes import make_passage
from tests.peers.slack_api import SlackPeer
from tests.peers.slack_clicks import labels
from tests.peers.slack_payloads import event_body, mention
from tests.peers.slack_posts import Post

QUESTION = "How do I restart the sync agent?"
LIMIT = 12_000  # characters that Slack takes in one markdown block
TABLE = "| setting | seconds | page |\n|---|---|---|\n" + "\n".join(
    f"| read {n} | {n} | {'' if n == 2 else f'[page {n}](https://kb.example/{n})'} |" for n in range(1, 7)
)


def _with(block: str) -> Passage:
    return make_passage(
        card("kb-101", url="https://kb.example/101"),
        ("1. Open the terminal of the sync agent.", 0.8),
        ("2. Restart the sync agent like this:", 0.88),
        (block, 0.7),
        ("3. Wait for the green light of the agent.", 0.8),
    )


@pytest.fixture
def desk(peer: SlackPeer, redis_link: RedisLink, redis_keys: Keyspace) -> ButtonDesk:
    """Give a desk whose passages the tests choose."""
    return ButtonDesk(peer, redis_link, redis_keys)


def _fences(posts: list[Post]) -> list[tuple[str, str]]:
    tokens = [token for post in posts for token in MarkdownIt().parse(post.blocks[0]["text"])]
    return [(token.info, token.content) for token in tokens if token.type == "fence"]


@pytest.mark.parametrize("lines", [200, 600])
async def test_a_script_of_any_length_stays_code_in_order(desk: ButtonDesk, lines: int) -> None:
    """5,000 and 15,000 characters: whole, in order, with indentation and language; sources and buttons on the last part alone."""
    code = [f"{'    ' * (n % 3)}echo step {n} of all" for n in range(lines)]
    desk.passages = (_with("\n".join(["```sh", *code, "```"])),)
    await desk.ask(QUESTION)
    posts = desk.peer.posts
    assert len(posts) == (2 if lines == 600 else 1)
    fences = _fences(posts)
    assert {info for info, _ in fences} == {"sh"}
    assert "".join(content for _, content in fences).splitlines() == code
    assert all(len(post.blocks[0]["text"]) <= LIMIT for post in posts)
    assert {post.thread_ts for post in posts} == {posts[0].thread_ts}
    assert ["**Sources**" in post.shown for post in posts] == [False] * (len(posts) - 1) + [True]
    assert ["Useful" in labels(post) for post in posts] == [False] * (len(posts) - 1) + [True]


async def test_a_table_is_aligned_below_its_step(desk: ButtonDesk) -> None:
    """Three columns, six rows, an empty cell, links written out: no raw pipes; the steps around it keep their order."""
    desk.passages = (_with(TABLE),)
    shown = (await desk.ask(QUESTION)).shown
    ((_, content),) = _fences(desk.peer.posts)
    rows = content.splitlines()
    assert (len(rows), "|" in content) == (8, False)
    assert rows[3].split() == ["read", "2", "2"]
    assert shown.index("like this:") < shown.index("setting") < shown.index("3. Wait")


async def test_a_table_that_is_too_wide_becomes_a_list(desk: ButtonDesk) -> None:
    """A cell of eighty characters: a line a row, with the names of its columns."""
    desk.passages = (_with(f"| setting | meaning |\n|---|---|\n| read | {'long words ' * 8}|"),)
    shown = (await desk.ask(QUESTION)).shown
    assert "|" not in shown
    assert "setting: read; meaning: long words" in shown


async def test_a_question_delivered_thrice_is_answered_once(desk: ButtonDesk) -> None:
    """Three deliveries before, and three after, the answer: acknowledged each time, one search, one post."""
    desk.passages = (SYNC,)
    body = event_body(mention("why does sync fail with error 500?"))
    for _ in range(2):
        for _delivery in range(3):
            assert (await desk.event(body)).status_code == 200
        await desk.work()
    assert len(desk.peer.posts) == 1
    assert [len(turns) for turns in desk.threads.kept.values()] == [1]
