"""One bot of the chaos runs: receiver, worker or both, on real parts, with a hash encoder; may die or wait at a step."""

import asyncio
import os
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from uuid import uuid4

from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.model.chat import AnthropicChat, ChatOptions
from bot.adapters.slack import (
    CatchUp,
    SlackNotes,
    SlackParts,
    SlackPoster,
    SlackPreparer,
    SlackSocket,
    Streams,
    build_client,
    build_slack_app,
    mount_slack,
    slack_rules,
)
from bot.adapters.store.client import RedisLink
from bot.adapters.store.history import RedisThreadStore
from bot.adapters.store.intake_record import IntakeRecord
from bot.adapters.store.keys import Keyspace
from bot.adapters.store.post_notes import RedisPostNotes
from bot.adapters.web.listeners import Listener, bare_application, bind
from bot.adapters.work.queue import RedisWorkQueue
from bot.bootstrap import SystemClock
from bot.bootstrap.old_heap import old_heap
from bot.bootstrap.services import Service, run_services
from bot.flow import FlowLimits, Ports
from bot.messages import Platform
from bot.passage_source import ThreadedPassageSource
from bot.pipeline import Pipeline
from bot.worker import Worker
from retrieval.dense import load_encoder
from retrieval.language import language_of
from retrieval.redaction import Redactor
from retrieval.retriever import Retriever
from tests.chaos.door_stages import DoorStages, TimedRedactor, in_redis
from tests.fakes import HashEncoder
from tests.peers.anthropic_api import KEY
from tests.peers.slack_api import APP_TOKEN, BOT_TOKEN
from tests.peers.slack_payloads import SECRET

Tell = Callable[..., None]


@dataclass(frozen=True, slots=True)
class BotOptions:
    """What one bot does. `stop_at` is a step that it dies at, or with `holds` waits at until the file `release` exists.

    With `models` the real encoder is loaded from that folder. A step is `before NAME` or `after NAME` of a script, command or Slack call; `armed` must exist for it to count.
    """

    name: str
    redis: str
    prefix: str
    slack: str
    index: str
    folder: str
    receives: bool = True
    works: bool = True
    lease_s: float = 0.6
    stop_at: str = ""
    holds: bool = False
    models: str = ""
    model: str = ""
    citations: Literal["auto", "on"] = "on"
    model_timeout_s: float = 12.0
    has_socket: bool = True
    ping_s: float = 5.0
    streams: bool = False
    is_early: bool = False
    gap_s: float = 120.0
    beat_s: float = 0.5


class Steps:
    """Counts nothing until armed; then ends or holds the process the first time that it comes to its step."""

    def __init__(self, options: BotOptions, tell: Tell) -> None:
        self._options = options
        self._tell = tell
        self._is_done = not options.stop_at

    async def reach(self, step: str) -> None:
        """Come to a step."""
        options = self._options
        if self._is_done or step != options.stop_at or not os.path.exists(f"{options.folder}/armed"):  # noqa: ASYNC240, PTH110
            return
        self._is_done = True
        self._tell(name=options.name, at=step)
        if not options.holds:
            os.kill(os.getpid(), signal.SIGKILL)
        while not os.path.exists(f"{options.folder}/release-{options.name}"):  # noqa: ASYNC110, ASYNC240, PTH110
            await asyncio.sleep(0.005)


class SteppedLink(RedisLink):
    """A connection whose scripts and commands are steps, by the first words of their first line."""

    steps: Steps

    async def run(self, script: str, keys: Sequence[str], args: Sequence[str | float] = ()) -> Any:
        """Run a script between two steps; reading counts only when something was read."""
        name = SCRIPTS.get(script, "")
        await self.steps.reach(f"before {name}")
        answer = await in_redis(super().run(script, keys, args))
        if name != "READ" or answer:
            await self.steps.reach(f"after {name}")
        return answer

    async def execute(self, *command: str | float) -> Any:
        """Run a command between two steps."""
        await self.steps.reach(f"before {command[0]}")
        answer = await super().execute(*command)
        await self.steps.reach(f"after {command[0]}")
        return answer


def _scripts() -> dict[str, str]:
    from bot.adapters.store import scripts

    names = ("ENQUEUE", "READ", "SWEEP", "BEGIN", "POSTED", "BEGIN_POST", "MARK_POSTED", "REMEMBER", "DONE")
    return {getattr(scripts, name): name for name in names}


SCRIPTS = _scripts()


def _stepped(client: AsyncWebClient, steps: Steps) -> AsyncWebClient:
    calling = client.api_call

    async def api_call(api_method: str, **arguments: Any) -> Any:
        await steps.reach(f"before {api_method}")
        answer = await calling(api_method, **arguments)
        await steps.reach(f"after {api_method}")
        return answer

    client.api_call = api_call  # type: ignore[method-assign]
    return client


