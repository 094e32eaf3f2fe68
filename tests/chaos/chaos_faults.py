"""Slack, Redis and the model fail in every listed way; half an hour without intake."""

import asyncio
import time

import pytest

from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import Keyspace
from tests.chaos.bots import until
from tests.chaos.harness import ANSWER, IS_FULL, QUESTION, Stage, at_once
from tests.peers.anthropic_api import Fault as ModelFault
from tests.peers.anthropic_api import anthropic_peer
from tests.peers.slack_api import SlackPeer
from tests.peers.slack_payloads import Json, event_body, mention, next_ts
from tests.peers.slack_posts import Fault

pytestmark = pytest.mark.parametrize("own_redis_server", ["redis"], indirect=True)

PASSING = [
    Fault(status=429, error="ratelimited", retry_after="1", times=3),
    Fault(error="ratelimited", times=2),
    Fault(status=500, times=3),
    Fault(status=503, times=2),
    Fault(status=500, is_done=True),
    Fault(is_done=True, is_cut=True),
    Fault(is_done=True, is_held=True),
]
FINAL = ["channel_not_found", "thread_not_found", "is_archived"]
MISSED = 200
# How long a failing model may hold an answer: the default bound on its calls, and what quoting takes.
WITHIN_S = 15.0
MODEL_FAULTS = [
    *(ModelFault("status", status, "0.1") for status in (429, 500, 529)),
    ModelFault("status", 429, "3600"),
    *(ModelFault(kind) for kind in ("stall", "cut", "early_end", "no_stop", "error_event", "empty", "refusal", "max_tokens")),
]  # fmt: skip


async def test_slack_fails_and_recovers(chaos: Stage) -> None:
    """Each failure that passes, the post's outcome unknown among them: one answer in the end; a final no is an end."""

    async def fail(case: tuple[Fault, list[str]]) -> None:
        fault, shown = case
        async with SlackPeer() as peer, chaos.corner(peer) as here:
            await here.start("all", has_socket=False)
            peer.faults["chat.postMessage"] = fault
            event = mention(QUESTION)
            assert await here.ask(event)
            await here.settled(60)
            assert len(here.replies(event)) == len(shown), fault
            assert all(words in said for words, said in zip(shown, here.replies(event), strict=True))
            assert await here.buried() == 0

    cases = [*((fault, [ANSWER]) for fault in PASSING), *((Fault(error=error), list[str]()) for error in FINAL)]
    await at_once(cases, fail, most=len(cases))
    print(f"\nSlack: {len(PASSING)} passing faults, each question answered once; {len(FINAL)} final ones ended")


async def test_sockets_close_refresh_and_go_dumb(chaos: Stage) -> None:
    """Over closed, refreshed and half-open sockets, with an answer under way each time: every question once."""
    await chaos.start("all", ping_s=0.5)
    await chaos.peer.connected()
    events: list[Json] = []

    async def told(event: Json) -> None:
        events.append(event)
        assert await chaos.send(event_body(event))

    for disturb in (chaos.peer.close_sockets, chaos.peer.refresh, chaos.peer.close_sockets):
        await told(mention(QUESTION))
        await disturb()
        await told(mention(QUESTION))
    chaos.peer.is_mute = True
    silent = chaos.peer.sockets[-1]
    await until(lambda: silent not in chaos.peer.sockets or silent.closed, 60)
    chaos.peer.is_mute = False
    await told(mention(QUESTION))
    await chaos.settled()
    assert chaos.books(events) == (0, 0, True)
    print(f"\nsockets closed, refreshed, half-open: {len(events)} questions, lost 0, doubled 0")


