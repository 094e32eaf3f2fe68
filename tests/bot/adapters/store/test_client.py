"""The one door to Redis: bounded, in our errors, in one shape."""

import asyncio
import inspect
import socket
import time
from collections.abc import Awaitable, Callable

import pytest
import redis.exceptions

from bot.adapters.store.client import RedisLink, StreamEntry, bounded, stream_rows
from bot.errors import StateUnavailable
from tests.redis_servers import RedisServer

VENDOR = [
    found
    for _, found in inspect.getmembers(redis.exceptions, inspect.isclass)
    if issubclass(found, Exception) and found.__module__ == "redis.exceptions"
]
CALLS: dict[str, Callable[[RedisLink], Awaitable[object]]] = {
    "ping": lambda link: link.ping(),
    "execute": lambda link: link.execute("GET", "k"),
    "run": lambda link: link.run("return 1", ["k"]),
    "news": lambda link: link.news({"k": "0-0"}),
}


@pytest.mark.parametrize("error", [*VENDOR, OSError, ConnectionResetError, TimeoutError, EOFError])
async def test_every_vendor_error_becomes_ours(error: type[Exception]) -> None:
    """Whatever the client can raise is `StateUnavailable`, with its cause, without its words."""
    raised = error.__new__(error, "secret")

    async def fail() -> None:
        raise raised

    with pytest.raises(StateUnavailable) as caught:
        await bounded(fail())
    assert caught.value.__cause__ is raised
    assert "secret" not in str(caught.value)


def test_the_walk_finds_the_vendors_errors() -> None:
    """The list above is not empty, so that the test before can fail."""
    assert {"ConnectionError", "OutOfMemoryError", "BusyLoadingError"} <= {found.__name__ for found in VENDOR}


@pytest.mark.parametrize("call", CALLS)
async def test_nobody_listening_fails_at_once(call: str) -> None:
    """With no server each call fails within a fraction of a second."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"redis://127.0.0.1:{free.getsockname()[1]}/0"
    link = RedisLink(url)
    begun = time.monotonic()
    with pytest.raises(StateUnavailable):
        await CALLS[call](link)
    assert time.monotonic() - begun < 0.7
    await link.close()


@pytest.mark.parametrize("call", ["ping", "execute", "run"])
async def test_a_hanging_server_is_given_up(
    own_redis_server: RedisServer, own_redis_link: RedisLink, call: str
) -> None:
    """A server that takes the connection and says nothing costs at most 1.5 s, and is used again when it wakes."""
    await CALLS[call](own_redis_link)
    own_redis_server.pause()
    begun = time.monotonic()
    with pytest.raises(StateUnavailable):
        await CALLS[call](own_redis_link)
    assert time.monotonic() - begun < 1.5
    own_redis_server.resume()
    await CALLS[call](own_redis_link)


async def test_a_restarted_server_needs_no_new_client(own_redis_server: RedisServer, own_redis_link: RedisLink) -> None:
    """Connections that died with the server are replaced: the first call after the restart succeeds."""
    await asyncio.gather(*(own_redis_link.execute("SET", f"k{n}", n) for n in range(8)))
    own_redis_server.kill()
    with pytest.raises(StateUnavailable):
        await own_redis_link.ping()
    own_redis_server.start()
    assert await own_redis_link.execute("GET", "k7") == "7"


async def test_a_cancelled_call_spoils_no_connection(redis_link: RedisLink) -> None:
    """After calls cancelled midway, answers still belong to their questions."""
    for n in range(20):
        task = asyncio.create_task(redis_link.execute("ECHO", f"lost {n}"))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        assert await redis_link.execute("ECHO", f"kept {n}") == f"kept {n}"


async def test_a_cancellation_is_never_swallowed() -> None:
    """Also a call that has its answer at that very moment, and goes on, does not keep its caller running."""

    async def stubborn() -> str:
        try:
            await asyncio.sleep(0.05)
        except asyncio.CancelledError:  # what `asyncio.wait_for` does on Python 3.11
            return "answer"
        return "late"

    caller = asyncio.create_task(bounded(stubborn()))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller


async def test_a_call_out_of_time_is_given_up() -> None:
    """The limit holds whatever the client does."""
    with pytest.raises(StateUnavailable):
        await bounded(asyncio.sleep(5), limit_s=0.01)


SHAPES = [
    {"work": [["1-0", ["message", "a"]]]},
    {"work": [[["1-0", {"message": "a"}]]]},
    [["work", [["1-0", ["message", "a"]]]]],
    [[b"work", [(b"1-0", {b"message": b"a"})]]],
]


@pytest.mark.parametrize("answer", SHAPES)
def test_streams_have_one_shape(answer: object) -> None:
    """The shapes of RESP2, RESP3 and redis-py give the same entries."""
    assert stream_rows(answer) == [("work", [StreamEntry("1-0", {"message": "a"})])]


@pytest.mark.parametrize("answer", [None, {}, []])
def test_nothing_read_is_no_stream(answer: object) -> None:
    """A read that waited in vain gives nothing."""
    assert stream_rows(answer) == []


def test_deleted_entries_are_left_out() -> None:
    """What XAUTOCLAIM gives for entries deleted meanwhile is no entry."""
    assert stream_rows({"work": [None, ["1-0", None], ["2-0", ["message", "b"]]]}) == [
        ("work", [StreamEntry("2-0", {"message": "b"})])
    ]


async def test_news_names_the_streams_that_have_some(redis_link: RedisLink) -> None:
    """Only streams with entries behind the given id are named, and waiting ends with the first."""
    first, second = "test-news:{a}:1", "test-news:{a}:2"
    await redis_link.execute("XADD", first, "1-1", "message", "old")
    await redis_link.execute("EXPIRE", first, 60)
    await redis_link.execute("DEL", second)
    waiting = asyncio.create_task(redis_link.news({first: "1-1", second: "0-0"}))
    await asyncio.sleep(0.05)
    await redis_link.execute("XADD", second, "*", "message", "new")
    await redis_link.execute("EXPIRE", second, 60)
    assert await waiting == {second}
    assert await redis_link.news({first: "1-1"}) == set()


@pytest.mark.parametrize("redis_server", ["valkey"], indirect=True)  # Redis 7.0 does not tell
async def test_a_new_connection_does_not_name_the_client_library(redis_link: RedisLink) -> None:
    """Naming it reads the package's metadata for each connection: 5 ms on the loop, 32 times in a first burst."""
    told = str(await redis_link.execute("CLIENT", "INFO"))
    assert "lib-name=redis" not in told
