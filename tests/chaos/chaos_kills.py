"""kill -9 of workers, receivers and Redis, at every step of a question's life and at random moments."""

import asyncio
import os
import random
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.chaos.bots import Bot, until
from tests.chaos.harness import ANSWER, IS_FULL, QUESTION, Stage, at_once
from tests.peers.anthropic_api import anthropic_peer
from tests.peers.anthropic_stubs import Ask, Blocks
from tests.peers.slack_payloads import Json, event_body, mention, twin_of

pytestmark = pytest.mark.parametrize("own_redis_server", ["redis"], indirect=True)

# Every call that a question causes, in its order; READ counts when it delivers something, GET and SET are of others.
WORKER_STEPS = [
    "after READ", "before BEGIN", "after BEGIN", "before POSTED", "after POSTED", "before MGET", "after MGET",
    "before LRANGE", "after LRANGE", "before HGET", "after HGET", "before BEGIN_POST", "after BEGIN_POST",
    "before chat.startStream", "after chat.startStream", "before chat.appendStream", "after chat.appendStream",
    "before chat.stopStream", "after chat.stopStream", "before chat.postMessage", "after chat.postMessage", "before MARK_POSTED", "after MARK_POSTED",
    "before REMEMBER", "after REMEMBER", "before DONE", "after DONE",
]  # fmt: skip
# Calls that come once the first sentence of a model is there, in their order.
EARLY_STEPS = [
    "before BEGIN_POST", "after BEGIN_POST", "before chat.startStream", "after chat.startStream", "before chat.appendStream",
    "after chat.appendStream", "before chat.stopStream", "after chat.stopStream", "before MARK_POSTED", "after MARK_POSTED",
]  # fmt: skip
RECEIVER_STEPS = ["before ENQUEUE", "after ENQUEUE"]
RANDOM_KILLS = int(os.environ.get("CHAOS_KILLS", "1000" if IS_FULL else "0"))
THREADS = 20 if IS_FULL else 6
AT_ONCE = 5  # cases side by side on two cores
RECOVERY_S = 10.0
ROUND = 100  # kills after which the queue is let run empty and the books are read
# People do not ask 900 questions in one thread, nor thousands more than are answered: an unbounded run measures its own peer.
QUESTIONS_A_THREAD, IN_FLIGHT = 25, 60
LEASE_S = 2.0  # a shorter one is lost on a busy machine without any kill, and every loss counts as a death


@dataclass(slots=True)
class Talk:
    """What was asked in all threads: acknowledged events, time stamps of the others, and whether to stop."""

    events: list[Json] = field(default_factory=list)
    unheard: list[str] = field(default_factory=list)
    is_over: asyncio.Event = field(default_factory=asyncio.Event)


async def _one(chaos: Stage, event: Json) -> None:
    """Exactly one answer stands, the queue is empty, and nothing was given up."""
    await until(lambda: len(chaos.replies(event)) >= 1, 20)
    await chaos.settled()
    assert len(chaos.replies(event)) == 1
    assert ANSWER in chaos.replies(event)[0]
    assert await chaos.buried() == 0


async def test_a_worker_dies_at_every_step(chaos: Stage) -> None:
    """At whichever call the worker dies: one answer within 10 s of the next worker being there, none doubled."""
    took_s: list[float] = []

    async def die(step: str) -> None:
        async with chaos.corner() as here:
            await here.start("door", works=False, has_socket=False)
            streams = "Stream" in step
            await _killed_at(here, step, streams=streams)
            began = time.monotonic()
            await here.start("heir", receives=False, streams=streams)
            await _one(here, here.asked[0])
            took_s.append(time.monotonic() - began)

    await at_once(WORKER_STEPS, die, most=AT_ONCE)
    print(
        f"\nworker killed at {len(took_s)} steps: lost 0, doubled 0, slowest answer after {max(took_s):.2f} s, {AT_ONCE} at once"
    )
    assert max(took_s) < RECOVERY_S


