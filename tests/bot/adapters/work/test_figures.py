"""What the metrics say of the queue: counts and ages over all partitions, on a real server."""

import asyncio
import time

from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import Keyspace
from bot.adapters.web.metrics import AnswerMetrics
from bot.adapters.work.figures import QueueFigures, read_figures
from bot.adapters.work.lanes import RetryPolicy
from bot.adapters.work.queue import RedisWorkQueue
from bot.messages import AcceptedMessage
from tests.bot.adapters.serving import LEASE_S, serving, until
from tests.sample_messages import message


async def test_an_empty_queue(redis_link: RedisLink, redis_keys: Keyspace) -> None:
    """Without a stream or a group everything is 0."""
    assert await read_figures(redis_link, redis_keys) == QueueFigures()


async def test_waiting_taken_and_given_up(redis_link: RedisLink, redis_keys: Keyspace) -> None:
    """Two wait, one of them taken, one was given up; ages are those of the oldest by the server's clock."""
    queue = RedisWorkQueue(redis_link, redis_keys, lease_s=LEASE_S, policy=RetryPolicy(backlog=1))
    long_ago = int(time.time() * 1000) - 90_000
    first = message("m1", thread_id="t")
    body = (await _json(queue, redis_link, redis_keys, first))[1]
    await redis_link.execute("DEL", redis_keys.of_thread(first.thread, "work"))
    for n in (0, 1):
        key = redis_keys.of_thread(first.thread, "work")
        await redis_link.execute("XADD", key, f"{long_ago + n}-0", "message", body)
    await redis_link.execute("XADD", redis_keys.of(2, "dead"), "*", "message", "x", "reason", "r")
    begun, released = asyncio.Event(), asyncio.Event()

    async def handle(asked: AcceptedMessage) -> None:
        begun.set()
        await released.wait()

    async with serving(queue, handle):
        await until(begun.is_set)
        figures = await read_figures(redis_link, redis_keys)
        released.set()
    assert (figures.entries, figures.pending, figures.dead_letters) == (2, 1, 1)
    assert 90 <= figures.oldest_s < 120
    assert 90 <= figures.oldest_pending_s < 120


async def _json(queue: RedisWorkQueue, link: RedisLink, keys: Keyspace, asked: AcceptedMessage) -> tuple[str, str]:
    await queue.enqueue(asked, claims=["c"])
    ((entry, fields),) = await link.execute("XRANGE", keys.of_thread(asked.thread, "work"), "-", "+")
    flat = fields if isinstance(fields, dict) else dict(zip(fields[::2], fields[1::2], strict=True))
    return entry, flat["message"]


async def test_deliveries_are_shown(redis_link: RedisLink, redis_keys: Keyspace) -> None:
    """Each delivery of a question is counted, a repeated one as known."""
    queue, seen = RedisWorkQueue(redis_link, redis_keys), list[tuple[str, bool]]()
    queue.observe_intake(lambda platform, is_new: seen.append((platform, is_new)))
    for _ in range(2):
        await queue.enqueue(message("m1"), claims=["m1"])
    assert seen == [("slack", True), ("slack", False)]


def test_the_exposition_names_everything() -> None:
    """Queue, dead letters, deliveries, refusals, model errors and waits are shown; without Redis the queue is absent."""
    metrics = AnswerMetrics()
    metrics.show_queue(QueueFigures(5, 12.5, 2, 3.5, 1))
    metrics.observe_delivery("slack", False)
    metrics.observe_model_error("answer", "ChatModelUnavailable")
    metrics.observe_post(message("m1", received_at=time.time() - 2), 0.02)
    text = metrics.exposition().decode()
    for line in (
        "triage_redis_up 1.0", "triage_queue_entries 5.0", "triage_queue_oldest_seconds 12.5", "triage_queue_pending 2.0",
        "triage_queue_oldest_pending_seconds 3.5", "triage_dead_letters 1.0",
        'triage_deliveries_total{platform="slack",taken="no"} 1.0',
        'triage_model_errors_total{call="answer",error="ChatModelUnavailable"} 1.0',
        'triage_reply_seconds_bucket{le="5.0",platform="slack"} 1.0', 'triage_reply_seconds_bucket{le="1.0",platform="slack"} 0.0',
        'triage_stage_seconds_count{stage="post"} 1.0',
    ):  # fmt: skip
        assert line in text
    metrics.show_queue(None)
    text = metrics.exposition().decode()
    assert "triage_redis_up 0.0" in text
    assert "triage_queue_entries" not in text
    assert message("m1").text not in text
