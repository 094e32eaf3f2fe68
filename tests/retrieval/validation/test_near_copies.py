"""Families of near copies."""

from retrieval.validation.near_copies import copy_families

TEXT = "Open the settings of the till and choose the printer that stands beside the counter, then print a test page."


def test_nearly_the_same_words_are_a_family_and_another_number_is_none() -> None:
    """One word more is a copy; a text with another number says something else; short texts are left out."""
    texts = {
        "a": TEXT,
        "b": TEXT + " Done.",
        "c": TEXT,
        "d": TEXT + " It takes 5 minutes.",
        "e": "Printed again.",
        "f": "Printed again.",
        "g": "The invoice was sent to the new address of the company and paid at once by the customer.",
    }
    assert copy_families(texts) == [["a", "b", "c"]]


def test_a_family_of_any_size_is_found_whole() -> None:
    """Hundreds of equal texts are one family, without comparing each with each."""
    (family,) = copy_families({f"t{n:03}": TEXT for n in range(300)})
    assert len(family) == 300
