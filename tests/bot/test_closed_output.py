"""Nothing that pings, loads or leads away leaves."""

import pytest

from bot.closed_output import has_active_markup, has_mention, is_closed, urls

SOURCES = ("https://help.example.com/reset", "See https://status.example.com/now?x=1.")


@pytest.mark.parametrize(
    "text",
    [
        "<!channel> reset it",
        "<!here|x> reset it",
        "<!subteam^S1|ops> reset it",
        "Ask <@U0BEN> first",
        "See <#C0DEV|dev>",
        "@here reset it",
        "@channel",
        "<at>Everyone</at> hello",
        "<!date^0^{date}^https://evil.example|today>",
        "![x](https://evil.example/?d=1)",
        '<img src="https://evil.example">',
        "<https://evil.example|https://help.example.com/reset>",
        "javascript:alert(1)",
        "slack://open",
        "Go to https://evil.example/reset",
        "Go to https://help.example.com/reset?q=data",
        "Go to https://help.example.com.evil.example/reset",
        "Go to www.evil.example",
        "Open http://help.example.com/reset",
    ],
)
def test_it_is_refused(text: str) -> None:
    """Mentions, images, hidden labels, other schemes, and addresses that no source has verbatim."""
    assert not is_closed(text, SOURCES)


@pytest.mark.parametrize(
    "text",
    [
        "Open https://help.example.com/reset.",
        "Open (https://status.example.com/now?x=1), then wait.",
        "Write to support@example.com, not to the team.",
        "Values < 5 & > 3 are fine.",
        "Use `a <b> c` there.",
    ],
)
def test_it_may_be_shown(text: str) -> None:
    """Addresses of the source, mail addresses and plain signs stay."""
    assert is_closed(text, SOURCES)


def test_urls_come_without_punctuation() -> None:
    """What follows an address is not part of it."""
    assert urls("See (https://a.example/b), or www.c.example!") == ("https://a.example/b", "www.c.example")


def test_a_mention_is_not_an_address() -> None:
    """`user@here.example` pings nobody."""
    assert not has_mention("user@here.example")
    assert not has_active_markup("the file: report.txt")
