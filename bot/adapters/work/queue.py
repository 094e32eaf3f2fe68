"""The work queue on Redis Streams: claim and enqueue in one step, serve with leases, never lose a message."""

import asyncio
import os
import socket
from collections.abc import Callable, Sequence
from dataclasses import replace
from uuid import uuid4

from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import CLAIM_TTL_S, POSTED_TTL_S, RECEIPT_TTL_S, WORK_TTL_S, Keyspace
from bot.adapters.store.scripts import BEGIN_POST, ENQUEUE, MARK_POSTED, POSTED
from bot.adapters.work.lanes import Lanes, RetryPolicy
from bot.adapters.work.leases import LEASE_S, Leases
from bot.adapters.work.loops import keep_beating, keep_reading, keep_telling, sign_off
from bot.adapters.work.stream import WorkStreams
from bot.errors import QueueFull, WorkTaken
from bot.lead.note import noted_document
from bot.lead.receipts import Receipt, receipt_to_json
from bot.messages import AcceptedMessage, MessageId, ThreadRef, Turn
from bot.pace import Pace
from bot.ports import Handler
from bot.questions.access import QUEUE_FULL
from bot.questions.message_json import MessageUnreadable, message_to_json, turn_from_json, turn_to_json

DRAIN_S = 25.0
POST_GRACE_S = 2.0
GRACE_STEP_S = 0.1
# What POSTED and BEGIN_POST say beside the id.
TAKEN_OVER, MARK_AWAITED = 0, 2


