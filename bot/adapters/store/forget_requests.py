"""What the platforms say of deleted messages and of places that the bot was removed from.

A deleted message is taken out at once. Forgetting a whole place takes longer than a platform waits, so it is noted in
Redis and done by whichever process looks first; noted again or done twice, it ends the same.
"""

import asyncio
from collections.abc import Callable

import structlog

from bot.adapters.files.corrections import CorrectionFile
from bot.adapters.store.client import RedisLink
from bot.adapters.store.forgetting import RedisForgetting
from bot.adapters.store.keys import WORK_TTL_S, Keyspace
from bot.adapters.store.server_files import rewrite_files
from bot.audit import AuditTrail
from bot.errors import StateUnavailable
from bot.lead.corrections import Correction
from bot.lead.forgetting import Subject, SubjectKind
from bot.messages import MessageId, ThreadRef
from bot.ports import Place

LOOK_S = 2.0
MISSED = 2
_log = structlog.get_logger(__name__)


class ForgetRequests:
    """`bot.ports.Withdrawals`, and the service that does what was noted."""

    def __init__(
        self,
        link: RedisLink,
        keys: Keyspace,
        forgetting: RedisForgetting,
        trail: AuditTrail,
        *,
        corrections: CorrectionFile | None = None,
    ) -> None:
        """Note and forget in this Redis, and in what the lead set right; what was done is written to the audit log."""
        self._corrections = corrections
        self._link = link
        self._list = keys.of_all("forget-requests")
        self._counter = keys.of_all("forgettings")
        self._forgetting = forgetting
        self._trail = trail
        self._seen: str | None = None
        self._missed = 0

    async def withdraw(self, message_id: MessageId, thread: ThreadRef) -> None:
        """Take a deleted message out: its turn leaves the history, and it is not answered any more.

        Raises:
            StateUnavailable: Redis is out of reach.
        """
        await self._forgetting.withdraw(message_id, thread)
        await self._drop(lambda one: (one.message_id, one.thread) == (message_id, thread.key))
        self._trail.write("withdrawn", tenant=thread.tenant_id, channel=thread.channel_id, message=str(message_id))

    async def leave(self, place: Place) -> None:
        """Have everything of a place forgotten; from now on nothing of it is answered or remembered that was asked before.

        Raises:
            StateUnavailable: Redis is out of reach.
        """
        await self._forgetting.mark(Subject(SubjectKind.PLACE, place.key))
        await self._link.execute("RPUSH", self._list, place.key)
        await self._link.execute("EXPIRE", self._list, WORK_TTL_S)

    async def serve(self, on_forgotten: Callable[[], None] = lambda: None) -> None:
        """Do what was noted until cancelled; `on_forgotten` is called after any forgetting, to empty what lies in memory."""
        while True:
            await self.try_look(on_forgotten)
            await asyncio.sleep(LOOK_S)

    async def try_look(self, on_forgotten: Callable[[], None] = lambda: None) -> None:
        """Look once, Redis there or not.

        An outage is logged once, from the second missed look on: while a process starts its loop is busy for longer than a call
        may take, and the first look of nearly every start was missed.
        """
        try:
            await self.look(on_forgotten)
            self._missed = 0
        except StateUnavailable:
            self._missed += 1
            if self._missed == MISSED:
                _log.warning("forget requests not read")

    async def look(self, on_forgotten: Callable[[], None] = lambda: None) -> None:
        """Look once.

        Raises:
            StateUnavailable: Redis is out of reach.
        """
        while place := await self._link.execute("LINDEX", self._list, 0):
            subject = Subject(SubjectKind.PLACE, str(place))
            found = await self._forgetting.forget(subject)
            await self._drop(subject.is_correction)
            await self._forgetting.drop_receipts(found.receipts)  # a bot without its token deletes nothing
            files = await rewrite_files(self._link)
            await self._link.execute("LREM", self._list, 0, str(place))
            counts = [f"{kind}={count}" for kind, count in sorted(found.counts.items())]
            self._trail.write("forgotten", kind="place", subject=str(place), counts=counts, files=files)
        counter = str(await self._link.execute("GET", self._counter) or "")
        if counter != self._seen:
            if self._seen is not None:
                on_forgotten()
            self._seen = counter

    async def _drop(self, is_dropped: Callable[[Correction], bool]) -> None:
        if self._corrections is not None:
            await asyncio.to_thread(self._corrections.drop, is_dropped)
