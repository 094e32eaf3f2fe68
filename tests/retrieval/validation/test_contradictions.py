"""Contradictions among the statements of a base."""

from datetime import date

from retrieval.documents import Document
from retrieval.validation import find_contradictions, validate
from retrieval.validation.report import statements

TODAY = date(2026, 11, 30)


def _ticket(name: str, question: str, resolution: str, *, product: str = "", day: str = "") -> Document:
    return Document(
        id=name,
        kind="ticket",
        title=question,
        question=question,
        resolution=resolution,
        lang="en",
        product=product,
        updated_at=day,
    )


def _pairs(*documents: Document) -> list[frozenset[str]]:
    return [frozenset(one.ids) for one in validate(documents, today=TODAY).conflicts]


def test_amounts_that_differ_in_every_case_are_no_rule() -> None:
    """What the same words say with ever other values tells single cases."""
    refunds = [
        _ticket(f"t{n}", "Refund", f"We transferred {n * 7} euros to the card of the customer.") for n in range(1, 6)
    ]
    assert _pairs(*refunds) == []


def test_another_product_is_another_case() -> None:
    """By the field as well as by a name in the text."""
    first = _ticket("a", "Drafts", "Drafts are kept for 14 days in the folder.", product="Alpha")
    second = _ticket("b", "Drafts", "Drafts are kept for 30 days in the folder.", product="Beta")
    third = _ticket("c", "Drafts", "Drafts are kept for 30 days in the folder.", product="Alpha")
    assert _pairs(first, second) == []
    assert _pairs(first, second, third) == [frozenset(("a", "c"))]


def test_confirmations_are_counted_and_decide_last() -> None:
    """Of two tickets of one day the one is preferred that a third one confirms."""
    documents = [
        _ticket("a", "Drafts", "Drafts are kept for 14 days in the folder.", day="2026-01-01"),
        _ticket("b", "Drafts", "Drafts are kept for 30 days in the folder.", day="2026-01-01"),
        _ticket("c", "Old drafts", "Drafts are kept for a month in the folder.", day="2026-01-01"),
    ]
    found = validate(documents, today=TODAY).conflicts
    preferred = {one.prefer for one in found if "b" in one.ids}
    assert preferred == {"b"}


def test_two_pages_of_a_setting_disagree_about_its_default() -> None:
    """The constants count, not the words around them."""
    pages = [
        Document(id="old", title="config color", text="- Default: true\n- Type: Boolean", lang="en"),
        Document(id="new", title="config color", text="- Default: `false`\n- Type: Boolean", lang="en"),
    ]
    (one,) = find_contradictions([s for page in pages for s in statements(page)], least=0.3).contradictions
    assert one.comparison.kind == "setting"
    assert one.comparison.values == ("true", "`false`")


def test_an_empty_base_is_clean() -> None:
    """Nothing in, nothing out."""
    assert validate([], today=TODAY).is_clean
    assert find_contradictions([], least=0.3).contradictions == ()
