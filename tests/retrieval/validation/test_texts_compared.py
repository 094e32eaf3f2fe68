"""Two texts side by side."""

import pytest

from retrieval.validation import Relation, compare_texts

_CONTRADICT = [
    ("The refund window is 14 days from the invoice.", "Refunds are possible within 30 days of the invoice."),
    ("Rückgabe ist innerhalb von 14 Tagen ab Lieferung möglich.", "You can return it within 30 days after delivery."),
    ("Archived customers are included in the CSV export.", "Archived customers are not included in the CSV export."),
    ("The app needs iOS 15 or newer.", "The app needs iOS 16 or newer."),
    ("Go to Settings > Notifications > Sounds to change it.", "Go to Settings > Devices > Sounds to change it."),
    ("La comisión por transferencia es del 1,5 %.", "La comisión por transferencia es del 0,5 %."),
    ("- Default: true\n- Type: Boolean", "- Default: false\n- Type: Boolean"),
    ("Пароль діє 90 днів.", "Пароль діє 6 місяців."),
    ("The office was moved to Leeds by the new owner.", "The office was moved to York by the new owner."),
]
_AGREE = [
    ("The refund window is 14 days from the invoice.", "Refunds are possible within two weeks of the invoice."),
    ("You are logged out after 2 hours of inactivity.", "You are logged out after 120 minutes of inactivity."),
    ("- Default: 900 (15 minutes)\n- Type: Number", "- Default: 900\n- Type: Integer"),
    ("The phone line is open from 8 to 18.", "The phone line is open from 8:00 to 18:00, he called at 19:00."),
]
_UNRELATED = [
    ("The refund window is 14 days.", "A printer needs 3 minutes to warm up."),
    ("In Germany parcels can be returned within 30 days.", "In the UK parcels can be returned within 14 days."),
    ("On the Free plan you get 2 GB of storage.", "On the Business plan you get 100 GB of storage."),
    ("Search interface v1 allows 60 requests a minute.", "Search interface v2 allows 600 requests a minute."),
    ("", "A printer needs 3 minutes."),
]


@pytest.mark.parametrize(
    ("first", "second", "relation"),
    [
        *((a, b, Relation.CONTRADICT) for a, b in _CONTRADICT),
        *((a, b, Relation.AGREE) for a, b in _AGREE),
        *((a, b, Relation.UNRELATED) for a, b in _UNRELATED),
    ],
)
def test_two_texts_stand_to_each_other_in_both_orders(first: str, second: str, relation: Relation) -> None:
    """Contradict, agree or neither, whichever is named first."""
    assert compare_texts(first, second).relation is relation
    assert compare_texts(second, first).relation is relation


def test_a_slot_names_both_values() -> None:
    """What contradicts is said with what it is about and both values as written."""
    slot = compare_texts("The refund window is 14 days.", "The refund window is 30 days.").slots[0]
    assert slot.kind == "duration"
    assert slot.values == ("14 days", "30 days")
    assert "refund" in slot.slot


def test_other_words_for_the_same_are_no_contradiction() -> None:
    """A word that is put in the place of its like changes nothing."""
    verdict = compare_texts("Delete the file from your account today.", "Remove the file from your account today.")
    assert verdict.relation is Relation.AGREE
