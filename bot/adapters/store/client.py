"""The one place that builds Redis clients, names their timeouts and turns their errors into ours."""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import ConstantBackoff
from redis.commands.core import AsyncScript
from redis.exceptions import (
    ChildDeadlockedError,
    IncorrectPolicyType,
    RedisClusterException,
    RedisError,
)
from redis.exceptions import (
    ConnectionError as RedisConnectionError,
)

from bot.adapters.store.refusals import refusal_of
from bot.errors import Refusal, StateRefused, StateUnavailable

CONNECT_TIMEOUT_S = 1.0
COMMAND_TIMEOUT_S = 1.0
# Bounds one call with its connect, its retry and the wait for a free connection: the platforms' requests wait for it.
CALL_LIMIT_S = 1.3
MANY_LIMIT_S = 10.0  # for some hundred commands at once, outside of any request
# A connection that Redis closed while it lay in the pool costs one retry; a time-out is never tried again.
RETRIES = 1
RETRY_PAUSE_S = 0.02
CONNECTIONS = 32
WRITTEN_TTL_S = 60
BLOCK_MS = 500
BLOCKING_TIMEOUT_S = BLOCK_MS / 1000 + 2.0
T = TypeVar("T")
# Cancelled calls that still close their connection; the loop holds tasks only weakly.
STRAYS: "set[asyncio.Future[Any]]" = set()
VENDOR_ERRORS = (RedisError, RedisClusterException, ChildDeadlockedError, IncorrectPolicyType, OSError, EOFError)


@dataclass(frozen=True, slots=True)
class StreamEntry:
    """One entry of a stream: its id and its fields."""

    id: str
    fields: Mapping[str, str]


async def bounded(call: Coroutine[Any, Any, T], *, limit_s: float = CALL_LIMIT_S) -> T:
    """Run one call of the client, at most `limit_s` seconds, its errors turned into ours.

    The call gets a task of its own: redis-py awaits `asyncio.wait_for`, which on Python 3.11 swallows a cancellation
    that arrives together with the result, and whoever was cancelled here would then run on for ever.

    Raises:
        StateRefused: the server answers and says why it does not do it.
        StateUnavailable: any other error of the client, or out of time.
    """
    task = asyncio.ensure_future(call)
    try:
        await asyncio.wait({task}, timeout=limit_s)
    finally:
        if not task.done():
            task.cancel()  # closes its connection, whose answer would be taken for that of the next call
            STRAYS.add(task)
            task.add_done_callback(_forget)
    if not task.done():
        raise StateUnavailable("Redis is out of reach: no answer in time")
    try:
        return task.result()
    except VENDOR_ERRORS as error:
        if refusal := refusal_of(error):
            raise StateRefused(refusal) from error
        raise StateUnavailable(f"Redis is out of reach: {type(error).__name__}") from error


def _forget(task: "asyncio.Future[Any]") -> None:
    STRAYS.discard(task)
    if not task.cancelled():
        task.exception()  # looked at, so that the loop does not report it as never retrieved