async def _killed_at(here: Stage, step: str, **options: Any) -> None:
    """Ask, and have the worker that answers die at a step."""
    doomed = await here.start("doomed", receives=False, stop_at=step, **options)
    here.arm()
    event = mention(QUESTION)
    here.asked.append(event)
    assert await here.ask(event)
    await until(lambda: doomed.ended is not None, 30)
    assert doomed.at == step
    here.disarm()


async def test_a_worker_dies_while_the_model_writes(chaos: Stage) -> None:
    """Killed at any call between a model's first words and the end of their stream: the next worker's answer takes its message."""

    async def slowly(_said: str) -> None:
        await asyncio.sleep(0.01)

    async def die(step: str) -> None:
        async with chaos.corner() as here:
            await here.start("door", works=False, has_socket=False)
            options: dict[str, Any] = {"streams": True, "is_early": True, "model": model.url}
            await _killed_at(here, step, **options)
            await here.start("heir", receives=False, **options)
            await _one(here, here.asked[0])

    async with anthropic_peer() as model:
        model.stub, model.on_piece = _in_three_sentences, slowly
        await at_once(EARLY_STEPS, die, most=AT_ONCE)
    # Every doomed worker read a stream, and every heir that found a note of it asked in one piece.
    streamed = [bool(body.get("stream")) for body in model.bodies]
    assert streamed.count(True) >= len(EARLY_STEPS)
    assert streamed.count(False) >= len(EARLY_STEPS) - 3
    print(f"\nworker killed at {len(EARLY_STEPS)} steps while the model writes: lost 0, doubled 0")


def _in_three_sentences(ask: Ask) -> Blocks:
    said = ask.best.text
    return [ask.cite(ask.best, one) for one in (said, f"Then {said[0].lower()}{said[1:]}", said)]


async def test_a_receiver_dies_at_every_step(chaos: Stage) -> None:
    """Before it stored the question or after, unacknowledged: the redelivery to another receiver makes one answer."""

    async def die(step: str) -> None:
        async with chaos.corner() as here:
            doomed = await here.start("doomed", works=False, has_socket=False, stop_at=step)
            await here.start("worker", receives=False)
            here.arm()
            event = mention(QUESTION)
            asking = asyncio.create_task(here.ask(event))
            await until(lambda: doomed.ended is not None)
            here.disarm()
            await here.start("door", works=False, has_socket=False)
            assert await asking
            await _one(here, event)

    await at_once(RECEIVER_STEPS, die, most=AT_ONCE)


@pytest.mark.parametrize("kind", ["worker", "receiver"])
async def test_redis_dies_at_every_step(chaos: Stage, kind: str) -> None:
    """Redis is killed and started again while bots stand at each call: one answer, without a restart of the bot."""
    steps = WORKER_STEPS[:: 1 if IS_FULL else 2] if kind == "worker" else RECEIVER_STEPS
    for some in (steps[n : n + AT_ONCE] for n in range(0, len(steps), AT_ONCE)):
        async with AsyncExitStack() as corners:
            held = []
            for step in some:
                here = await corners.enter_async_context(chaos.corner())
                held.append((here, *await _held_at(here, step, kind)))
            chaos.server.kill()
            for _, bot, _, _ in held:
                bot.release()
            await asyncio.sleep(0.05)
            chaos.server.start()
            for here, _, event, asking in held:
                assert await asking
                await _one(here, event)


async def _held_at(here: Stage, step: str, kind: str) -> tuple[Bot, Json, "asyncio.Task[bool]"]:
    """Ask, and have a bot wait at a step."""
    options: dict[str, Any] = {"stop_at": step, "holds": True, "streams": "Stream" in step}
    bot = await here.start("held", works=kind == "worker", receives=kind == "receiver", has_socket=False, **options)
    other = "door" if kind == "worker" else "worker"
    await here.start(other, works=other == "worker", receives=other == "door", has_socket=False)
    here.arm()
    event = mention(QUESTION)
    asking = asyncio.create_task(here.ask(event))
    await until(lambda: bot.at)
    here.disarm()
    return bot, event, asking


