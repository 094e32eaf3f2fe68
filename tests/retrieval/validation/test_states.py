"""What is done with a thing, and what is not."""

import pytest

from retrieval.validation.opposites import STATE, opposites_of
from retrieval.validation.states import states_in
from tests.retrieval.validation.test_opposed import relation_of


@pytest.mark.parametrize(
    ("clause", "found"),
    [
        ("ride data is stored encrypted in frankfurt", {("keep", False), ("encryption", False)}),
        ("ride data isn't encrypted at rest", {("encryption", True)}),
        ("die daten werden nicht verschlüsselt gespeichert", {("encryption", True), ("keep", True)}),
        ("los datos no están cifrados", {("encryption", True)}),
        ("dane nie są szyfrowane", {("encryption", True)}),
        ("les données ne sont pas chiffrées", {("encryption", True)}),
        ("дані не зберігаються зашифрованими", {("keep", True), ("encryption", True)}),
        ("данные шифруются", {("encryption", False)}),
        ("exports are supported", set()),
        ("nothing of the kind", set()),
    ],
)
def test_deeds_and_denials_in_seven_languages(clause: str, found: set[tuple[str, bool]]) -> None:
    """By the idea of their word; what says yes by itself is left to the yes and the no."""
    assert {(one.key, one.is_denied) for one in states_in(clause)} == found


@pytest.mark.parametrize(
    ("first", "second", "relation"),
    [
        ("Ride data is stored encrypted in Frankfurt.", "Ride data is not encrypted at rest.", "contradict"),
        ("Call recordings are transcribed.", "Call recordings are never transcribed.", "contradict"),
        ("Ride data is stored encrypted.", "Ride data is encrypted.", "unrelated"),
        ("Ride data is stored in Kiel.", "Ride data is not encrypted.", "unrelated"),
        ("Invoices of companies are archived.", "Chats with guests are not archived.", "unrelated"),
        ("When ride data is encrypted, it is stored.", "Ride data is not encrypted.", "unrelated"),
    ],
)
def test_a_plain_statement_and_its_denial(first: str, second: str, relation: str) -> None:
    """Of one thing; to say that two things are done is no agreement, and a condition says nothing."""
    assert relation_of(first, second).value == relation


def test_the_words_as_written_are_shown() -> None:
    """The deed with its "not"."""
    told = opposites_of("The disc IS NOT Encrypted.")
    assert [(one.axis, one.text) for one in told] == [(STATE, "IS NOT Encrypted")]
