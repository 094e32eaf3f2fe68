"""What a link or code is for."""

import pytest

from retrieval.validation.carriers import carriers_in


@pytest.mark.parametrize(
    ("clause", "found"),
    [
        ("The reset link in the mail expires", {"link_of:reset"}),
        ("The archive link expires", {"link_of:archive"}),
        ("Der Einladungslink gilt 14 Tage", {"link_of:invite"}),
        ("Посилання для входу діє 15 хвилин", {"link_of:login"}),
        ("Your discount code is valid", {"code_of:discount"}),
        ("The promo code is valid", set()),
        ("This link is new", set()),
        ("Nothing of the kind", set()),
    ],
)
def test_purposes_are_ideas(clause: str, found: set[str]) -> None:
    """Before the word, behind it and in a compound; words of no known idea may mean the same as any other."""
    assert carriers_in(clause) == found
