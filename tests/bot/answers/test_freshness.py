"""Notices from the dates of the sources themselves."""

from datetime import date

from bot.answers.freshness import day_of, expired_on, freshness_notices, passed_notices, read_date, replaced_ids
from bot.messages import NoticeKind
from retrieval.passages import DocumentCard
from tests.bot.flow_kit import card, text
from tests.fakes import make_passage

TODAY = date(2026, 9, 21)


def _kinds(*cards: DocumentCard, others: tuple[DocumentCard, ...] = ()) -> list[tuple[NoticeKind, tuple[str, ...]]]:
    passages = [make_passage(c, "Some words stand here.") for c in (*cards, *others)]
    return [(n.kind, n.ids) for n in freshness_notices(cards, passages, today=TODAY, language="en")]


def test_each_date_gives_its_notice() -> None:
    """Expired, due for review, replaced by id, marked as replaced; a fresh one gives none."""
    assert _kinds(card("a", valid_until="2026-09-20")) == [(NoticeKind.STALE, ("a",))]
    assert _kinds(card("a", review_by="2025-01-31T00:00:00Z")) == [(NoticeKind.STALE, ("a",))]
    assert _kinds(card("a", status="superseded")) == [(NoticeKind.SUPERSEDED, ("a",))]
    assert _kinds(card("a"), others=(card("b", supersedes=("a",)),)) == [(NoticeKind.SUPERSEDED, ("a", "b"))]
    assert _kinds(card("a", valid_until="2026-09-21", review_by="2027-01-01")) == []


def test_two_that_replace_each_other_replace_nothing() -> None:
    """A circle of links decides nothing."""
    circle = [make_passage(card("a", supersedes=("b",)), "x"), make_passage(card("b", supersedes=("a",)), "y")]
    assert replaced_ids(circle) == {}


def test_odd_dates_are_ignored() -> None:
    """What is no date says nothing."""
    assert read_date("soon") is None
    assert not expired_on(card("a", valid_until="n/a"), TODAY)
    assert day_of(0.0) == date(1970, 1, 1)


def test_a_source_left_out_for_a_newer_one_is_named() -> None:
    """Whoever asks for the old page learns that the quoted one replaces it."""
    old, new = card("v1"), card("v2", supersedes=("v1",))
    passages = [make_passage(c, "Some words stand here.") for c in (old, new)]
    notices = freshness_notices([new], passages, today=TODAY, language="en")
    assert [(n.kind, n.ids) for n in notices] == [(NoticeKind.SUPERSEDED, ("v1", "v2"))]
    assert freshness_notices([card("other")], passages, today=TODAY, language="en") == ()


def test_a_quoted_end_that_has_passed_is_told_with_its_owner() -> None:
    """An article that says "until 31 March 2024" is stale in 2026; a ticket tells what was, and a day to come has not passed."""
    past = text("The discount can be used until 31 March 2024.")
    article = card("kb-1", owner="Sales")
    (notice,) = passed_notices([(article, past), (article, past)], today=TODAY, language="en")
    assert notice.ids == ("kb-1",)
    assert "2024-03-31" in notice.text
    assert "Sales" in notice.text
    assert passed_notices([(card("t", kind="ticket"), past)], today=TODAY, language="en") == ()
    assert passed_notices([(article, text("Use it until 31 March 2099."))], today=TODAY, language="en") == ()
