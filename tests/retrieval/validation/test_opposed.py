"""Statements that say opposite things of one."""

import pytest

from retrieval.documents import Document
from retrieval.validation import Relation, compare
from retrieval.validation.report import statements


def relation_of(first: str, second: str, title: str = "") -> Relation:
    """Compare two texts of one sentence each, in both orders."""
    ours, theirs = (
        statements(Document(id=name, title=title, text=text, lang="en"))[0]
        for name, text in (("a", first), ("b", second))
    )
    assert compare(ours, theirs, {}).relation is compare(theirs, ours, {}).relation
    return compare(ours, theirs, {}).relation


@pytest.mark.parametrize(
    ("first", "second", "relation"),
    [
        ("Two-factor authentication is optional.", "Two-factor authentication is mandatory.", Relation.CONTRADICT),
        ("Annual licences renew automatically.", "Annual licences are renewed by hand.", Relation.CONTRADICT),
        ("Only the owner can delete a workspace.", "Any admin can delete a workspace.", Relation.CONTRADICT),
        ("Every user can create keys for the API.", "Keys for the API are created by administrators only.", Relation.CONTRADICT),
        ("Branding is reserved for the Premium plan.", "Branding is included in the Pro plan.", Relation.CONTRADICT),
        ("Outages of the service are listed at https://a.example.", "Outages of the service are listed at https://b.example/x.", Relation.CONTRADICT),
        ("A downgrade takes effect at once.", "A downgrade takes effect immediately.", Relation.AGREE),
        ("In Germany the registration is mandatory.", "In France the registration is optional.", Relation.UNRELATED),
        ("Upgrades take effect immediately.", "Downgrades take effect at the end of the billing period.", Relation.UNRELATED),
        ("Every member can rename a project.", "Only owners can archive a project.", Relation.UNRELATED),
        ("Notifications by mail are enabled.", "Notifications on the phone are disabled.", Relation.UNRELATED),
        ("Delivery is included.", "Repairs are excluded.", Relation.UNRELATED),
    ],
)  # fmt: skip
def test_only_of_one_thing_and_one_case(first: str, second: str, relation: Relation) -> None:
    """All that one of them says must be said by the other: another action, way or region is no contradiction."""
    assert relation_of(first, second) is relation


def test_a_value_that_agrees_does_not_hide_an_opposite() -> None:
    """One length of a trial, and a card that is asked for or is not."""
    first = "The trial of 14 days with a card is optional."
    assert relation_of(first, "The trial of 14 days with a card is mandatory.") is Relation.CONTRADICT
