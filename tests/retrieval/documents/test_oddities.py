"""Claims of `retrieval.documents.oddities`: future and missing dates and long tables are told, and cost nothing."""

import datetime as dt
from dataclasses import replace

from retrieval.documents import Document, long_tables, odd_dates, undated

TODAY = dt.date(2026, 11, 30)
ARTICLE = Document(id="kb-1", text="Text.", updated_at="2026-11-01", source="a.md")


def test_a_clock_in_the_future_is_told() -> None:
    """More than a day ahead; today, tomorrow, a bare year that has begun, and no date are not."""
    fine = [replace(ARTICLE, updated_at=value) for value in ("", "2026", "2026-12-01T10:00:00Z", "2026-11-30")]
    assert odd_dates(fine, TODAY) == []
    (note,) = odd_dates([replace(ARTICLE, updated_at="", created_at="2031-01-01")], TODAY)
    assert str(note) == "a.md: created_at 2031-01-01 of 'kb-1' lies in the future"
    assert note.is_note


def test_documents_without_a_date_are_counted() -> None:
    """One of the two dates is enough."""
    assert undated([ARTICLE, replace(ARTICLE, updated_at=""), replace(ARTICLE, updated_at="", created_at="2020")]) == 1


def test_a_long_table_is_told() -> None:
    """From thousands of rows on; a short one is not."""
    assert long_tables([replace(ARTICLE, text="| a | b |\n" * 2_000)]) == []
    (note,) = long_tables([replace(ARTICLE, text="| a | b |\n" * 10_000)])
    assert "holds tables of 10000 rows" in str(note)
