"""An answer that is shown while it is written, on its way through the worker: what a post needs comes before its first word."""

import time
from typing import Protocol, runtime_checkable

import structlog

from bot.audit import NameOf
from bot.early import EarlyOver
from bot.messages import AcceptedMessage, Answer, Reply
from bot.ports import WorkQueue

_log = structlog.get_logger(__name__)


@runtime_checkable
class ShowsEarly(Protocol):
    """A `bot.ports.Poster` that can show an answer before it is complete. Its `post` completes what it has shown."""

    def may_show(self, message: AcceptedMessage) -> bool:
        """Tell whether it may be done for this message now."""
        ...

    async def show(self, reply: Reply) -> bool:
        """Show the beginning of an answer; gives whether more is wanted.

        Raises:
            PlatformUnavailable: some of it may stand.
        """
        ...


class EarlyPosts:
    """The `bot.early.EarlySink` of one message.

    Each time it looks whether the question was withdrawn and whether the message is still this worker's; before the first word
    it leaves the note that a post begins, by which a later run knows that something may stand. Without Redis, and where a
    reply stands already, nothing is shown early.
    """

    def __init__(self, poster: ShowsEarly, queue: WorkQueue, message: AcceptedMessage, *, name_of: NameOf) -> None:
        """Show on the platform of the message."""
        self._poster = poster
        self._queue = queue
        self._message = message
        self._name_of = name_of
        self._began = time.perf_counter()
        self.is_begun = False

    async def show(self, answer: Answer) -> None:
        """Show a verified beginning.

        Raises:
            EarlyOver: nothing more is to be shown.
            StateUnavailable: Redis is out of reach, or another worker has the message now (`WorkTaken`).
            PlatformUnavailable: some of it may stand.
        """
        message, queue = self._message, self._queue
        if await queue.is_withdrawn(message, asker=await self._name_of(message.user_id)):
            raise EarlyOver
        # Of this worker's own note the second look is as good as the first.
        if await queue.begin_post(message.message_id, message.thread) is not None:
            raise EarlyOver
        is_first, self.is_begun = not self.is_begun, True
        if not await self._poster.show(Reply(message, answer)):
            raise EarlyOver
        if is_first:
            ms = round((time.perf_counter() - self._began) * 1000, 1)
            _log.info("begun early", message_id=message.message_id, ms=ms)
