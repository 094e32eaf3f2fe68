"""Findings as a lead reads them: one for each slot and two values, none of pages that are about different things."""

from datetime import date

from retrieval.documents import Document
from retrieval.validation import validate

_TODAY = date(2026, 11, 30)


def _ticket(name: str, text: str, *, lang: str = "en", kind: str = "ticket") -> Document:
    question = "How long can I ask for a refund?"
    return Document(id=name, kind=kind, lang=lang, title=question, question=question, resolution=text, text=text)


_SHORT = "The refund window is 14 days from delivery."
_LONG = "The refund window is 30 days from delivery."


def test_one_finding_for_all_who_say_one_of_two_values() -> None:
    """Two tickets with each value make one finding with four ids; the article's side is the preferred one, in whatever unit."""
    documents = [
        _ticket("t-1", _LONG),
        _ticket("t-2", "The refund window is thirty days from delivery, booked."),
        _ticket("t-3", "The refund window is two weeks from delivery."),
        _ticket("kb-1", _SHORT, kind="article"),
    ]
    (found,) = validate(documents, today=_TODAY).conflicts
    assert set(found.ids) == {"t-1", "t-2", "t-3", "kb-1"}
    assert {frozenset(side) for side in found.sides} == {frozenset({"t-1", "t-2"}), frozenset({"t-3", "kb-1"})}
    assert found.prefer == "kb-1"
    assert found.prefer in found.ids[:2]
    assert len(found.dates) == len(found.owners) == len(found.sentences) == 2


def _page(name: str, title: str, *sentences: str) -> Document:
    return Document(id=name, kind="article", lang="en", title=title, text="\n\n".join((*_FILL[name], *sentences)))


_FILL = {
    "kb-1": ("Open the settings of the till.", "Choose the bank account.", "Press save and wait."),
    "kb-2": ("Pack the goods well.", "Print the label at home.", "Bring the parcel to a shop."),
}


def test_two_pages_with_one_price_each_do_not_contradict() -> None:
    """A bank's fee for a returned debit is no price of a parcel, though both speak of a return and its price."""
    documents = [
        _page("kb-1", "Failed direct debits", "A return costs 4.50 €."),
        _page("kb-2", "Sending goods back", "The return costs 6.90 €."),
    ]
    assert not validate(documents, today=_TODAY).conflicts


def test_two_pages_that_say_one_thing_differently_do() -> None:
    """The same sentence with another value is found in pages of any length."""
    documents = [_page("kb-1", "Refunds", _SHORT), _page("kb-2", "Sending goods back", _LONG)]
    (found,) = validate(documents, today=_TODAY).conflicts
    assert set(found.ids) == {"kb-1", "kb-2"}


def test_versions_and_denials_of_two_pages_need_nearly_the_same_sentence() -> None:
    """Pages for two versions, and a page that says "can" beside one that says "cannot" of something else, are left alone."""
    documents = [
        _page(
            "kb-1", "Installing the till", "Apply fix pack 17.0.3 or later.", "You can export the customers archive."
        ),
        _page("kb-2", "Printing", "Apply fix pack 9.0.7 or later.", "You cannot export the archive of old labels."),
    ]
    assert not validate(documents, today=_TODAY).conflicts
    same = [_page("kb-1", "Export", "You can export the customer archive in the report."), _page("kb-2", "Export", "You cannot export the customer archive in the report.")]  # fmt: skip
    assert [one.kind for one in validate(same, today=_TODAY).conflicts] == ["polarity"]