async def test_half_an_hour_without_intake(chaos: Stage) -> None:
    """The record says that nothing came in for half an hour; 200 mentions of that time are answered late, once each."""
    chaos.new_prefix()
    link, keys = RedisLink(chaos.server.url), Keyspace(chaos.prefix, 16)
    await link.execute("HSET", keys.of_all("intake-slack"), "seen", repr(time.time() - 1_800))
    await link.close()
    events = [mention(QUESTION, ts=next_ts(1_790 - 8 * n)) for n in range(MISSED)]
    old = mention(QUESTION, ts=next_ts(3_700))
    chaos.peer.said += [old, *events]
    chaos.peer.faults["conversations.history"] = Fault(status=429, error="ratelimited", retry_after="1", times=3)
    redelivered = [event_body(event) for event in events[-20:]]
    began = time.monotonic()
    for n in range(2):
        await chaos.start(f"all-{n}", has_socket=False)
    assert all(await asyncio.gather(*(chaos.ask(b["event"], body=b) for b in redelivered)))
    await until(lambda: len(chaos.peer.posts) >= MISSED, 120)
    await chaos.settled()
    lost, doubled, _ = chaos.books(events)
    late = sum("out of reach" in chaos.replies(event)[0] for event in events if chaos.replies(event))
    print(
        f"\n30 minutes without intake, {MISSED} mentions: lost {lost}, doubled {doubled}, {late} marked late, "
        f"all answered after {time.monotonic() - began:.1f} s"
    )
    assert (lost, doubled, chaos.replies(old)) == (0, 0, [])
    assert late >= MISSED - len(redelivered)


@pytest.mark.parametrize("how", ["slow", "full", "gone"])
async def test_redis_is_slow_full_or_gone_for_a_while(chaos: Stage, how: str) -> None:
    """While Redis hangs, refuses writes or is away nothing is acknowledged falsely; afterwards all is answered once."""
    await chaos.start("door", works=False, has_socket=False)
    await chaos.start("worker", receives=False)
    link = RedisLink(chaos.server.url)
    before, during = [[mention(QUESTION) for _ in range(20)] for _ in range(2)]
    asking = [asyncio.create_task(chaos.ask(event)) for event in before]
    await asyncio.sleep(0.05)
    if how == "slow":
        chaos.server.pause()
    elif how == "full":
        await link.execute("CONFIG", "SET", "maxmemory", "1mb")
    else:
        chaos.server.kill()
    asking += [asyncio.create_task(chaos.ask(event)) for event in during]
    await asyncio.sleep(2.0)
    if how == "slow":
        chaos.server.resume()
    elif how == "full":
        await link.execute("CONFIG", "SET", "maxmemory", "0")
    else:
        chaos.server.start()
    back = time.monotonic()
    heard = await asyncio.gather(*asking)
    await chaos.settled()
    await link.close()
    events = [event for event, was_heard in zip(before + during, heard, strict=True) if was_heard]
    lost, doubled, _ = chaos.books(events)
    print(
        f"\nRedis {how} for 2 s: {len(events)} of 40 acknowledged, lost {lost}, doubled {doubled}, whole after {time.monotonic() - back:.1f} s"
    )
    assert (len(events), lost, doubled) == (40, 0, 0)


async def test_the_model_fails_in_every_way(chaos: Stage) -> None:
    """Each fault of the model, several questions at once: the right source is named within 15 s."""
    took_s: list[float] = []

    async def fail(fault: ModelFault) -> None:
        async with anthropic_peer() as model, chaos.corner() as here:
            await here.start("all", has_socket=False, model=model.url)
            model.always = fault
            events = [mention(QUESTION) for _ in range(10)]
            began = time.monotonic()
            assert all(await asyncio.gather(*(here.ask(event) for event in events)))
            await until(lambda: all(here.replies(event) for event in events), 60)
            took_s.append(time.monotonic() - began)
            assert all("kb-101" in here.replies(event)[0] for event in events), fault

    await at_once(MODEL_FAULTS if IS_FULL else MODEL_FAULTS[2:8], fail, most=3)
    print(f"\nmodel failing: all answered with the right id, the slowest after {max(took_s):.1f} s")
    assert max(took_s) < WITHIN_S
