"""How long is waited between attempts, and what is let go of with a lease."""

from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import Keyspace
from bot.adapters.work.lanes import Lanes, RetryPolicy
from bot.adapters.work.leases import Lease, Leases
from bot.adapters.work.stream import Job, WorkStreams
from bot.messages import AcceptedMessage
from tests.sample_messages import message


@given(st.integers(1, 500), st.text(max_size=10), st.floats(0, 1_000))
def test_pauses_grow_within_bounds(failures: int, seed: str, told: float) -> None:
    """A pause doubles up to its limit, is spread by at most a half, and never undercuts what the platform said."""
    policy = RetryPolicy(first_pause_s=0.5, longest_pause_s=60.0)
    pause = policy.pause_s(failures, seed=seed, at_least_s=told)
    least = min(0.5 * 2 ** min(failures - 1, 16), 60.0)
    assert max(least, told) <= pause <= max(least * 1.5, told)


async def test_a_lane_cancelled_before_its_first_step_keeps_no_room(redis_keys: Keyspace) -> None:
    """A lease that is lost right after a question was taken in takes no room for ever, and the question can come again."""
    link, begun = RedisLink("unix:///nowhere/redis.sock"), list[str]()

    async def handle(asked: AcceptedMessage) -> None:
        begun.append(asked.message_id)

    lanes, leases = Lanes(WorkStreams(link, redis_keys, worker="a"), handle, RetryPolicy(backlog=1)), _none(link)
    lanes.add(Job(Lease(0, "a#1"), "1-0", "", message()))
    lanes.cancel_lost(leases)
    await lanes.changed(1.0)
    assert (lanes.room, begun) == (1, [])
    await link.close()


def _none(link: RedisLink) -> Leases:
    """Give the leases of a worker that holds none."""
    return Leases(link, Keyspace("none:"), "a")
