"""The streams of the work queue: every step on a leased partition is one script that checks the lease first."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.adapters.store.client import RedisLink, StreamEntry, entries
from bot.adapters.store.keys import DEAD_LETTERS, POSTED_TTL_S, WORK_TTL_S, Keyspace
from bot.adapters.store.scripts import BEGIN, BURY, DONE, MAY_STAND, READ, RETRY_LATER, SWEEP
from bot.adapters.work.leases import Lease
from bot.errors import StateUnavailable
from bot.messages import AcceptedMessage
from bot.questions.message_json import MessageUnreadable, message_from_json

GROUP = "workers"
SWEEP_COUNT = 100


@dataclass(frozen=True, slots=True)
class Job:
    """One delivered entry under the lease that it was delivered to; `message` is None when it cannot be read.

    `starts` counts the attempts that never came to an end, and this one.
    """

    lease: Lease
    entry_id: str
    text: str
    message: AcceptedMessage | None
    starts: int = 1
    taken_at: tuple[float, float] = field(default_factory=lambda: (time.time(), time.monotonic()))

    def age_s(self) -> float:
        """Give the seconds since the question was received.

        By the wall clock until it was taken in here, then by the monotonic one: a wall clock that is set meanwhile makes no
        question old.
        """
        wall, monotonic = self.taken_at
        before = max(wall - self.message.received_at, 0.0) if self.message else 0.0
        return before + time.monotonic() - monotonic

    @property
    def lane(self) -> tuple[str, str]:
        """Names what must run one after the other: a thread under one lease."""
        return self.lease.token, self.message.thread.key if self.message else self.entry_id


class LeaseLost(Exception):
    """Redis says that another worker holds the partition now."""


class WorkStreams:
    """Delivery and bookkeeping of entries. Every method raises `LeaseLost`, or `StateUnavailable` without Redis."""

    def __init__(self, link: RedisLink, keys: Keyspace, *, worker: str) -> None:
        self._link = link
        self._keys = keys
        self._worker = worker

    async def sweep(self, lease: Lease) -> list[Job]:
        """Take over everything that was delivered and not acknowledged, oldest first; makes the group when absent."""
        # Before the first call: whoever lets go of entries while it is under way asks for another sweep, and is not overruled.
        lease.is_swept = True
        try:
            return await self._unacknowledged(lease)
        except (LeaseLost, StateUnavailable):
            lease.is_swept = False
            raise

    async def _unacknowledged(self, lease: Lease) -> list[Job]:
        jobs: list[Job] = []
        start = "0-0"
        while True:
            args: list[str | float] = [lease.token, GROUP, self._worker, start, SWEEP_COUNT, WORK_TTL_S]
            start, rows = await self._run(SWEEP, lease, ("lease", "work"), args)
            jobs += [_job(lease, entry) for entry in entries(rows)]
            if start == "0-0":
                return jobs

    async def read(self, lease: Lease, *, count: int) -> list[Job]:
        """Take up to `count` entries that nobody has had yet, oldest first."""
        rows = await self._run(READ, lease, ("lease", "work"), [lease.token, GROUP, self._worker, count])
        jobs = [_job(lease, entry) for entry in entries(rows)]
        lease.has_news = len(jobs) == count
        return jobs

    async def begin(self, job: Job) -> int:
        """Count a start and give the count: above 1, earlier starts never came to an end."""
        args: list[str | float] = [job.lease.token, job.entry_id, WORK_TTL_S]
        return int(await self._run(BEGIN, job.lease, ("lease", "tries"), args))

    async def retry_later(self, job: Job) -> None:
        """Take a start back that ended in order."""
        await self._run(RETRY_LATER, job.lease, ("lease", "tries"), [job.lease.token, job.entry_id])

    async def note_post(self, job: Job) -> None:
        """Note that the reply may stand: a start that lost Redis has posted without a note, and its worker may die yet."""
        if job.message is not None:
            key = self._keys.of_thread(job.message.thread, "posted", job.message.message_id)
            await self._link.run(MAY_STAND, [key], [job.lease.token, POSTED_TTL_S])

    async def done(self, job: Job) -> None:
        """Acknowledge and delete the entry."""
        await self._run(DONE, job.lease, ("lease", "work", "tries"), [job.lease.token, GROUP, job.entry_id])

    async def bury(self, job: Job, *, reason: str) -> None:
        """Move the entry to the dead letters."""
        args: list[str | float] = [job.lease.token, GROUP, job.entry_id, job.text, reason, DEAD_LETTERS, WORK_TTL_S]
        await self._run(BURY, job.lease, ("lease", "work", "tries", "dead"), args)

    async def news(self, leases: list[Lease]) -> None:
        """Wait up to half a second for new entries, and mark the leases that have some."""
        names = {self._keys.of(lease.partition, "work"): lease for lease in leases}
        for name in await self._link.news({name: lease.last_id for name, lease in names.items()}):
            names[name].has_news = True

    async def _run(self, script: str, lease: Lease, kinds: tuple[str, ...], args: Sequence[str | float]) -> Any:
        keys = [self._keys.of(lease.partition, kind) for kind in kinds]
        answer = await self._link.run(script, keys, args)
        if answer is None:
            raise LeaseLost
        return answer


def _job(lease: Lease, entry: StreamEntry) -> Job:
    lease.saw(entry.id)
    text = entry.fields.get("message", "")
    try:
        return Job(lease, entry.id, text, message_from_json(text))
    except MessageUnreadable:
        return Job(lease, entry.id, text, None)
