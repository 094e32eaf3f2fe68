"""What a call costs."""

import pytest

from bot.adapters.model.cost import TokenCounts, cost_usd, usage_of

PRICE = {"input": 3.0, "cached_input": 0.3, "cache_write": 3.75, "output": 15.0}


def test_four_kinds_of_tokens_have_four_prices() -> None:
    """A million tokens of each kind cost the sum of the prices."""
    million = TokenCounts(10**6, 10**6, 10**6, 10**6)
    assert cost_usd(million, PRICE) == pytest.approx(22.05)


@pytest.mark.parametrize("missing", ["input", "cached_input", "cache_write", "output"])
def test_unknown_price_gives_no_cost(missing: str) -> None:
    """A kind that was used and has no price makes the cost unknown; one that was not used does not."""
    known = {kind: value for kind, value in PRICE.items() if kind != missing}
    assert cost_usd(TokenCounts(1, 1, 1, 1), known) is None
    assert cost_usd(TokenCounts(), known) == 0.0
    assert cost_usd(TokenCounts(1, 1, 1, 1), None) is None


def test_usage_adds_up_the_input() -> None:
    """The input is everything that was read; what came from the cache is named beside it."""
    usage = usage_of(TokenCounts(1, 2, 4, 8), model="m", prices={}, calls=2)
    assert (usage.input_tokens, usage.cached_input_tokens, usage.output_tokens, usage.calls) == (7, 2, 8, 2)
    assert usage.cost_usd is None