async def test_random_kills(chaos: Stage) -> None:
    """Under load, workers, receivers and Redis die at random moments: none lost, none doubled, threads in order (full run)."""
    if not RANDOM_KILLS:
        return
    chance = random.Random(4711)
    for n in range(4):
        await chaos.start(f"worker-{n}", receives=False, lease_s=LEASE_S)
    for n in range(2):
        await chaos.start(f"door-{n}", works=False, has_socket=False)
    talk, began, dead = Talk(), time.monotonic(), 0
    kills: Counter[str] = Counter()
    while kills.total() < RANDOM_KILLS:
        await _round(chaos, chance, talk, kills)
        dead = await chaos.buried()
        lost, doubled, in_order = chaos.books(talk.events)
        print(
            f"\n{kills.total()} random kills ({dict(kills)}) in {time.monotonic() - began:.0f} s, {len(talk.events)} questions: "
            f"lost {lost}, doubled {doubled}, not acknowledged {len(talk.unheard)}, dead letters {dead}, "
            f"order {'kept' if in_order else 'broken'}, load {os.getloadavg()[0]:.0f}",
            flush=True,
        )
        assert (lost, doubled, in_order, dead) == (0, 0, True, 0)


async def _round(chaos: Stage, chance: random.Random, talk: "Talk", kills: Counter[str]) -> None:
    """Kill a hundred times at most, then let the queue run empty, so that a long run is counted on its way."""
    talk.is_over.clear()
    talking = [asyncio.create_task(_talk(chaos, talk)) for _ in range(THREADS)]
    async for victim in _victims(chaos, chance, min(ROUND, RANDOM_KILLS - kills.total())):
        kills[victim] += 1
        await _kill(chaos, victim, chance)
    talk.is_over.set()
    await asyncio.gather(*talking)
    await chaos.settled(120)


async def _victims(chaos: Stage, chance: random.Random, count: int) -> AsyncIterator[str]:
    """Strike after a random time in which a few answers came, so that a busy machine does not kill before anything is done."""
    for _ in range(count):
        before = len(chaos.peer.posts)
        with suppress(TimeoutError):
            await until(lambda b=before: len(chaos.peer.posts) >= b + 3, 5)
        await asyncio.sleep(chance.uniform(0.0, 0.3))
        yield chance.choices(["worker", "door", "redis"], [6, 2, 1])[0]


async def _kill(chaos: Stage, victim: str, chance: random.Random) -> None:
    if victim == "redis":
        chaos.server.kill()
        await asyncio.sleep(chance.uniform(0.0, 0.3))
        chaos.server.start()
        return
    name = chance.choice([name for name in chaos.bots if name.startswith(victim)])
    bot = chaos.bots[name]
    bot.kill()
    await until(lambda: bot.ended is not None)
    is_door = victim == "door"
    await chaos.start(name, receives=is_door, works=not is_door, has_socket=False, lease_s=LEASE_S)


async def _talk(chaos: Stage, talk: Talk) -> None:
    """Ask in one thread, one question after the other, each delivered under both event types; now and then in a new one."""
    while not talk.is_over.is_set():
        root = ""
        for _ in range(QUESTIONS_A_THREAD):
            event = mention(QUESTION, **({"thread_ts": root} if root else {}))
            root = root or event["ts"]
            body, twin = event_body(event), event_body(twin_of(event))
            heard = await asyncio.gather(chaos.ask(event, body=body), chaos.ask(event, turn=1, body=twin))
            if any(heard):
                talk.events.append(event)
            else:
                talk.unheard.append(event["ts"])
            await asyncio.sleep(0.3)
            await until(lambda: talk.is_over.is_set() or len(talk.events) - len(chaos.peer.posts) <= IN_FLIGHT, 600)
            if talk.is_over.is_set():
                return