class RedisWorkQueue:
    """Durable work: at least once, serial within a thread, concurrent across threads."""

    def __init__(
        self,
        link: RedisLink,
        keys: Keyspace,
        *,
        lease_s: float = LEASE_S,
        policy: RetryPolicy | None = None,
        post_grace_s: float = POST_GRACE_S,
        receipt_ttl_s: int = RECEIPT_TTL_S,
    ) -> None:
        """Use one Redis.

        Args:
            link: the connection.
            keys: names of the keys; the same in every process.
            lease_s: how long a dead worker keeps its partitions.
            policy: how often and how long a message is tried, and how many may wait.
            post_grace_s: how long the mark of a worker that had begun to post is waited for.
            receipt_ttl_s: how long it is known where the bot posted.
        """
        self._link = link
        self._keys = keys
        self._lease_s = lease_s
        self._policy = policy or RetryPolicy()
        self._post_grace_s = post_grace_s
        self._receipt_ttl_s = receipt_ttl_s
        self.pace = Pace()  # when a question may begin; shared with what goes on with it
        self._most_waiting = max(self._policy.most_waiting // keys.partitions, 1)
        self._lanes: Lanes | None = None
        self._observe: Callable[[str, bool], None] = _unobserved

    def observe_intake(self, observe: Callable[[str, bool], None]) -> None:
        """Show every delivery from now on: its platform, and whether it was new."""
        self._observe = observe

    async def enqueue(self, message: AcceptedMessage, *, claims: Sequence[str]) -> bool:
        """Claim and enqueue in one step; False when any of the claims (names of one event) was taken before.

        The claims a duplicate brings along are claimed too, so its own twin is known as well. Claims live in the
        partition of the thread: every delivery of one event must name the same thread.

        Raises:
            StateUnavailable: Redis is out of reach; do not acknowledge the event.
            QueueFull: too much waits already; likewise.
        """
        names = [self._keys.of_thread(message.thread, "claim", claim) for claim in dict.fromkeys(claims)]
        keys = [self._keys.of_thread(message.thread, "work"), *names]
        worded = message if message.refusal else replace(message, refusal=QUEUE_FULL)
        args: list[str | float] = [message_to_json(message), CLAIM_TTL_S, WORK_TTL_S, message.message_id]
        args += [message_to_json(worded), self._most_waiting, 2 * self._most_waiting]
        stored = await self._link.run(ENQUEUE, keys, args)
        if stored == "full":
            raise QueueFull("too many questions wait already")
        self._observe(message.thread.platform, stored is not None)
        return stored is not None

    async def serve(
        self,
        handle: Handler,
        *,
        on_waiting: Handler | None = None,
        on_given_up: Handler | None = None,
        drain_s: float = DRAIN_S,
    ) -> None:
        """Take messages and handle them until cancelled; reclaims what a dead worker left.

        `on_waiting` is called with the question that has waited longest, once for each and once a second at most;
        `on_given_up` before one becomes a dead letter. What they raise ends nothing.
        Cancelled, it begins nothing more, gives what is in work `drain_s` seconds, and gives its partitions away.
        """
        worker = f"{socket.gethostname()}-{os.getpid()}-{uuid4().hex[:8]}"
        beats = self._link.another()  # a beat that waits behind hundreds of questions comes too late for its lease
        leases = Leases(beats, self._keys, worker, lease_s=self._lease_s)
        streams = WorkStreams(self._link, self._keys, worker=worker)
        lanes = self._lanes = Lanes(streams, handle, self._policy, on_given_up=on_given_up, pace=self.pace)
        beside = [asyncio.create_task(keep_beating(leases, lanes))]
        if on_waiting is not None:
            beside += [asyncio.create_task(keep_telling(lanes, on_waiting))]
        try:
            await keep_reading(leases, streams, lanes)
        finally:
            await lanes.drain(drain_s)
            for task in beside:
                task.cancel()
            await asyncio.gather(*beside, return_exceptions=True)
            await sign_off(leases)
            await beats.close()

    async def posted(self, message_id: MessageId, thread: ThreadRef) -> str | None:
        """Give the platform's id of the reply already posted for this message, None when there is none.

        Raises:
            WorkTaken: this process handles the message, but another worker has taken it over.
            StateUnavailable: Redis is out of reach.
        """
        keys = [self._keys.of_thread(thread, "posted", message_id), self._keys.of_thread(thread, "lease")]
        return _post_id(*await self._link.run(POSTED, keys, [self._token(message_id)]))

    async def is_post_begun(self, message_id: MessageId, thread: ThreadRef) -> bool:
        """Tell whether an attempt to post the reply may have begun; without Redis one posts and leaves no note.

        Raises:
            StateUnavailable: Redis is out of reach.
        """
        noted = await self._link.execute("HGET", self._keys.of_thread(thread, "posted", message_id), "by")
        return noted is not None or bool(self._lanes and self._lanes.is_restart(message_id))

    async def begin_post(self, message_id: MessageId, thread: ThreadRef) -> str | None:
        """Look right before posting, and leave a note that a post begins; give the id of a reply that stands already.

        Another worker's note without its mark is waited for, `post_grace_s` seconds at most.

        Raises:
            WorkTaken: as for `posted`.
            StateUnavailable: as for `posted`.
        """
        keys = [self._keys.of_thread(thread, "posted", message_id), self._keys.of_thread(thread, "lease")]
        patience = int(self._post_grace_s / GRACE_STEP_S)
        for left in range(patience, -1, -1):
            args: list[str | float] = [self._token(message_id), POSTED_TTL_S, int(left > 0)]
            state, post_id = await self._link.run(BEGIN_POST, keys, args)
            if state != MARK_AWAITED:
                break
            await asyncio.sleep(GRACE_STEP_S)
        return _post_id(state, post_id)

    async def posted_turn(self, message_id: MessageId, thread: ThreadRef) -> Turn | None:
        """Give the turn kept with the posted mark.

        Raises:
            StateUnavailable: Redis is out of reach.
        """
        text = await self._link.execute("HGET", self._keys.of_thread(thread, "posted", message_id), "turn")
        try:
            return turn_from_json(str(text)) if text else None
        except MessageUnreadable:
            return None

    async def mark_posted(
        self,
        message_id: MessageId,
        thread: ThreadRef,
        *,
        post_id: str,
        turn: Turn | None = None,
        receipt: Receipt | None = None,
    ) -> None:
        """Remember the reply's platform id, its turn and its receipt; the first mark stays.

        Raises:
            StateUnavailable: Redis is out of reach.
        """
        keys = [self._keys.of_thread(thread, kind, message_id) for kind in ("posted", "receipt")]
        asker, cited = (turn.asker, turn.cited_ids) if turn else ("", ())
        keys += self._keys.gone(thread, message_id, asker=asker, cited=cited)
        args: list[str | float] = [post_id, turn_to_json(turn) if turn else "", POSTED_TTL_S, thread.key]
        args += [repr(turn.asked_at) if turn else 0.0, receipt_to_json(receipt) if receipt else "", self._receipt_ttl_s]
        await self._link.run(MARK_POSTED, keys, args)

    async def is_withdrawn(self, message: AcceptedMessage, *, asker: str) -> bool:
        """Tell whether the message was deleted, or its thread, place or asker forgotten, since it was asked.

        Raises:
            StateUnavailable: Redis is out of reach.
        """
        cited = tuple(filter(None, (noted_document(message),)))
        keys = self._keys.gone(message.thread, message.message_id, asker=asker, cited=cited)
        marks = await self._link.execute("MGET", *keys)
        return any(mark is not None and float(mark) >= message.received_at for mark in marks)

    async def ping(self) -> None:
        """Raise `StateUnavailable` when out of reach."""
        await self._link.ping()

    def _token(self, message_id: MessageId) -> str:
        job = self._lanes.job_of(message_id) if self._lanes else None
        return job.lease.token if job else ""


def _unobserved(_platform: str, _is_new: bool) -> None:  # noqa: FBT001 - a callback
    return


def _post_id(state: int, post_id: str | None) -> str | None:
    if state == TAKEN_OVER:
        raise WorkTaken("another worker has taken this message over")
    return post_id
