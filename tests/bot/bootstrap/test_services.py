"""Services live and end together: one that fails ends all and is named; the last started stops first."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from bot.bootstrap.services import Service, ServiceFailed, run_services
from bot.errors import ReplyRejected, StateUnavailable
from retrieval.errors import IndexMissing


class Diary:
    """Makes services that write down when they begin and end."""

    def __init__(self) -> None:
        self.entries: list[str] = []

    def lasting(self, name: str, *, slow: bool = False) -> Service:
        """Give a service that runs until it is cancelled, and then, when slow, finishes what it has begun."""

        async def run() -> None:
            self.entries.append(f"{name} begins")
            try:
                await asyncio.Event().wait()
            finally:
                if slow:
                    await asyncio.sleep(0.05)
                self.entries.append(f"{name} ends")

        return Service(name, run)


def ending(name: str, error: BaseException | None) -> Service:
    """Give a service that ends at once."""

    async def run() -> None:
        await asyncio.sleep(0)
        if error is not None:
            raise error

    return Service(name, run)


async def stopped_after(services: list[Service], act: Callable[[], Awaitable[None]]) -> None:
    stop = asyncio.Event()
    running = asyncio.create_task(run_services(services, stop))
    await asyncio.sleep(0.01)
    await act()
    stop.set()
    await asyncio.wait_for(running, 30)


async def test_the_last_started_stops_first() -> None:
    """Each service has ended before the one started before it is asked to; a slow one is waited for."""
    diary = Diary()
    services = [diary.lasting("worker"), diary.lasting("listener", slow=True), diary.lasting("socket")]
    await stopped_after(services, lambda: asyncio.sleep(0))
    assert diary.entries[:3] == ["worker begins", "listener begins", "socket begins"]
    assert diary.entries[3:] == ["socket ends", "listener ends", "worker ends"]


async def test_nothing_to_run_waits_for_the_stop() -> None:
    """Without services the process still lives until it is told to stop."""
    await stopped_after([], lambda: asyncio.sleep(0))


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (ValueError("what somebody wrote"), "socket ended: ValueError"),
        (None, "socket ended: by itself"),
        (asyncio.CancelledError(), "socket ended: CancelledError"),
        (ReplyRejected("Slack refused: token_revoked"), "socket ended: ReplyRejected: Slack refused: token_revoked"),
        (IndexMissing("there is no index"), "socket ended: IndexMissing: there is no index"),
    ],
)
async def test_one_that_ends_ends_all_and_is_named(error: BaseException | None, says: str) -> None:
    """Its name and class are told, the text only of our own errors; the others are stopped in order."""
    diary = Diary()
    services = [diary.lasting("worker"), ending("socket", error), diary.lasting("listener", slow=True)]
    with pytest.raises(ServiceFailed) as caught:
        await asyncio.wait_for(run_services(services, asyncio.Event()), 30)
    assert str(caught.value) == says
    assert type(caught.value.__cause__) is type(error)
    assert diary.entries[2:] == ["listener ends", "worker ends"]


async def test_an_error_while_stopping_is_no_failure() -> None:
    """What breaks after the stop was asked for neither keeps the others running nor changes the end."""
    diary = Diary()

    async def breaks() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise StateUnavailable("Redis went first") from None

    services = [diary.lasting("worker"), Service("breaks", breaks), diary.lasting("listener")]
    await stopped_after(services, lambda: asyncio.sleep(0))
    assert diary.entries[2:] == ["listener ends", "worker ends"]


async def test_cancelled_from_outside() -> None:
    """A cancelled process stops its services as well."""
    diary = Diary()
    running = asyncio.create_task(run_services([diary.lasting("worker"), diary.lasting("socket")], asyncio.Event()))
    await asyncio.sleep(0.01)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert diary.entries[2:] == ["socket ends", "worker ends"]
