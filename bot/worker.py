"""The life of one question taken from the work queue: respond, post, remember."""

import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass

from bot.audit import NameOf, nobody
from bot.early import offering
from bot.early_posts import EarlyPosts, ShowsEarly
from bot.errors import PlatformUnavailable, ReplyRejected, StateUnavailable, WorkTaken
from bot.lead.receipts import receipt_of
from bot.messages import AcceptedMessage, Answer, MessageId, Outcome, Platform, Reply
from bot.pace import Pace
from bot.ports import Leaves, Notes, Poster, Responder, ThreadStore, WorkQueue
from bot.questions.turns import turn_of, with_turn_lost
from bot.texts import say
from bot.words import lexicon_of

Prepare = Callable[[AcceptedMessage], Awaitable[AcceptedMessage]]
KEPT_PROGRESS = 4_000
logger = logging.getLogger(__name__)


@dataclass(slots=True)
class _Progress:
    """What is done already for a message that had to be tried again in this process."""

    message: AcceptedMessage | None = None
    answer: Answer | None = None
    post_id: str | None = None


class _Withdrawn(Exception):
    """The message was deleted, or its thread, place or asker forgotten."""


class Worker:
    """Serves the queue: exactly one reply for each message, however often it is delivered."""

    def __init__(
        self,
        queue: WorkQueue,
        responder: Responder,
        *,
        store: ThreadStore,
        posters: Mapping[Platform, Poster],
        prepare: Mapping[Platform, Prepare] | None = None,
        name_of: NameOf = nobody,
    ) -> None:
        """Wire the ports.

        Args:
            queue: gives the messages and knows which are answered.
            responder: the whole flow.
            store: keeps the turn once it was posted.
            posters: one for each platform that this process serves.
            prepare: for a platform that can redact names only after a look-up; runs before anything else.
            name_of: gives the pseudonym of a user id.
        """
        self._pace: Pace | None = None
        self._queue = queue
        self._responder = responder
        self._store = store
        self._posters = posters
        self._prepare = prepare or {}
        self._name_of = name_of
        self._progress: dict[MessageId, _Progress] = {}
        self._observe: Callable[[AcceptedMessage, float], None] = _unobserved

    def pace_posts(self, pace: Pace) -> None:
        """Render and post answers from now on only when the event loop has time."""
        self._pace = pace

    def observe_posts(self, observe: Callable[[AcceptedMessage, float], None]) -> None:
        """Show every post from now on, with the seconds that it took."""
        self._observe = observe

    async def run(self, *, notes: Mapping[Platform, Notes] | None = None) -> None:
        """Serve until cancelled; who waits long is told where the platform has notes."""

        async def note_waiting(message: AcceptedMessage) -> None:
            told = (notes or {}).get(message.thread.platform)
            if told is not None and not message.refusal:  # a refusal comes soon enough
                await told.waiting(message)

        await self._queue.serve(self.handle, on_waiting=note_waiting, on_given_up=self.give_up)

    async def give_up(self, message: AcceptedMessage) -> None:
        """Tell the asker that there will be no answer. It is not marked as posted: a retry by hand replaces it.

        Raises:
            PlatformError: it could not be told.
        """
        poster = self._posters.get(message.thread.platform)
        if (
            poster is not None
            and not message.refusal
            and await self._queue.posted(message.message_id, message.thread) is None
        ):
            language = lexicon_of(message.text).code
            text = say("unavailable", language)
            answer = Answer(outcome=Outcome.UNAVAILABLE, text=text, language=language, request_id="")
            await poster.post(Reply(message, answer, may_stand=True))

    async def handle(self, message: AcceptedMessage) -> None:
        """Bring one message to its end.

        A failed attempt keeps what it has done, so that the next one in this process neither asks the model nor posts
        a second time.

        Raises:
            PlatformUnavailable: the post may be tried again.
            StateUnavailable: Redis is out of reach, or another worker took over (`WorkTaken`).
        """
        progress = self._progress.setdefault(message.message_id, _Progress())
        while len(self._progress) > KEPT_PROGRESS:  # messages given up, or taken over by another worker
            del self._progress[next(iter(self._progress))]
        try:
            await self._bring_on(message, progress)
        except _Withdrawn:
            logger.info("withdrawn, not answered", extra={"message_id": message.message_id})
            await self._leave(message)
        except ReplyRejected as error:
            logger.error(  # noqa: TRY400 - an expected end; a traceback would carry the platform's words
                "reply rejected", extra={"message_id": message.message_id, "error": type(error).__name__}
            )
            await self._leave(message)
        except WorkTaken:
            self._progress.pop(message.message_id, None)
            raise
        self._progress.pop(message.message_id, None)

    async def _leave(self, message: AcceptedMessage) -> None:
        poster: object = self._posters.get(message.thread.platform)
        if isinstance(poster, Leaves):
            await poster.left(message)

    async def _bring_on(self, message: AcceptedMessage, progress: _Progress) -> None:
        if progress.post_id is None:
            if await self._queue.posted(message.message_id, message.thread) is not None:
                await self._remember_posted(message)
                return
            progress.post_id = await self._post(message, progress)
        assert progress.answer is not None
        asker = await self._name_of(message.user_id)
        turn = turn_of(progress.message or message, progress.answer, asker=asker)
        receipt = receipt_of(message, progress.answer, post_id=progress.post_id, asker=asker)
        await self._queue.mark_posted(
            message.message_id, message.thread, post_id=progress.post_id, turn=turn, receipt=receipt
        )
        if turn is not None:
            await self._store.remember(message.thread, turn, message_id=message.message_id)

    async def _post(self, message: AcceptedMessage, progress: _Progress) -> str:
        poster = self._posters.get(message.thread.platform)
        if poster is None:
            raise PlatformUnavailable(f"this process posts nothing to {message.thread.platform}")
        await self._refuse_withdrawn(message)
        if progress.message is None:
            prepare = self._prepare.get(message.thread.platform)
            progress.message = await prepare(message) if prepare else message
        early = None
        if progress.answer is None:
            early = await self._early(progress.message, poster)
            with offering(early) if early is not None else nullcontext():
                progress.answer = await self._responder.respond(progress.message)
            await self._refuse_withdrawn(message)
        if self._pace is not None:  # before the last look at the lease, which may be lost meanwhile
            await self._pace.go_on()
        # The note that a post begins is this very run's own when it has shown the first words.
        may_stand = not (early is not None and early.is_begun) and await self._may_stand(message)
        standing, answer = await self._begun(message, progress.answer)
        if standing:
            return standing
        reply = Reply(progress.message, answer, may_stand=may_stand)
        began = time.perf_counter()
        post_id = await poster.post(reply)
        post_s = time.perf_counter() - began
        self._observe(message, post_s)
        logger.info("posted", extra={"message_id": message.message_id, "ms": round(post_s * 1000, 1)})
        return post_id

    async def _early(self, message: AcceptedMessage, poster: object) -> EarlyPosts | None:
        """Give what shows the answer while it is written; None where that is not done, or an earlier run has begun to post."""
        if not isinstance(poster, ShowsEarly) or not poster.may_show(message) or await self._may_stand(message):
            return None
        return EarlyPosts(poster, self._queue, message, name_of=self._name_of)

    async def _refuse_withdrawn(self, message: AcceptedMessage) -> None:
        """Stop work on a message that was deleted or forgotten meanwhile.

        Raises:
            _Withdrawn: nobody waits for its answer.
        """
        try:
            is_withdrawn = await self._queue.is_withdrawn(message, asker=await self._name_of(message.user_id))
        except StateUnavailable:  # lost after pick-up: the asker gets the answer
            return
        if is_withdrawn:
            raise _Withdrawn

    async def _may_stand(self, message: AcceptedMessage) -> bool:
        """Tell whether an earlier attempt may have posted the reply without coming to its mark."""
        try:
            return await self._queue.is_post_begun(message.message_id, message.thread)
        except StateUnavailable:
            return True

    async def _begun(self, message: AcceptedMessage, answer: Answer) -> tuple[str | None, Answer]:
        """Look once more right before posting: answering takes seconds, in which a worker can lose its lease.

        Returns:
            The post that stands already, and the answer; it says so when Redis cannot keep the turn now.
        """
        try:
            return await self._queue.begin_post(message.message_id, message.thread), answer
        except WorkTaken:
            raise
        except StateUnavailable:  # lost after pick-up: nobody else can have taken it over, so the asker gets the answer
            return None, answer if message.task else with_turn_lost(answer)

    async def _remember_posted(self, message: AcceptedMessage) -> None:
        """Finish what a run that died after posting had left: the turn lies with the posted mark."""
        turn = await self._queue.posted_turn(message.message_id, message.thread)
        if turn is not None:
            await self._store.remember(message.thread, turn, message_id=message.message_id)


def _unobserved(_message: AcceptedMessage, _post_s: float) -> None:
    return
