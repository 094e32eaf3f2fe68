"""Many events, three times each, over both event types; ten times the load; SIGTERM under load; a slow model."""

import asyncio
import json
import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from bot.bootstrap import SAMPLE
from tests.chaos.bots import until
from tests.chaos.harness import IS_FULL, QUESTION, Stage, Watch, cpu_s
from tests.conftest import MODELS
from tests.peers.anthropic_api import anthropic_peer
from tests.peers.slack_payloads import Json, event_body, mention, twin_of

pytestmark = pytest.mark.parametrize("own_redis_server", ["redis"], indirect=True)

EVENTS = 1_000 if IS_FULL else 60
THREADS = 40 if IS_FULL else 15
BURST_S, BURST_RATE = (60.0, 100.0) if IS_FULL else (2.0, 50.0)
ACK_S, ACK_RATE = (60.0, 50.0) if IS_FULL else (2.0, 25.0)
SOAK_S = 600.0 if IS_FULL else 0.0


async def _bots(chaos: Stage, *, workers: int = 4, **options: Any) -> None:
    chaos.new_prefix()
    await chaos.start("door", works=False)
    for n in range(workers):
        await chaos.start(f"worker-{n}", receives=False, lease_s=2.0, **options)


async def test_every_event_three_times_under_both_types(chaos: Stage) -> None:
    """Each mention arrives six times, by HTTP and over the socket, out of order between threads: one answer each."""
    await _bots(chaos)
    await chaos.start("door-2", works=False)
    events: list[list[Json]] = [[] for _ in range(THREADS)]

    async def talk(thread: list[Json], count: int) -> None:
        for _ in range(count):
            event = mention(QUESTION, **({"thread_ts": thread[0]["ts"]} if thread else {}))
            thread.append(event)
            bodies = [event_body(event), event_body(twin_of(event))]
            first = chaos.ask(event, body=bodies[len(thread) % 2])
            others = [chaos.ask(event, turn=n, body=bodies[n % 2]) for n in range(3)]
            sockets = [chaos.send(bodies[n], socket=n) for n in range(2)]
            assert await first
            assert all(await asyncio.gather(*others, *sockets))

    began = time.monotonic()
    async with asyncio.TaskGroup() as talking:
        for thread in events:
            talking.create_task(talk(thread, EVENTS // THREADS))
    await chaos.settled(300)
    everything = [event for thread in events for event in thread]
    lost, doubled, in_order = chaos.books(everything)
    took_s = time.monotonic() - began
    print(f"\n{len(everything)} mentions, 6 deliveries each, 4 workers, {took_s:.0f} s: lost {lost}, doubled {doubled}")
    assert (lost, doubled, in_order) == (0, 0, True)


async def test_ten_times_the_load(chaos: Stage) -> None:
    """A burst beyond what the workers do: everything is answered in the end, in order, and memory stays bounded."""
    await _bots(chaos)
    events: list[Json] = []
    began = time.monotonic()
    asking: list[asyncio.Task[bool]] = []
    while (passed := time.monotonic() - began) < BURST_S:
        while len(asking) < passed * BURST_RATE:
            events.append(mention(QUESTION))
            asking.append(asyncio.create_task(chaos.ask(events[-1])))
        await asyncio.sleep(0.01)
    acknowledged = await asyncio.gather(*asking)
    burst_s = time.monotonic() - began
    await chaos.settled(600)
    lost, doubled, _ = chaos.books(events)
    memory = [max(bot.rss_mb) - bot.rss_mb[0] for bot in chaos.bots.values() if bot.rss_mb]
    print(
        f"\nburst of {len(events)} in {burst_s:.0f} s, drained after {time.monotonic() - began:.0f} s: lost {lost}, "
        f"doubled {doubled}, not acknowledged {acknowledged.count(False)}, memory grew by at most {max(memory):.0f} MB"
    )
    assert (lost, doubled, acknowledged.count(False)) == (0, 0, 0)


async def test_sigterm_under_load(chaos: Stage) -> None:
    """Workers that are asked to stop end what they have begun; the others take the rest; every bot ends with 0."""
    await _bots(chaos)
    events = [mention(QUESTION) for _ in range(120 if IS_FULL else 40)]
    asking = [asyncio.create_task(chaos.ask(event)) for event in events]
    for n in range(3):
        await asyncio.sleep(0.2)
        chaos.bots[f"worker-{n}"].kill(signal.SIGTERM)
    assert all(await asyncio.gather(*asking))
    await chaos.settled()
    await until(lambda: all(chaos.bots[f"worker-{n}"].ended is not None for n in range(3)), 40)
    assert [chaos.bots[f"worker-{n}"].ended for n in range(3)] == [0, 0, 0]
    assert chaos.books(events) == (0, 0, True)


async def test_acknowledged_while_the_model_is_slow(chaos: Stage) -> None:
    """Fifty events a second over a model that needs 20 s: acknowledged at once; in the full run 1 000 are in flight.

    Who asks is a process of its own: this one plays Slack and the model, and its loop stands still for a second and more.
    """
    async with anthropic_peer() as model:
        model.delay_s = 20.0 if IS_FULL else 2.0
        await _bots(chaos, model=model.url, model_timeout_s=60.0)
        before = [chaos.cpu_s("door"), chaos.cpu_s("worker"), cpu_s(os.getpid())]
        asking = asyncio.create_task(chaos.asked_at(ACK_RATE, ACK_S))
        lags = Watch()
        while not asking.done():
            began = time.perf_counter()
            await asyncio.sleep(0.01)
            lags.seconds.append(time.perf_counter() - began - 0.01)
        asked = await asking
        most = len(asked) - len(chaos.peer.posts)
        await chaos.settled(600)
        events = [one.event for one in asked]
        lost, doubled, _ = chaos.books(events)
        used = [chaos.cpu_s("door"), chaos.cpu_s("worker"), cpu_s(os.getpid())]
        door, workers, test = (round(1000 * (b - a) / len(events), 1) for a, b in zip(before, used, strict=True))
        print(
            f"\nprocessor ms for each event: door {door}, workers {workers}, this test {test}; load {os.getloadavg()[0]:.0f}"
            f"\n{len(events)} events at {ACK_RATE:g}/s over a model of {model.delay_s:g} s: acknowledged "
            f"{Watch([one.ms / 1000 for one in asked])}; {most} in flight; lost {lost}, doubled {doubled}"
        )
        for name, place in (("in the door", 0), ("of it Redis", 1), ("of it redaction", 2)):
            print(f"{name} {Watch([row[place] / 1000 for row in chaos.bots['door'].acks])}")
        print(
            f"the loop that plays Slack and the model stood still for {lags}; that of the door {max(chaos.bots['door'].lags_ms)} ms"
        )
        assert all(one.heard[-1] == "200" for one in asked), chaos.heard
        assert (lost, doubled) == (0, 0)


async def test_one_process_acknowledges_while_it_answers(chaos: Stage) -> None:
    """Twenty events a second to one process that receives and works: its answers do not hold up its acknowledgements."""
    async with anthropic_peer() as model:
        model.delay_s = 6.0 if IS_FULL else 1.0
        bot = await chaos.start("all", model=model.url, model_timeout_s=60.0, lease_s=3.0)
        asked = await chaos.asked_at(20.0, 30.0 if IS_FULL else 2.0)
        load = os.getloadavg()[0]
        await chaos.settled(300)
        first = sum(one.heard == ["200"] for one in asked)
        print(
            f"\none process, {len(asked)} events at 20/s over a model of {model.delay_s:g} s: {first} acknowledged at the first "
            f"delivery, {Watch([one.ms / 1000 for one in asked])}; its loop stood still for at most {max(bot.lags_ms)} ms; "
            f"processor ms for each event {1000 * chaos.cpu_s('all') / len(asked):.1f}; load {load:.0f}"
        )
        assert all(one.heard[-1] == "200" for one in asked), chaos.heard
        assert chaos.books([one.event for one in asked]) == (0, 0, True)


async def test_first_word(chaos: Stage) -> None:
    """From the event to the post of the verified answer, without a model, one question after the other."""
    await _bots(chaos, workers=2)
    early = [mention(QUESTION) for _ in range(8)]  # the first ones wait until the workers have taken their leases
    assert all(await asyncio.gather(*(chaos.ask(event) for event in early)))
    await chaos.settled()
    watch = Watch()
    for _ in range(200 if IS_FULL else 20):
        event = mention(QUESTION)
        with watch.timed():
            assert await chaos.ask(event)
            while not chaos.peer.thread(event["ts"]):  # noqa: ASYNC110 - the peer sets no event for it
                await asyncio.sleep(0.001)
        await asyncio.sleep(0.02)
    print(f"\nevent to first posted word: p50 {watch.at(0.5)}, p95 {watch.at(0.95)} ms")


async def test_first_word_with_the_real_encoder(chaos: Stage, sample_index: Path) -> None:
    """From the event to the post, the questions of the sample on its index with the real model of vectors, no chat model."""
    rows = [json.loads(line) for line in (SAMPLE / "questions.jsonl").read_text("utf-8").splitlines()]
    asked = [row["query"] for row in rows if row.get("answerable", True) and not row.get("previous_user_turns")]
    chaos.new_prefix()
    await chaos.start("all", has_socket=False, index=str(sample_index), models=str(MODELS))
    before, watch, words = 0.0, Watch(), asked if IS_FULL else asked[:20]
    for number, text in enumerate([*asked[:8], *words]):  # the first ones wait until the leases are taken
        if number == 8:
            before = chaos.cpu_s("all")
            watch.seconds.clear()
        event = mention(text)
        with watch.timed():
            assert await chaos.ask(event)
            while not chaos.peer.thread(event["ts"]):  # noqa: ASYNC110 - the peer sets no event for it
                await asyncio.sleep(0.001)
        await asyncio.sleep(0.02)
    used_ms = 1000 * (chaos.cpu_s("all") - before) / len(words)
    print(
        f"\nevent to first posted word, real encoder, {len(words)} questions: {watch}; "
        f"processor {used_ms:.0f} ms a question, load {os.getloadavg()[0]:.0f}"
    )


async def test_thirty_mentions_in_a_second(chaos: Stage) -> None:
    """One process that receives and works, thirty mentions at once: the longest time its event loop stood still."""
    bot = await chaos.start("all")
    await asyncio.sleep(1.5)
    bot.lags_ms.clear()
    events = [mention(QUESTION) for _ in range(30)]
    assert all(await asyncio.gather(*(chaos.ask(event) for event in events)))
    await chaos.settled()
    await until(lambda: len(bot.lags_ms) >= 2)
    print(f"\n30 mentions at once: event loop stood still for at most {max(bot.lags_ms)} ms")
    assert chaos.books(events) == (0, 0, True)


async def test_memory_over_a_soak(chaos: Stage) -> None:
    """Ten minutes of questions (full run): memory after the first minute and at the end."""
    if not SOAK_S:
        return
    await _bots(chaos, workers=2)
    began = time.monotonic()
    while time.monotonic() - began < SOAK_S:
        await chaos.ask(mention(QUESTION))
        await asyncio.sleep(0.05)
        if len(chaos.peer.posts) > 2_000:
            chaos.peer.posts.clear()
    for bot in chaos.bots.values():
        early, late = bot.rss_mb[60], max(bot.rss_mb[-30:])
        print(
            f"\n{bot.options.name}: {early} MB after a minute, {late} MB after {SOAK_S / 60:.0f}, {late / early - 1:+.1%}"
        )
        assert late < early * 1.1
