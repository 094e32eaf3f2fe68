"""What a serving work queue does over and over: renew leases, read its partitions, tell those who wait."""

import asyncio
import logging

from bot.adapters.work.lanes import Lanes
from bot.adapters.work.leases import Lease, Leases
from bot.adapters.work.stream import LeaseLost, WorkStreams
from bot.errors import StateUnavailable
from bot.ports import Handler

READ_COUNT = 16
TELL_PAUSE_S = 1.0  # a platform takes about one post a second in a channel
OUTAGE_PAUSE_S = 0.2
IDLE_PAUSE_S = 0.05  # without a partition; costs no call
logger = logging.getLogger(__name__)


async def keep_beating(leases: Leases, lanes: Lanes) -> None:
    """Renew the leases until cancelled, and release those that are to leave as soon as nothing of theirs is in work."""
    while True:
        try:
            await leases.beat()
            lanes.cancel_lost(leases)
            for lease in [lease for lease in leases.held.values() if lease.is_leaving and lanes.is_idle(lease)]:
                await leases.release(lease)
        except StateUnavailable as error:
            logger.warning("leases not renewed", extra={"error": str(error)})
        await asyncio.sleep(leases.beat_s)


async def keep_telling(lanes: Lanes, tell: Handler) -> None:
    """Tell of the question that has waited longest, once a second at most, until cancelled."""
    while True:
        await asyncio.sleep(TELL_PAUSE_S)
        if (message := lanes.longest_waiting()) is not None:
            await asyncio.gather(tell(message), return_exceptions=True)


async def keep_reading(leases: Leases, streams: WorkStreams, lanes: Lanes) -> None:
    """Take in work of the held partitions until cancelled; an outage is waited out."""
    while True:
        try:
            await _take_in(leases, streams, lanes)
        except StateUnavailable:
            # An answer lost on its way may have delivered entries: they are found among the unacknowledged.
            for lease in leases.serving():
                lease.is_swept = False
            await asyncio.sleep(OUTAGE_PAUSE_S)


async def _take_in(leases: Leases, streams: WorkStreams, lanes: Lanes) -> None:
    serving = list(leases.serving())
    if not serving:
        await asyncio.sleep(IDLE_PAUSE_S)
        return
    taken = 0
    for lease in serving:
        try:
            taken += await _take_in_one(lease, streams, lanes)
        except LeaseLost:
            lease.doubt()
    if lanes.room == 0:
        await lanes.changed(OUTAGE_PAUSE_S)
    elif not any(lease.has_news for lease in serving):
        await streams.news(serving)
    elif taken == 0:  # news that turned out to be none: never spin on it
        await asyncio.sleep(IDLE_PAUSE_S)


async def _take_in_one(lease: Lease, streams: WorkStreams, lanes: Lanes) -> int:
    jobs = []
    if not lease.is_swept:
        jobs = await streams.sweep(lease)
        lease.has_news = True
    if lease.has_news and lanes.room > len(jobs):
        jobs += await streams.read(lease, count=min(READ_COUNT, lanes.room - len(jobs)))
    for job in jobs:
        lanes.add(job)
    return len(jobs)


async def sign_off(leases: Leases) -> None:
    """Give the partitions away; without Redis the leases end by themselves."""
    try:
        await leases.sign_off()
    except StateUnavailable:  # the leases end by themselves
        logger.warning("leases not released")
