"""Doors that answer at once: console, HTTP API and playground. No queue; history where Redis is there and takes writes."""

from collections.abc import Callable

import structlog

from bot.errors import StateUnavailable
from bot.messages import AcceptedMessage, Answer
from bot.ports import Responder, ThreadStore
from bot.questions.turns import remember_turn, with_turn_lost

_log = structlog.get_logger(__name__)


class DirectDoor:
    """Answers a question and remembers the turn; a Redis that is away or full costs the turn, never the answer, which says so.

    Args:
        responder: the whole flow.
        threads: keeps the turns; None answers statelessly.
        observe: is shown every answer, for metrics.
    """

    def __init__(
        self,
        responder: Responder,
        threads: ThreadStore | None,
        *,
        observe: Callable[[AcceptedMessage, Answer], None] = lambda _message, _answer: None,
    ) -> None:
        self._responder = responder
        self._threads = threads
        self._observe = observe

    async def answer(self, message: AcceptedMessage) -> Answer:
        """Give the answer of one question."""
        answer = await self._responder.respond(message, is_stateless=self._threads is None)
        self._observe(message, answer)
        if self._threads is not None:
            try:
                await remember_turn(self._threads, message, answer)
            except StateUnavailable:
                _log.warning("turn not stored", request_id=answer.request_id)
                answer = with_turn_lost(answer)
        return answer
