"""Long-running parts of a process: started together, stopped in reverse order, and one that fails ends all."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import structlog

from bot.errors import BotError
from retrieval.errors import RetrievalError

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Service:
    """A part that runs until cancelled; on cancellation it finishes what it has begun."""

    name: str
    run: Callable[[], Awaitable[None]]


class ServiceFailed(RuntimeError):
    """A service ended by itself; the cause says why."""


async def run_services(services: list[Service], stop: asyncio.Event) -> None:
    """Run until `stop` is set or a service ends; then cancel the services, last started first, one after the other.

    Raises:
        ServiceFailed: a service ended before it was asked to.
    """
    tasks = [asyncio.create_task(_run(service), name=service.name) for service in services]
    stopping = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait({stopping, *tasks}, return_when=asyncio.FIRST_COMPLETED)
        failed = [task for task in tasks if task.done()]
        if failed and not stop.is_set():
            raise _failure(failed[0])
    finally:
        stopping.cancel()
        for task in reversed(tasks):
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            _log.info("service stopped", service=task.get_name())


def _failure(task: asyncio.Task[None]) -> ServiceFailed:
    """Say which service ended and why; of an error that is not ours only the class: its text may be anybody's."""
    error = asyncio.CancelledError() if task.cancelled() else task.exception()
    reason = "by itself" if error is None else type(error).__name__
    if isinstance(error, BotError | RetrievalError):
        reason += f": {error}"
    failure = ServiceFailed(f"{task.get_name()} ended: {reason}")
    failure.__cause__ = error
    return failure


async def _run(service: Service) -> None:
    _log.info("service started", service=service.name)
    await service.run()