async def serve(options: BotOptions, tell: Tell) -> None:
    """Serve until SIGTERM."""
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    steps, redactor, clock, stages = Steps(options, tell), TimedRedactor(), SystemClock(), DoorStages()
    link, keys = SteppedLink(options.redis), Keyspace(options.prefix, 16)
    link.steps = steps
    queue, threads = RedisWorkQueue(link, keys, lease_s=options.lease_s), RedisThreadStore(link, keys)
    client = _stepped(build_client(BOT_TOKEN, base_url=options.slack), steps)
    services = [Service("lag", lambda: _watch_lag(options, tell, stages))]
    told: dict[str, str] = {}
    async with AsyncExitStack() as stack:
        if options.works:
            working = SteppedLink(options.redis)  # as the product: connections of its own
            working.steps = steps
            stack.push_async_callback(working.close)
            services.append(await _worker(options, (working, keys), client, stack))
        if options.receives:
            parts = SlackParts(queue, threads, redactor, clock)
            slack = build_slack_app(client, parts, signing_secret=SECRET, rules=slack_rules())
            web = bare_application([])
            mount_slack(web, slack)
            listener = Listener(stages.around(web), bind("127.0.0.1", 0, first_tried=0, setting=""))
            told["address"] = listener.address
            socket = SlackSocket(slack, app_token=APP_TOKEN, ping_interval_s=options.ping_s)
            record = IntakeRecord(link, keys, platform="slack", me=uuid4().hex, gap_s=options.gap_s)
            catch_up = CatchUp(slack, parts, rules=slack_rules(), record=record)
            services += [
                Service("identity", lambda: _learn(slack)),
                Service("listener", listener.serve_bound),
                Service("catch-up", lambda: catch_up.serve(lambda: True, beat_s=options.beat_s)),
                *([Service("socket", socket.serve)] if options.has_socket else []),
            ]
        tell(name=options.name, ready=True, **told)
        with old_heap():
            await run_services(services, stop)
    await link.close()


async def _worker(
    options: BotOptions, redis: tuple[RedisLink, Keyspace], client: AsyncWebClient, stack: AsyncExitStack
) -> Service:
    link, keys = redis
    # The grace for another worker's mark is two seconds to a lease of three: shortened alike.
    grace_s = options.lease_s * 2 / 3
    queue = RedisWorkQueue(link, keys, lease_s=options.lease_s, post_grace_s=grace_s)
    threads = RedisThreadStore(link, keys)
    redactor, clock = Redactor(), SystemClock()
    model = None
    if options.model:
        model = AnthropicChat(
            ChatOptions(
                api_key=KEY, base_url=options.model, citations=options.citations, timeout_s=options.model_timeout_s
            ),
            redactor=redactor,
        )
        await model.warm()  # as the product does before it takes work
        stack.push_async_callback(model.close)
    notes = RedisPostNotes(link, keys)
    streams = Streams(client, notes, clock, is_early=options.is_early) if options.streams else None
    encoder = load_encoder("", data_dir=Path(options.models), device="cpu") if options.models else HashEncoder()
    source = ThreadedPassageSource(Retriever.open(Path(options.index), encoder=encoder))
    stack.push_async_callback(source.close)
    limits = FlowLimits(model_timeout_s=options.model_timeout_s, answer_within_s=options.model_timeout_s + 2)
    ports = Ports(
        source,
        lambda text: redactor.redact(text).text,
        clock,
        threads,
        model=model,
        language_of=language_of,
        limits=limits,
        go_on=queue.pace.go_on,
    )
    worker = Worker(
        queue,
        Pipeline(ports),
        store=threads,
        posters={Platform.SLACK: SlackPoster(client, clock=clock, streams=streams)},
        prepare={Platform.SLACK: SlackPreparer(client, redactor=redactor, clock=clock)},
    )
    worker.pace_posts(queue.pace)
    return Service("worker", lambda: worker.run(notes={Platform.SLACK: SlackNotes(client)}))


async def _learn(slack: Any) -> None:
    await slack.identity.learn()
    await asyncio.Event().wait()


async def _watch_lag(options: BotOptions, tell: Tell, stages: DoorStages) -> None:
    """Tell once a second how long the event loop was blocked at most, and how much memory the process has."""
    parent = os.getppid()
    with suppress(asyncio.CancelledError):
        while True:
            if os.getppid() != parent:  # nobody is left to kill us
                os._exit(1)
            until, worst = time.monotonic() + 1.0, 0.0
            while time.monotonic() < until:
                began = time.monotonic()
                await asyncio.sleep(0.01)
                worst = max(worst, time.monotonic() - began - 0.01)
            tell(name=options.name, lag_ms=round(worst * 1000), rss_mb=_rss_mb(), acks=stages.taken())


def _rss_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 1e6, 1)
