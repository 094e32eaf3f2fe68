"""Where the time of an acknowledgement goes, seen from inside the door: redaction, the Redis call, the rest."""

import time
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from retrieval.redaction import Redactor

Application = Callable[..., Awaitable[None]]
_request: "ContextVar[Delivery | None]" = ContextVar("delivery", default=None)


@dataclass(slots=True)
class Delivery:
    """Milliseconds that one delivery spent in the door, and of these in Redis and in redaction."""

    began: float = field(default_factory=time.perf_counter)
    redis_ms: float = 0.0
    redact_ms: float = 0.0


class DoorStages:
    """Collects deliveries until they are told: rows of [whole, Redis, redaction] in milliseconds."""

    def __init__(self) -> None:
        self._rows: list[list[float]] = []

    def taken(self) -> list[list[float]]:
        """Give what was collected since the last time."""
        rows, self._rows = self._rows, []
        return rows

    def around(self, application: Application) -> Application:
        """Time every request from its head to the end of its response."""

        async def timed(scope: Any, receive: Any, send: Any) -> None:
            delivery = Delivery()
            _request.set(delivery)
            await application(scope, receive, send)
            whole = (time.perf_counter() - delivery.began) * 1000
            self._rows.append([round(ms, 2) for ms in (whole, delivery.redis_ms, delivery.redact_ms)])

        return timed


async def in_redis(call: Awaitable[Any]) -> Any:
    """Await a call of Redis, and count its time to the delivery that it is for."""
    began = time.perf_counter()
    try:
        return await call
    finally:
        if (delivery := _request.get()) is not None:
            delivery.redis_ms += (time.perf_counter() - began) * 1000


class TimedRedactor(Redactor):
    """Counts the time of redaction to the delivery that it is for."""

    def marked(self, text: str, **options: Any) -> Any:
        began = time.perf_counter()
        try:
            return super().marked(text, **options)
        finally:
            if (delivery := _request.get()) is not None:
                delivery.redact_ms += (time.perf_counter() - began) * 1000
