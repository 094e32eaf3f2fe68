"""Which partitions this worker may serve: renewable leases with fencing tokens, shared fairly among live workers."""

import asyncio
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import WORK_TTL_S, Keyspace
from bot.adapters.store.scripts import CHECK_IN, LEASE, RELEASE

LEASE_S = 3.0  # a dead worker's partitions are free after this
BEATS_PER_LEASE = 3


@dataclass(slots=True, eq=False)
class Lease:
    """One held partition; a lease that was lost and won again is another object with another token.

    `last_id` is the newest entry seen. `is_swept` once the entries that nobody acknowledged were taken over,
    `has_news` while there may be entries that nobody has had, `is_leaving` while the partition is to be given away,
    `is_doubted` from a step that Redis refused until the next beat tells whether the lease is lost or was only late.
    """

    partition: int
    token: str
    last_id: str = "0-0"
    is_swept: bool = False
    has_news: bool = True
    is_leaving: bool = False
    is_doubted: bool = False

    def doubt(self) -> None:
        """Take no more work before the next beat; what was let go of is taken up again if the lease is still ours."""
        self.is_doubted = True
        self.is_swept = False

    def saw(self, entry_id: str) -> None:
        """Move `last_id` forward."""
        if _order(entry_id) > _order(self.last_id):
            self.last_id = entry_id

    @property
    def fence(self) -> str:
        """The number that grows with every new holder."""
        return self.token.rpartition("#")[2]


@dataclass(slots=True)
class Leases:
    """The leases of one worker. `beat` must be called three times a lease."""

    link: RedisLink
    keys: Keyspace
    worker: str
    lease_s: float = LEASE_S
    held: dict[int, Lease] = field(default_factory=dict)
    _share: int = 0
    _was_cut_off: bool = False

    @property
    def beat_s(self) -> float:
        """Seconds between two beats."""
        return self.lease_s / BEATS_PER_LEASE

    def serving(self) -> Iterator[Lease]:
        """Give the leases from which new work is taken."""
        return (lease for lease in list(self.held.values()) if not (lease.is_leaving or lease.is_doubted))

    def is_held(self, lease: Lease) -> bool:
        """Whether this very lease is still ours, as far as is known here."""
        return self.held.get(lease.partition) is lease

    async def beat(self) -> None:
        """Renew what is held, take free partitions up to the fair share, mark what is above it as leaving.

        Raises:
            StateUnavailable: Redis is out of reach. Nothing is given up for that alone: nobody else can take it either.
        """
        was_cut_off, self._was_cut_off = self._was_cut_off, True
        await self._count_workers()
        await self._renew()
        # After an outage every worker first gets back what it had: one beat later the rest is free for all.
        if not was_cut_off:
            await self._take()
        self._was_cut_off = False
        self._mark_leaving()

    def drop(self, lease: Lease) -> None:
        """Take note that another worker has this partition."""
        if self.is_held(lease):
            del self.held[lease.partition]

    async def release(self, lease: Lease) -> None:
        """Give a partition away at once.

        Raises:
            StateUnavailable: Redis is out of reach; the lease ends by itself.
        """
        self.drop(lease)
        await self.link.run(RELEASE, [self.keys.of(lease.partition, "lease")], [lease.token])

    async def sign_off(self) -> None:
        """Give everything away, and leave the set of live workers.

        Raises:
            StateUnavailable: Redis is out of reach; the leases end by themselves.
        """
        for lease in list(self.held.values()):
            await self.release(lease)
        await self.link.execute("ZREM", self.keys.workers, self.worker)

    async def _count_workers(self) -> None:
        lease_ms = int(self.lease_s * 1000)
        alive = await self.link.run(CHECK_IN, [self.keys.workers], [self.worker, lease_ms, WORK_TTL_S])
        self._share = math.ceil(self.keys.partitions / max(int(alive), 1))

    async def _renew(self) -> None:
        held = list(self.held.values())
        # At once, so that a server that syncs its file before it answers does so once and not sixteen times a beat.
        asked = (self._ask(lease.partition, fence=lease.fence) for lease in held)
        answers = await asyncio.gather(*asked, return_exceptions=True)
        for lease, token in zip(held, answers, strict=True):
            if isinstance(token, BaseException):
                continue
            lease.is_doubted = False
            if token == lease.token:
                continue
            self.drop(lease)
            if token is not None:
                self.held[lease.partition] = Lease(lease.partition, token)
        for failed in (answer for answer in answers if isinstance(answer, BaseException)):
            raise failed

    async def _take(self) -> None:
        # Workers start at different places, so that they do not all ask for the same partition first.
        start = time.monotonic_ns() % self.keys.partitions
        for step in range(self.keys.partitions):
            if len(self.held) >= self._share:
                break
            partition = (start + step) % self.keys.partitions
            if partition not in self.held and (token := await self._ask(partition, fence="")) is not None:
                self.held[partition] = Lease(partition, token)

    async def _ask(self, partition: int, *, fence: str) -> str | None:
        keys = [self.keys.of(partition, "lease"), self.keys.of(partition, "fence")]
        holder = f"{self.worker}/{partition}"  # so that no two leases share a token: fences count for each partition
        got = await self.link.run(LEASE, keys, [holder, fence, int(self.lease_s * 1000), WORK_TTL_S])
        return None if got is None else f"{holder}#{got}"

    def _mark_leaving(self) -> None:
        for rank, lease in enumerate(self.held.values()):
            leaves = rank >= self._share
            if lease.is_leaving and not leaves:
                lease.is_swept = False  # what was let go of while leaving is taken up again
            lease.is_leaving = leaves


def _order(entry_id: str) -> tuple[int, int]:
    left, _, right = entry_id.partition("-")
    return int(left), int(right or 0)
