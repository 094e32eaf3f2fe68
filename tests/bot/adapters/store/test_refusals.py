"""A Redis that answers and takes no writes says why."""

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import OutOfMemoryError, ReadOnlyError, ResponseError

from bot.adapters.store.client import RedisLink, bounded
from bot.adapters.store.history import RedisThreadStore
from bot.adapters.store.keys import Keyspace
from bot.adapters.store.refusals import refusal_of
from bot.errors import Refusal, StateRefused, StateUnavailable
from bot.messages import MessageId
from bot.questions.direct_door import DirectDoor
from bot.texts import say
from tests.redis_servers import RedisServer
from tests.sample_messages import answer, message, thread, turn

KEY = Keyspace().writable


@pytest.mark.parametrize(
    ("error", "refusal"),
    [
        (OutOfMemoryError("command not allowed when used memory > 'maxmemory'."), Refusal.FULL),
        (ResponseError("Error running script: @user_script:3: -OOM command not allowed"), Refusal.FULL),
        (ResponseError("MISCONF Errors writing to the AOF file: No space left on device"), Refusal.DISK),
        (ReadOnlyError("You can't write against a read only replica."), Refusal.REPLICA),
        (ResponseError("NOREPLICAS Not enough good replicas to write."), Refusal.REPLICAS_AWAY),
        (ResponseError("WRONGPASS invalid username-password pair"), Refusal.PASSWORD),
        (ResponseError("ERR value is not an integer"), None),
        (RedisConnectionError("Connection refused"), None),
        (OSError("No space left on device"), None),
    ],
)
def test_the_reason_is_told_from_the_error(error: Exception, refusal: Refusal | None) -> None:
    """Classes of the client and codes within its texts name the reason; an error without an answer names none."""
    assert refusal_of(error) is refusal


async def test_the_servers_words_are_not_passed_on() -> None:
    """A refusal is `StateRefused` in our words alone."""

    async def fail() -> None:
        raise ResponseError("MISCONF canary-key cannot be written")

    with pytest.raises(StateRefused) as caught:
        await bounded(fail())
    assert "canary" not in str(caught.value)
    assert caught.value.refusal is Refusal.DISK


@pytest.mark.parametrize("own_redis_server", ["valkey"], indirect=True)
async def test_full_and_replica_are_seen_by_a_write(own_redis_link: RedisLink) -> None:
    """A full server and a replica answer a ping and fail the write; a turn that they cannot keep is told in the answer."""
    keys = Keyspace()
    threads = RedisThreadStore(own_redis_link, keys)
    await own_redis_link.check_writes(KEY)
    assert 0 < int(await own_redis_link.execute("TTL", KEY)) <= 60
    for setting, refusal in (("maxmemory", Refusal.FULL), ("replicaof", Refusal.REPLICA)):
        if setting == "maxmemory":
            await own_redis_link.execute("CONFIG", "SET", "maxmemory", "1")
        else:
            await own_redis_link.execute("CONFIG", "SET", "maxmemory", "0")
            await own_redis_link.execute("REPLICAOF", "127.0.0.1", "1")
        await own_redis_link.ping()
        with pytest.raises(StateRefused) as caught:
            await own_redis_link.check_writes(KEY)
        assert caught.value.refusal is refusal
        with pytest.raises(StateUnavailable):
            await threads.remember(thread(), turn(), message_id=MessageId("m1"))
        told = await DirectDoor(_Responder(), threads).answer(message())
        assert [notice.text for notice in told.notices] == [say("turn_lost", "en")]


class _Responder:
    async def respond(self, message: object, *, is_stateless: bool = False) -> object:
        return answer()


@pytest.mark.parametrize("own_redis_server", ["valkey"], indirect=True)
async def test_a_server_that_takes_writes_leaves_the_answer_alone(own_redis_server: RedisServer) -> None:
    """No notice where the turn was kept."""
    link = RedisLink(own_redis_server.url)
    told = await DirectDoor(_Responder(), RedisThreadStore(link, Keyspace())).answer(message())
    assert told.notices == ()
    await link.close()
