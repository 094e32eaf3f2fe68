"""What model calls used and cost. Prices are US dollars per million tokens and come from the settings."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.messages import Usage

Prices = Mapping[str, Mapping[str, float]]
_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class TokenCounts:
    """Tokens of one call. `fresh` input was neither read from nor written to the cache; the three inputs add up."""

    fresh: int = 0
    cache_read: int = 0
    cache_written: int = 0
    output: int = 0


def usage_of(tokens: TokenCounts, *, model: str, prices: Prices, calls: int) -> Usage:
    """Give the usage of one call: `input_tokens` is the whole input, of which `cached_input_tokens` came from the cache."""
    return Usage(
        input_tokens=tokens.fresh + tokens.cache_read + tokens.cache_written,
        cached_input_tokens=tokens.cache_read,
        output_tokens=tokens.output,
        calls=calls,
        cost_usd=cost_usd(tokens, prices.get(model)),
    )


def cost_usd(tokens: TokenCounts, price: Mapping[str, float] | None) -> float | None:
    """Price one call; None when the model or a kind of token that was used has no price.

    Keys of `price`: `input`, `cached_input`, `cache_write`, `output`.
    """
    if price is None:
        return None
    used = (
        ("input", tokens.fresh),
        ("cached_input", tokens.cache_read),
        ("cache_write", tokens.cache_written),
        ("output", tokens.output),
    )
    if any(count and kind not in price for kind, count in used):
        return None
    return sum(count * price.get(kind, 0.0) for kind, count in used) / _MILLION
