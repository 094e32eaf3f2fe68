"""How long is waited between attempts."""

from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.work_lanes import RetryPolicy


@given(st.integers(1, 500), st.text(max_size=10), st.floats(0, 1_000))
def test_pauses_grow_within_bounds(failures: int, seed: str, told: float) -> None:
    """A pause doubles up to its limit, is spread by at most a half, and never undercuts what the platform said."""
    policy = RetryPolicy(first_pause_s=0.5, longest_pause_s=60.0)
    pause = policy.pause_s(failures, seed=seed, at_least_s=told)
    least = min(0.5 * 2 ** min(failures - 1, 16), 60.0)
    assert max(least, told) <= pause <= max(least * 1.5, told)
