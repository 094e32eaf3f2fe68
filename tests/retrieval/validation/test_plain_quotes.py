"""Quotes without Markdown."""

import pytest

from retrieval.validation.plain_quotes import plain_quote


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("- **First payment:** the window is 14 days.", "First payment: the window is 14 days."),
        ("3. Press `Save`, see [the guide](https://example.com/x).", "Press Save, see the guide."),
        ("## Refunds", "Refunds"),
        ("| Team | €49 | up to 4 |", "Team · €49 · up to 4"),
        ("| plan | price |\n|---|---|\n| Team | €49 |", "plan price Team €49"),
        ("![the till](till.png) stands here", "the till stands here"),
        ("two\nlines", "two lines"),
        ("> quoted <b>text</b>", "quoted <b>text</b>"),
        ("snake_case_name * 2", "snake_case_name * 2"),
        ("---", "---"),
        ("", ""),
    ],
)
def test_a_quote_reads_as_it_is_shown(text: str, plain: str) -> None:
    """Words stay, marks go; what is nothing but marks stays as it is."""
    assert plain_quote(text) == plain
