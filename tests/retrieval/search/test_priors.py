"""Kind and date decide between sources that are about as near, and never lift a far one."""

import numpy as np

from retrieval.passages import DocumentCard
from retrieval.ports import StoredPassage
from retrieval.redaction import RedactedText
from retrieval.search.priors import by_priors, priors


def _card(name: str, **more: object) -> DocumentCard:
    return DocumentCard(id=name, title=RedactedText.stored(name), **more)  # type: ignore[arg-type]


def _stored(row: int, card: DocumentCard) -> StoredPassage:
    text = RedactedText.stored("text")
    return StoredPassage(row, f"{card.id}#0", card, text, text, (text,), None, row)


def _order(cards: list[DocumentCard], scores: list[float]) -> list[str]:
    """Give the ids in their order; the passages come best first, as a search gives them."""
    values = np.array(scores)
    stored = [_stored(row, card) for row, card in enumerate(cards)]
    found, places = by_priors(stored, np.arange(len(scores)), values)
    assert [one.row for one in found] == places[: len(stored)].tolist()
    return [one.card.id for one in found]


def test_an_article_goes_before_a_ticket_that_is_as_near() -> None:
    """Equal scores: the article is first; a ticket that is clearly nearer stays first."""
    cards = [_card("t-1", kind="ticket"), _card("kb-1")]
    assert _order(cards, [1.00, 1.00]) == ["kb-1", "t-1"]
    assert _order(cards, [1.10, 1.00]) == ["t-1", "kb-1"]


def test_the_newer_of_two_near_equals_is_first() -> None:
    """Dates decide between equals, are compared with each other and not with today, and a broken one counts for nothing."""
    cards = [_card("old", updated_at="2020-01-01"), _card("new", updated_at="2026-05-01T10:00:00Z")]
    assert _order(cards, [1.0, 1.0]) == ["new", "old"]
    assert _order(cards, [1.1, 1.0]) == ["old", "new"]
    assert priors([_card("a", updated_at="soon"), _card("b")]).tolist() == priors([_card("a"), _card("b")]).tolist()
    shifted = [_card("old", updated_at="2010-01-01"), _card("new", updated_at="2016-05-01")]
    np.testing.assert_allclose(priors(shifted), priors(cards), atol=1e-3)


def test_a_replaced_source_goes_behind_the_one_that_replaces_it() -> None:
    """The replacing source is first although the replaced one is a little nearer; without it nothing changes."""
    old, new = _card("v1"), _card("v2", supersedes=("v1",))
    assert _order([old, new], [1.05, 1.0]) == ["v2", "v1"]
    assert priors([old]).tolist() == priors([_card("other")]).tolist()


def test_unread_places_stay_behind() -> None:
    """Documents that were not read keep their order after those that were."""
    stored = [_stored(0, _card("t", kind="ticket")), _stored(1, _card("a"))]
    found, places = by_priors(stored, np.array([4, 2, 7, 1]), np.ones(8))
    assert [one.card.id for one in found] == ["a", "t"]
    assert places.tolist() == [2, 4, 7, 1]
    assert by_priors([], np.zeros(0, np.intp), np.ones(0))[0] == []
