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


@pytest.mark.parametrize(
    ("first", "second", "relation"),
    [
        ("Das Passwort muss mindestens 12 Zeichen haben.", "Пароль має містити щонайменше 8 символів.", "contradict"),
        ("Das Passwort muss mindestens 8 Zeichen haben.", "Пароль має містити щонайменше 8 символів.", "agree"),
        ("La prueba gratuita dura 14 días.", "L'essai gratuit dure 30 jours.", "contradict"),
        ("La prueba gratuita dura 30 días.", "L'essai gratuit dure 30 jours.", "agree"),
        ("O reembolso leva 5 dias úteis.", "Refunds take 10 business days.", "contradict"),
        ("The Pro plan costs 20 EUR per month.", "Pro is €25 monthly.", "contradict"),
        ("The minimum supported iOS version is 15.", "The app needs iOS 17 or later.", "contradict"),
        ("The app needs iOS 15 or later.", "The app needs Android 12 or later.", "unrelated"),
        ("On the Basic plan, attachments may be up to 10 MB.", "On the Premium plan, attachments may be up to 50 MB.", "unrelated"),
        ("Support is available from 9 am to 5 pm.", "Our help desk is open 8:00 to 18:00.", "contradict"),
        ("The password must have at least 12 characters.", "The username must have at least 3 characters.", "unrelated"),
        ("Monthly subscribers can cancel at any time.", "Annual subscribers can cancel 30 days before renewal.", "unrelated"),
        ("The discount code is valid until 31 March 2026.", "The promo code expires on 30 June 2026.", "contradict"),
        ("Push notifications are switched on by default.", "Out of the box, push notifications are off.", "contradict"),
    ],
)  # fmt: skip
def test_free_wordings_meet_across_languages_and_cases_stay_apart(first: str, second: str, relation: str) -> None:
    """Elided articles, working days, prices and platforms are read; another plan, platform or field is no contradiction."""
    assert compare_texts(first, second).relation == relation
    assert compare_texts(second, first).relation == relation
