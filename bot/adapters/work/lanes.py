"""Runs jobs: one at a time within a thread, many threads at once; tries again, gives up, and says which."""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar
from zlib import crc32

from bot.adapters.work.leases import Lease, Leases
from bot.adapters.work.stream import Job, LeaseLost, WorkStreams
from bot.errors import PlatformUnavailable, StateUnavailable, WorkTaken
from bot.messages import AcceptedMessage, MessageId
from bot.pace import Pace
from bot.ports import Handler

T = TypeVar("T")
ALONE_FROM = 3  # starts
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and how long a message is tried. Times are seconds.

    Failures that pass by themselves (platform or Redis away) are tried again until the message is `max_age_s` old.
    Others, and workers that died over the message, count up to `max_starts`. `concurrency` questions are in work at
    once (they mostly wait, for the model and for platforms), `backlog` are taken in; who waits longer than
    `told_after_s` is told. From `most_waiting` in the queue on a new one is refused with a word, from twice as many on
    it is not taken in.
    """

    first_pause_s: float = 0.5
    longest_pause_s: float = 60.0
    max_starts: int = 8
    max_age_s: float = 3_600.0
    handle_limit_s: float = 180.0
    concurrency: int = 256
    backlog: int = 1_000
    told_after_s: float = 15.0
    most_waiting: int = 10_000

    def pause_s(self, failures: int, *, seed: str, at_least_s: float = 0.0) -> float:
        """Give the pause after so many failures in a row: doubling, spread by up to a half, never under what was told."""
        doubled = min(self.first_pause_s * 2.0 ** min(failures - 1, 16), self.longest_pause_s)
        return max(doubled * (1 + crc32(seed.encode()) % 512 / 1024), at_least_s)


class Lanes:
    """Jobs in work and waiting, a queue for each thread."""

    def __init__(
        self,
        streams: WorkStreams,
        handle: Handler,
        policy: RetryPolicy,
        *,
        on_given_up: Handler | None = None,
        pace: Pace | None = None,
    ) -> None:
        self._streams = streams
        self._handle = handle
        self._on_given_up = on_given_up
        self._policy = policy
        self._slots = asyncio.Semaphore(policy.concurrency)
        self._alone = asyncio.Lock()
        self._pace = pace or Pace()
        self._waiting: dict[tuple[str, str], deque[Job]] = {}
        self._tasks: dict[tuple[str, str], asyncio.Task[None]] = {}
        self._known: dict[tuple[str, str], Job] = {}
        self._begun: dict[MessageId, Job] = {}
        self._told: set[tuple[str, str]] = set()
        self._is_stopping = asyncio.Event()
        self._changed = asyncio.Event()

    @property
    def room(self) -> int:
        """How many more jobs may be taken in."""
        return max(self._policy.backlog - len(self._known), 0)

    def job_of(self, message_id: MessageId) -> Job | None:
        """Give the job of a message that is in work here."""
        return self._begun.get(message_id)

    def is_restart(self, message_id: MessageId) -> bool:
        """Tell whether an earlier start of a message that is in work here never came to an end."""
        job = self.job_of(message_id)
        return job is not None and job.starts > 1

    def longest_waiting(self) -> AcceptedMessage | None:
        """Give the question that has waited longest without a start and was not given before; None when all is young."""
        for known, job in self._known.items():  # in the order in which they came
            message = job.message
            if message is None or known in self._told or job.age_s() < self._policy.told_after_s:
                continue
            self._told.add(known)
            if message.message_id not in self._begun:
                return message
        return None

    def add(self, job: Job) -> None:
        """Put a job behind the others of its thread; one that is here already is left alone."""
        known = (job.lease.token, job.entry_id)
        if known in self._known or self._is_stopping.is_set():
            return
        self._known[known] = job
        self._waiting.setdefault(job.lane, deque()).append(job)
        if job.lane not in self._tasks:
            task = self._tasks[job.lane] = asyncio.create_task(self._run_lane(job.lane))
            task.add_done_callback(partial(self._close_lane, job.lane))

    def is_idle(self, lease: Lease) -> bool:
        """Whether nothing of this lease is in work or waiting."""
        return not any(token == lease.token for token, _ in self._known)

    def cancel_lost(self, leases: Leases) -> None:
        """Stop everything whose lease is lost."""
        lost = {job.lease.token for job in self._known.values() if not leases.is_held(job.lease)}
        for (token, _), task in list(self._tasks.items()):
            if token in lost:
                task.cancel()

    async def changed(self, timeout_s: float) -> None:
        """Wait until some job is over, at most so long."""
        self._changed.clear()
        await _first(self._changed, timeout_s)

    async def drain(self, timeout_s: float) -> None:
        """Begin nothing more, wait for what is in work, then stop it and take its starts back."""
        self._is_stopping.set()
        if self._tasks:
            await asyncio.wait(set(self._tasks.values()), timeout=timeout_s)
        cut_short = list(self._begun.values())
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for job in cut_short:
            try:
                await self._streams.retry_later(job)
            except (StateUnavailable, LeaseLost):
                break

    async def _run_lane(self, lane: tuple[str, str]) -> None:
        waiting = self._waiting[lane]
        try:
            while waiting and not self._is_stopping.is_set() and _is_open(waiting[0].lease):
                try:
                    await self._run(waiting[0])
                except LeaseLost:
                    waiting[0].lease.doubt()
                    break
                job = waiting.popleft()
                self._forget(job)
        finally:
            self._close_lane(lane, asyncio.current_task())

    def _close_lane(self, lane: tuple[str, str], task: "asyncio.Task[None] | None") -> None:
        """Let go of what is left of a lost or leaving lease: its next holder takes it from the stream.

        A lane ends by itself; one that is cancelled before its first step is closed by its task.
        """
        if self._tasks.get(lane) is not task:
            return
        for job in self._waiting.pop(lane):
            self._forget(job)
        del self._tasks[lane]

    def _forget(self, job: Job) -> None:
        self._known.pop((job.lease.token, job.entry_id), None)
        self._told.discard((job.lease.token, job.entry_id))
        self._changed.set()

    async def _run(self, job: Job) -> None:
        """Bring one job to its end: done, buried, or left to the next holder of the lease."""
        failures = 0
        while not self._is_stopping.is_set() and _is_open(job.lease):
            pause_s = await self._attempt(job, failures + 1)
            if pause_s is None:
                return
            failures += 1
            await _first(self._is_stopping, pause_s)

    async def _attempt(self, job: Job, attempt: int) -> float | None:
        """Handle once; give the pause before the next attempt, None when there is none.

        A question over which workers died twice is handled alone: if it is what kills them, no other dies with it again.
        """
        async with self._slots:
            await self._pace.turn()
            starts = await self._insist(lambda: self._streams.begin(job))
            if starts < ALONE_FROM or job.message is None:
                return await self._started(job, starts, attempt)
            await self._insist(lambda: self._streams.retry_later(job))
        async with self._alone, self._slots:
            starts = await self._insist(lambda: self._streams.begin(job))
            return await self._started(job, starts, attempt)

    async def _started(self, job: Job, starts: int, attempt: int) -> float | None:
        if job.message is None or starts > self._policy.max_starts:
            await self._bury(job, "unreadable" if job.message is None else "too many starts")
            return None
        self._begun[job.message.message_id] = replace(job, starts=starts)
        try:
            error = await self._handled(job.message)
        finally:
            self._begun.pop(job.message.message_id, None)
        return await self._settle(job, error, attempt)

    async def _settle(self, job: Job, error: BaseException | None, attempt: int) -> float | None:
        assert job.message is not None
        if error is None:
            await self._insist(lambda: self._streams.done(job))
            return None
        if isinstance(error, WorkTaken):
            raise LeaseLost from error
        told = error.retry_after_s or 0.0 if isinstance(error, PlatformUnavailable) else 0.0
        logger.warning(
            "message failed",
            extra={"message_id": job.message.message_id, "error": type(error).__name__, "attempt": attempt},
        )
        if isinstance(error, PlatformUnavailable | StateUnavailable):
            if job.age_s() > self._policy.max_age_s:
                await self._bury(job, f"too old: {type(error).__name__}")
                return None
            if isinstance(error, StateUnavailable):
                await self._insist(lambda: self._streams.note_post(job))
            await self._insist(lambda: self._streams.retry_later(job))
        return self._policy.pause_s(attempt, seed=job.entry_id, at_least_s=told)

    async def _handled(self, message: AcceptedMessage) -> BaseException | None:
        """Run the handler as a task of its own: whatever it raises is looked at, and ends nobody else's work."""
        task = asyncio.ensure_future(self._handle(message))
        try:
            await asyncio.wait({task}, timeout=self._policy.handle_limit_s)
        finally:
            if not task.done():
                task.cancel()
                await asyncio.wait({task}, timeout=1.0)
            if task.done() and not task.cancelled():
                task.exception()  # looked at, also when we are cancelled: the loop would report it with a traceback
        if not task.done() or task.cancelled():
            return TimeoutError("the handler did not end")
        return task.exception()

    async def _bury(self, job: Job, reason: str) -> None:
        logger.error("message given up", extra={"entry": job.entry_id, "reason": reason})
        if job.message is not None and self._on_given_up is not None:
            telling = asyncio.ensure_future(self._on_given_up(job.message))
            await asyncio.wait({telling}, timeout=self._policy.told_after_s)
            if not telling.done() or telling.cancelled() or telling.exception() is not None:
                telling.cancel()
                logger.warning("asker not told", extra={"message_id": job.message.message_id})
        await self._insist(lambda: self._streams.bury(job, reason=reason))

    async def _insist(self, step: Callable[[], Awaitable[T]]) -> T:
        """Repeat a step until Redis is there."""
        failures = 0
        while True:
            try:
                return await step()
            except StateUnavailable:
                failures += 1
                await asyncio.sleep(min(0.1 * failures, 1.0))


def _is_open(lease: Lease) -> bool:
    return not (lease.is_leaving or lease.is_doubted)


async def _first(event: asyncio.Event, timeout_s: float) -> None:
    try:
        async with asyncio.timeout(timeout_s):
            await event.wait()
    except TimeoutError:
        return
