"""Unanswered questions on a real Redis: kept once, for a while, and gone with whom or what they belong to."""

from dataclasses import replace

import pytest

from bot.adapters.store.client import RedisLink
from bot.adapters.store.forgetting import RedisForgetting
from bot.adapters.store.gaps import RedisGaps
from bot.adapters.store.keys import Keyspace
from bot.adapters.store.pseudonyms import Pseudonyms
from bot.lead.forgetting import SubjectKind
from bot.lead.gaps import Gap, GapReason
from bot.messages import MessageId
from retrieval.redaction import RedactedText
from tests.sample_messages import thread

pytestmark = pytest.mark.parametrize("own_redis_server", ["valkey"], indirect=True)


def gap(name: str, *, asked_at: float = 100.0, thread_id: str = "t1", asker: str = "") -> Gap:
    """Make a gap."""
    text = RedactedText.stored(f"question {name}")
    return Gap(
        MessageId(name), thread(thread_id), text, text, "en", GapReason.NO_MATCH, asked_at, asker=asker, cited=("kb-7",)
    )


async def test_kept_once_by_time_and_for_a_while(own_redis_link: RedisLink) -> None:
    """A later note of the same message takes the place of the first; the key expires; a foreign value is skipped."""
    keys = Keyspace()
    gaps = RedisGaps(own_redis_link, keys, ttl_s=500)
    await gaps.note(gap("b", asked_at=200.0, thread_id="t2"))
    await gaps.note(gap("a"))
    await gaps.note(replace(gap("a"), reason=GapReason.THUMBS_DOWN))
    await own_redis_link.execute("SET", keys.of(3, "gap", "odd"), "{}", "EX", 9)
    assert [(found.message_id, found.reason) for found in await gaps.all()] == [
        ("a", GapReason.THUMBS_DOWN),
        ("b", GapReason.NO_MATCH),
    ]
    assert [found.message_id for found in await gaps.all(since=150.0)] == ["b"]
    assert 0 < await own_redis_link.execute("TTL", keys.of_thread(thread("t1"), "gap", "a")) <= 500


async def test_forgotten_with_person_thread_and_document(own_redis_link: RedisLink) -> None:
    """Each kind of forgetting takes its own gaps, and one that is noted late of a question asked before is not kept."""
    keys, people = Keyspace(), Pseudonyms(own_redis_link, Keyspace())
    gaps, forgetting = RedisGaps(own_redis_link, keys), RedisForgetting(own_redis_link, keys, people)
    mine = gap("mine", asker=await people.of("U1"))
    await gaps.note(mine)
    await gaps.note(replace(gap("other", thread_id="t2"), cited=()))
    await gaps.note(gap("cites", thread_id="t3"))
    found = await forgetting.forget(await forgetting.subject(SubjectKind.USER, "U1"))
    assert found.counts["gaps"] == 1
    await gaps.note(mine)
    assert {kept.message_id for kept in await gaps.all()} == {"other", "cites"}
    await forgetting.forget(await forgetting.subject(SubjectKind.DOCUMENT, "kb-7"))
    assert {kept.message_id for kept in await gaps.all()} == {"other"}
    await forgetting.forget(await forgetting.subject(SubjectKind.THREAD, "t2"))
    assert await gaps.all() == []


async def test_a_deleted_message_takes_its_gap_along(own_redis_link: RedisLink) -> None:
    """What its author deleted on the platform is not listed any more."""
    keys = Keyspace()
    gaps = RedisGaps(own_redis_link, keys)
    await gaps.note(gap("m1"))
    forgetting = RedisForgetting(own_redis_link, keys, Pseudonyms(own_redis_link, keys))
    await forgetting.withdraw(MessageId("m1"), thread("t1"))
    assert await gaps.all() == []
