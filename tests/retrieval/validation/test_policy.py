"""Which of two sources that disagree is preferred."""

from datetime import date

from retrieval.documents import Document
from retrieval.validation import Ground, prefer, read_date
from retrieval.validation.policy import dated, reason, replacements

TODAY = date(2026, 11, 30)


def _document(name: str, **facts: object) -> Document:
    return Document(id=name, text="x", **facts)  # type: ignore[arg-type]  # a test's short form


def test_what_replaces_wins_over_everything() -> None:
    """A source that says it replaces another is right, also through a chain and as a ticket."""
    old, new = _document("a", updated_at="2026-01-01"), _document("b", kind="ticket", supersedes=("a",))
    replaced, rings = replacements([old, new])
    assert (replaced, rings) == ({"a": "b"}, ())
    assert prefer(old, new, today=TODAY, replaced=replaced).ground is Ground.SUPERSEDES
    assert prefer(old, new, today=TODAY, replaced={"a": "m", "m": "b"}).id == "b"


def test_an_article_wins_over_a_newer_ticket_and_may_be_out_of_date() -> None:
    """The case that people argue about: 14 days in an article of 2024, 30 in a ticket of 2026."""
    article = _document("KB-101", updated_at="2024-05-01")
    ticket = _document("TCK-2040", kind="ticket", updated_at="2026-02-01")
    for pair in ((article, ticket), (ticket, article)):
        preference = prefer(*pair, today=TODAY)
        assert (preference.id, preference.ground, preference.is_outdated) == ("KB-101", Ground.ARTICLE, True)
        said = reason(preference, *pair, today=TODAY)
        assert "2024-05-01" in said
        assert "2026-02-01" in said
        assert "may be out of date" in said


def test_then_status_date_and_confirmations_decide_in_this_order() -> None:
    """Approved over draft, then newer, then what more others say; else nobody wins."""
    first, second = _document("a", status="approved", updated_at="2024-01-01"), _document("b", status="draft")
    assert prefer(first, second, today=TODAY).ground is Ground.APPROVED
    late, early = _document("a", updated_at="2026-01-01"), _document("b", updated_at="2025-01-01")
    assert prefer(early, late, today=TODAY, confirmations=(9, 0)).id == "a"
    same = _document("c", updated_at="2026-01-01")
    assert prefer(late, same, today=TODAY, confirmations=(1, 3)).id == "c"
    assert prefer(late, same, today=TODAY, confirmations=(3, 1)).id == "a"
    assert prefer(late, same, today=TODAY).ground is Ground.NONE
    assert "nothing tells" in reason(prefer(late, same, today=TODAY), late, same, today=TODAY)


def test_a_clock_in_the_future_and_no_date_decide_nothing() -> None:
    """A date that is still to come is none; the date of creation stands in for it."""
    ahead, plain = _document("a", updated_at="2031-01-01"), _document("b", updated_at="2025-01-01")
    assert prefer(ahead, plain, today=TODAY).ground is Ground.NONE
    assert dated(_document("a", updated_at="2031-01-01", created_at="2024-02-02"), TODAY) == date(2024, 2, 2)


def test_sources_that_replace_each_other_replace_nothing() -> None:
    """A ring of any length, and a source that names itself, are reported; a chain into the ring stays."""
    ring = [_document(n, supersedes=(o,)) for n, o in (("a", "b"), ("b", "c"), ("c", "a"))]
    alone = _document("s", supersedes=("s",))
    old, newer = _document("old"), _document("newer", supersedes=("old",))
    replaced, rings = replacements([*ring, alone, old, newer])
    assert replaced == {"old": "newer"}
    assert sorted(rings) == [("a", "b", "c"), ("s",)]


def test_dates_of_years_and_months_count_from_their_first_day() -> None:
    """What a source calls its date is read as far as it goes."""
    assert read_date("2024") == date(2024, 1, 1)
    assert read_date("2024-05") == date(2024, 5, 1)
    assert read_date("2024-05-06T10:00:00Z") == date(2024, 5, 6)
    assert read_date("yesterday") is None
