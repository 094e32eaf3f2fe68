"""Adds up what model calls used."""

from bot.messages import Usage


def added(left: Usage, right: Usage) -> Usage:
    """Give the sum of two usages; its cost is unknown when either is."""
    is_known = left.cost_usd is not None and right.cost_usd is not None
    return Usage(
        input_tokens=left.input_tokens + right.input_tokens,
        cached_input_tokens=left.cached_input_tokens + right.cached_input_tokens,
        output_tokens=left.output_tokens + right.output_tokens,
        calls=left.calls + right.calls,
        cost_usd=(left.cost_usd or 0.0) + (right.cost_usd or 0.0) if is_known else None,
    )
