"""Dead letters: listed whole, put back in one step, thrown away."""

from uuid import uuid4

import pytest

from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import Keyspace
from bot.adapters.work.dead_letters import PAGE, DeadLetters
from bot.adapters.work.queue import RedisWorkQueue
from bot.messages import AcceptedMessage
from bot.questions.message_json import message_to_json
from tests.bot.adapters.serving import LEASE_S, all_done, serving
from tests.sample_messages import message


async def _bury(link: RedisLink, keys: Keyspace, name: str, *, text: str | None = None, partition: int = 3) -> None:
    body = message_to_json(message(name)) if text is None else text
    await link.execute("XADD", keys.of(partition, "dead"), "*", "message", body, "reason", "too many starts")


async def test_listed_by_partition_and_age(redis_link: RedisLink, redis_keys: Keyspace) -> None:
    """Every one is given, over many pages, with what is known of it; what cannot be read is shown as such."""
    for n in range(PAGE + 2):
        await _bury(redis_link, redis_keys, f"m{n}")
    await _bury(redis_link, redis_keys, "", text="no JSON", partition=1)
    letters = [letter async for letter in DeadLetters(redis_link, redis_keys).all()]
    assert [letter.message.message_id if letter.message else "" for letter in letters] == [
        "", *(f"m{n}" for n in range(PAGE + 2)),
    ]  # fmt: skip
    assert letters[0].id.startswith("01-")
    assert letters[1].reason == "too many starts"
    assert 0 <= letters[1].age_s < 60


async def test_a_retried_question_is_answered(redis_link: RedisLink, redis_keys: Keyspace) -> None:
    """Put back it is served once, and is no dead letter any more."""
    await _bury(redis_link, redis_keys, "m1")
    letters = DeadLetters(redis_link, redis_keys)
    [letter] = [letter async for letter in letters.all()]
    assert [await letters.retry(letter.id) for _ in range(2)] == [True, False]
    seen: list[str] = []

    async def handle(asked: AcceptedMessage) -> None:
        seen.append(asked.message_id)

    async with serving(RedisWorkQueue(redis_link, redis_keys, lease_s=LEASE_S), handle):
        await all_done(redis_link, redis_keys)
    assert seen == ["m1"]
    assert [letter async for letter in letters.all()] == []
    assert await redis_link.execute("TTL", redis_keys.of(3, "work")) > 0


async def test_what_cannot_be_read_is_only_dropped(redis_link: RedisLink, redis_keys: Keyspace) -> None:
    """A foreign entry does not go back into the queue."""
    await _bury(redis_link, redis_keys, "", text="no JSON")
    letters = DeadLetters(redis_link, redis_keys)
    [letter] = [letter async for letter in letters.all()]
    assert not await letters.retry(letter.id)
    assert [await letters.drop(letter.id) for _ in range(2)] == [True, False]


@pytest.mark.parametrize("name", ["", "x", "3", "99-1-0", "03-1", "03-a-b", "03-1-0-0", "٣-1-0", f"03-{'9' * 40}-0"])
async def test_ids_that_name_nothing(redis_link: RedisLink, name: str) -> None:
    """An id of any form is answered with no, never with an error of the server."""
    letters = DeadLetters(redis_link, Keyspace(f"none-{uuid4().hex[:8]}:", 16))
    assert not await letters.retry(name)
    assert not await letters.drop(name)
