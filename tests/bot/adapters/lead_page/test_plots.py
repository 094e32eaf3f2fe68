"""Bars of the lead's page."""

from bot.adapters.lead_page.plots import DAYS, HEIGHT, plot_of

LEGEND = (("gap", "unanswered"), ("down", "voted down"))


def test_the_highest_bar_fills_the_drawing_and_the_last_days_count() -> None:
    """Of 40 days the last 30 are drawn, each with a bar for each name, and every seventh is labelled."""
    by_day = {f"2026-{10 + n // 30}-{n % 30 + 1:02d}": {"gap": n} for n in range(40)}
    plot = plot_of("Questions", by_day, LEGEND)
    assert plot is not None
    assert (len(plot.bars), plot.most, max(bar.height for bar in plot.bars)) == (2 * DAYS, 39, HEIGHT)
    assert plot.bars[-2].told == "2026-11-10: 39 unanswered"
    assert plot.bars[-1].told == "2026-11-10: 0 voted down"
    assert [day for _, day in plot.days] == ["11.10.", "18.10.", "25.10.", "02.11.", "09.11."]
    assert max(bar.left + bar.width for bar in plot.bars) <= plot.width


def test_without_numbers_there_is_no_plot() -> None:
    """No day, and days on which nothing was counted."""
    assert plot_of("Questions", {}, LEGEND) is None
    assert plot_of("Questions", {"2026-11-30": {"other": 3}}, LEGEND) is None
