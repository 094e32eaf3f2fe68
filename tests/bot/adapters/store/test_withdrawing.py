"""Withdrawn sources on a real Redis: turns cite them no more, answers and rewrites made of them are gone."""

from dataclasses import replace

import pytest

from bot.adapters.store.answers import RedisAnswers
from bot.adapters.store.client import RedisLink
from bot.adapters.store.history import RedisThreadStore
from bot.adapters.store.keys import Keyspace
from bot.adapters.store.withdrawing import RedisSourceWithdrawals
from bot.answers.kept_answers import KeptAnswer
from bot.lead.receipts import Receipt, receipt_to_json
from bot.messages import MessageId
from tests.sample_messages import answer, message, thread, turn

pytestmark = pytest.mark.parametrize("own_redis_server", ["valkey"], indirect=True)


async def test_everything_that_rests_on_a_source(own_redis_link: RedisLink) -> None:
    """The turn says that it is gone and keeps its place and lifetime; a turn on another source, and its answer, stay."""
    keys = Keyspace()
    threads, answers = RedisThreadStore(own_redis_link, keys), RedisAnswers(own_redis_link, keys)
    await threads.remember(thread(), turn("first"), message_id=MessageId("m1"))
    await threads.remember(thread(), replace(turn("second"), cited_ids=("kb-7",)), message_id=MessageId("m2"))
    asked = replace(message("m1"), received_at=10.0)
    await answers.keep(KeptAnswer(asked, answer(), asker="", earlier=()))
    await own_redis_link.execute("SET", keys.of(1, "rewrite", "x"), "{}", "EX", 100)
    withdrawals = RedisSourceWithdrawals(own_redis_link, keys)
    assert await withdrawals.withdraw(["kb-101"]) == {"turns": 1, "answers": 1, "rewrites": 1}
    first, second = await threads.turns(thread())
    assert (first.question, first.cited_ids, first.withdrawn_ids) == ("first", (), ("kb-101",))
    assert second.cited_ids == ("kb-7",)
    assert await answers.find(thread(), MessageId("m1")) is None
    assert await withdrawals.withdraw(["kb-101"]) == {"turns": 0, "answers": 0, "rewrites": 0}


async def test_posts_that_cite_a_source(own_redis_link: RedisLink) -> None:
    """Found oldest first; a receipt is written anew with its lifetime, or dropped; one that expired meanwhile stays gone."""
    keys = Keyspace()
    withdrawals = RedisSourceWithdrawals(own_redis_link, keys)
    receipts = [Receipt(MessageId(f"m{at}"), thread(), ("1.1",), ("kb-101", "kb-2"), "", float(at)) for at in (2, 1)]
    for receipt in receipts:
        key = keys.of_thread(thread(), "receipt", receipt.message_id)
        await own_redis_link.execute("SET", key, receipt_to_json(receipt), "EX", 100)
    assert [found.at for found in await withdrawals.receipts("kb-101")] == [1.0, 2.0]
    await withdrawals.keep_receipt(replace(receipts[0], cited=("kb-2",)))
    await withdrawals.keep_receipt(replace(receipts[0], message_id=MessageId("expired")))
    await withdrawals.drop_receipt(receipts[1])
    assert await withdrawals.receipts("kb-101") == []
    assert [found.message_id for found in await withdrawals.receipts("kb-2")] == ["m2"]
    assert 0 < await own_redis_link.execute("TTL", keys.of_thread(thread(), "receipt", "m2")) <= 100