class RedisLink:
    """Two clients of one Redis: short commands, and reads that wait. Opens nothing until the first call."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._commands = _client(url, timeout_s=COMMAND_TIMEOUT_S)
        self._blocking = _client(url, timeout_s=BLOCKING_TIMEOUT_S)
        self._scripts: dict[str, AsyncScript] = {}

    def another(self) -> "RedisLink":
        """Give a link to the same Redis whose calls do not wait for a connection behind those of this one."""
        return RedisLink(self._url)

    async def run(self, script: str, keys: Sequence[str], args: Sequence[str | float] = ()) -> Any:
        """Run one of our Lua scripts; all its keys share one hash tag.

        Raises:
            StateUnavailable: Redis is out of reach, or did not take the script.
        """
        known = self._scripts.get(script)
        if known is None:
            known = self._scripts[script] = self._commands.register_script(script)
        return await self._bounded(known(keys=keys, args=list(args)))

    async def execute(self, *command: str | float) -> Any:
        """Run one plain command.

        Raises:
            StateUnavailable: as for `run`.
        """
        return await self._bounded(cast("Any", self._commands).execute_command(*command))

    async def many(self, commands: Sequence[Sequence[str | float]]) -> list[Any]:
        """Run plain commands in one round trip, in their order; other clients' may come between.

        Raises:
            StateUnavailable: as for `run`; some of them may have been carried out.
        """
        pipe = cast("Any", self._commands).pipeline(transaction=False)
        for command in commands:
            pipe.execute_command(*command)
        return list(await self._bounded(pipe.execute(), limit_s=MANY_LIMIT_S)) if commands else []

    async def scan(self, pattern: str, *, count: int) -> AsyncIterator[list[str]]:
        """Give the names of all keys that fit a glob, about `count` a page; a name may come twice.

        Raises:
            StateUnavailable: as for `run`.
        """
        cursor = "0"
        while True:
            cursor, names = await self.execute("SCAN", cursor, "MATCH", pattern, "COUNT", count)
            yield [str(name) for name in names]
            if str(cursor) == "0":
                return

    async def news(self, after: Mapping[str, str]) -> set[str]:
        """Wait up to `BLOCK_MS` for entries behind the given ids; give the streams that have some.

        Raises:
            StateUnavailable: as for `run`.
        """
        reading = cast("Any", self._blocking).xread(dict(after), count=1, block=BLOCK_MS)
        answer = await bounded(reading, limit_s=BLOCKING_TIMEOUT_S)
        return {name for name, entries in stream_rows(answer) if entries}

    async def ping(self) -> None:
        """Raise `StateUnavailable` when Redis is out of reach."""
        await bounded(cast("Any", self._commands).ping())

    async def check_writes(self, key: str) -> None:
        """Raise unless Redis takes a write: one that is full, or whose disk is, answers a ping all the same.

        Args:
            key: what is written, for a minute.

        Raises:
            StateRefused: it answers and takes no writes.
            StateUnavailable: as for `run`.
        """
        await self.execute("SET", key, "1", "EX", WRITTEN_TTL_S)

    async def _bounded(self, call: Coroutine[Any, Any, T], *, limit_s: float = CALL_LIMIT_S) -> T:
        """Run a call; where a replica answers, give up the connections, so that the next call asks anew where the name leads.

        After a failover connections to the old primary stand and would refuse every write for ever. Its streams, which a
        replica gives to read, bring no news any more.
        """
        try:
            return await bounded(call, limit_s=limit_s)
        except StateRefused as error:
            if error.refusal is Refusal.REPLICA:
                idle = self._commands.connection_pool.disconnect(inuse_connections=False)
                reading = self._blocking.connection_pool.disconnect(inuse_connections=True)
                await asyncio.gather(idle, reading, return_exceptions=True)
            raise

    async def close(self) -> None:
        """Close every connection."""
        loop = asyncio.get_running_loop()
        await asyncio.gather(*(task for task in STRAYS if task.get_loop() is loop), return_exceptions=True)
        await self._commands.aclose()
        await self._blocking.aclose()


def stream_rows(answer: object) -> list[tuple[str, list[StreamEntry]]]:
    """Normalise what XREAD and XREADGROUP give, in the RESP2 shape, the RESP3 shape or as redis-py reshapes it."""
    if not answer:
        return []
    pairs = answer.items() if isinstance(answer, Mapping) else cast("list[Any]", answer)
    return [(_text(name), entries(rows)) for name, rows in pairs]


def entries(rows: object) -> list[StreamEntry]:
    """Normalise stream entries; redis-py wraps them in one more list under RESP3, and a deleted entry is None."""
    found: list[StreamEntry] = []
    for row in cast("list[Any]", rows or []):
        if row and isinstance(row[0], list | tuple):
            found += entries(row)
        elif row and row[1] is not None:
            found.append(StreamEntry(_text(row[0]), _fields(row[1])))
    return found


def _fields(given: object) -> dict[str, str]:
    if isinstance(given, Mapping):
        return {_text(name): _text(value) for name, value in given.items()}
    flat = [_text(part) for part in cast("list[Any]", given)]
    return dict(zip(flat[::2], flat[1::2], strict=True))


def _text(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _client(url: str, *, timeout_s: float) -> Redis:
    pool = BlockingConnectionPool.from_url(
        url,
        max_connections=CONNECTIONS,
        timeout=CALL_LIMIT_S,
        socket_connect_timeout=CONNECT_TIMEOUT_S,
        socket_timeout=timeout_s,
        decode_responses=True,
        encoding_errors="replace",
        driver_info=None,  # else each connection reads the version of redis-py from its metadata: 5 ms on the event loop
        retry=Retry(ConstantBackoff(RETRY_PAUSE_S), RETRIES, supported_errors=(RedisConnectionError,)),
    )
    return Redis.from_pool(pool)  # closes the pool with the client, which `Redis(connection_pool=…)` does not
