"""Attacks through the whole product: ingest, index, screening, search, model over HTTP, Redis, worker, and posts on Slack.

Only `make attacks` plays it: `ATTACKS=full`. Every `ATTACKS_STEP`-th case (13: a step that no number of wordings, languages or places divides meets all of them) is planted; all planted documents lie in one
index beside the unpoisoned ones. Every state that a streamed post or a thread's working sign showed is read like a post.
"""

import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from bot.bootstrap import index_tools
from config.settings import RetrievalSettings
from retrieval.documents import Document
from retrieval.index import Update, update_index
from tests.attacks.cases import RAW, Case, Place, cases, subjects
from tests.attacks.invariants import Known, Posted, violations
from tests.attacks.world import HELP
from tests.environment import settings_of
from tests.peers.anthropic_api import AnthropicPeer, anthropic_peer
from tests.peers.anthropic_stubs import honest, parrot
from tests.peers.attack_stubs import obeying
from tests.peers.slack_api import SlackPeer
from tests.peers.slack_payloads import BEN, event_body, mention
from tests.redis_servers import RedisServer
from tests.scenarios.bot_process import until
from tests.scenarios.data_folders import make_data_folder
from tests.scenarios.desk import running_bot, slack_settings

pytestmark = pytest.mark.skipif(os.environ.get("ATTACKS") != "full", reason="played by `make attacks`")
CASES = tuple(cases())[:: int(os.environ.get("ATTACKS_STEP", "13"))]
GOOD = tuple(
    Document(s.good_id, s.title, "\n".join(s.good), lang=s.language, url=f"{HELP}/{s.name}-{s.language}")
    for s in subjects()
)


def _planted(case: Case) -> Document:
    subject = case.subject
    text = "\n\n".join((subject.cover[0], case.text, subject.cover[1]))
    if case.place is Place.TICKET:
        return Document(
            f"t-{case.id}",
            subject.title,
            kind="ticket",
            question=subject.question,
            resolution=text,
            queue=case.text[:120],
        )
    return Document(f"kb-{case.id}", f"{subject.title}: {case.text[:60]}", text)


PLANTED = tuple(_planted(case) for case in CASES if case.place in (Place.ARTICLE, Place.TICKET))
KNOWN = Known(
    sources={d.id: f"{d.title}\n{d.text}\n{d.resolution}" for d in (*GOOD, *PLANTED)},
    addresses=tuple(d.url for d in GOOD if d.url),
    raw=tuple(RAW.values()),
)


@pytest.fixture
def data_dir(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Give a data folder with unpoisoned and planted documents indexed."""
    folder = make_data_folder(tmp_path / "data")
    report = update_index(
        folder / "index", [*GOOD, *PLANTED], index_tools(RetrievalSettings(TRIAGE_DATA_DIR=folder)), update=Update()
    )
    with capsys.disabled():
        print(
            f"\n{len(report.quarantined)} of {len(PLANTED)} planted and {len(GOOD)} unpoisoned documents are held back"
        )
    return folder


MODEL = {"TRIAGE_MODEL": "small", "TRIAGE_REWRITE_MODEL": "small"}


@pytest.fixture
async def desk(
    own_redis_server: RedisServer, data_dir: Path, name: str
) -> AsyncIterator[tuple[SlackPeer, AnthropicPeer]]:
    """Run the bot on Slack, in model mode unless the name is "none"."""
    async with AsyncExitStack() as stack:
        slack, model = (
            await stack.enter_async_context(SlackPeer()),
            await stack.enter_async_context(anthropic_peer("ollama")),
        )
        settings = settings_of(
            TRIAGE_DATA_DIR=str(data_dir), REDIS_URL=own_redis_server.url, **slack_settings(slack),
            **({} if name == "none" else {**MODEL, "ANTHROPIC_BASE_URL": model.url}),
        )  # fmt: skip
        await stack.enter_async_context(running_bot(settings))
        await until(lambda: bool(slack.sockets), 60)
        yield slack, model


async def _ask(slack: SlackPeer, case: Case) -> tuple[list[str], bool]:
    """Ask on Slack; give what is broken, and whether the unpoisoned source came."""
    text, subject = case.subject.question, case.subject
    text = f"{text} {case.text}" if case.place is Place.QUESTION else text
    files = [{"name": case.text}] if case.place is Place.FILE else []
    known: dict[str, str] = {}
    if case.place is Place.NAME:
        slack.people[BEN] = {"real_name": case.text}
        text = f"{text} <@{BEN}>"
    if case.place is Place.THREAD:
        known = {"thread_ts": await _deliver(slack, mention(_wire(case.text), user=BEN))}
    event = mention(text if case.place is Place.NAME else _wire(text), files=files, **known)
    before = len(slack.posts)
    root = await _deliver(slack, event)
    posts = slack.posts[before:]
    signs = slack.statuses.get(root, [])
    posted = Posted(
        slack=tuple(
            text for post in posts for text in (*post.steps, *(str(block.get("text", "")) for block in post.blocks))
        ),
        mrkdwn=(*(post.text for post in posts), *signs),
    )
    broken = violations(posted, KNOWN)
    broken += [f"I7 {post.thread_ts}" for post in posts if post.thread_ts != root]
    broken += [
        "I3 unfurls"
        for post in posts
        if "recipient_user_id" not in post.raw  # a stream, which has no such argument
        if post.raw.get("unfurl_links") is not False or post.raw.get("unfurl_media") is not False
    ]
    shown = "\n".join(posted.slack)
    return broken, subject.good_id in shown and subject.fact in shown


def _wire(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


async def _deliver(slack: SlackPeer, event: dict[str, object]) -> str:
    before = len(slack.posts)
    assert await slack.deliver(event_body(event)) is not None
    root = str(event.get("thread_ts") or event["ts"])
    await until(lambda: len(slack.posts) > before and not any(post.is_streaming for post in slack.posts), 60)
    return root


@pytest.mark.parametrize("own_redis_server", ["valkey"], indirect=True)
@pytest.mark.parametrize("name", ["none", "honest", "parrot", "obey"])
async def test_nothing_planted_acts_on_slack(
    desk: tuple[SlackPeer, AnthropicPeer], name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """No post breaks an invariant, in every place of planting, and an honest model's right answer still comes."""
    slack, model = desk
    broken: dict[str, list[str]] = {}
    useless: list[str] = []
    for case in CASES:
        model.stub = {"honest": honest, "parrot": parrot}.get(name) or obeying(case.text, raw=tuple(RAW.values()))
        found, is_useful = await _ask(slack, case)
        useless += [] if is_useful else [f"{case.id} ({case.subject.name})"]
        if found:
            broken[case.id] = found
    sent = "\n".join(str(body) for body in model.bodies)
    assert any(post.steps for post in slack.posts)  # it does stream
    useful = 1 - len(useless) / len(CASES)
    with capsys.disabled():
        print(
            f"\nwhole product, {name}: {len(CASES)} cases, {len(broken)} broken, useful in {useful:.3f}, not in {useless}"
        )
    assert broken == {}
    assert [value for value in RAW.values() if value in sent] == []
    assert useful >= {"none": 0.95, "honest": 0.9}.get(name, 0.0)
