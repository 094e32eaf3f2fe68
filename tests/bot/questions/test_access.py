"""What holds in a place, by the id of its channel."""

import pytest

from bot.questions.access import Place, Places

PLACES = Places(
    {
        "C1": Place(labels=("billing",)),
        "C2": Place(labels=()),
        "*": Place(is_allowed=False),
        "direct": Place(labels=("internal", "leads")),
    }
)


@pytest.mark.parametrize(
    ("channel", "is_direct", "seen"),
    [
        ("C1", False, ("public", "billing")),
        ("C2", False, ("public",)),
        ("C9", False, ("public", "internal")),
        ("D1", True, ("public", "internal", "leads")),
    ],
)
def test_labels_of_a_channel_are_seen_there(channel: str, is_direct: bool, seen: tuple[str, ...]) -> None:
    """Named labels take the place of `internal`; other channels and direct messages have entries of their own."""
    assert PLACES.of(channel, is_direct=is_direct).audience(is_shared=False) == seen


def test_a_shared_place_shows_public_documents_only() -> None:
    """Whatever labels an operator gave a channel: where others read along, only public documents are seen."""
    assert PLACES.of("C1", is_direct=False).audience(is_shared=True) == ("public",)


def test_channels_without_an_entry_are_closed_when_the_operator_says_so() -> None:
    """`*` closes all others; without it everything is open."""
    assert not PLACES.of("C9", is_direct=False).is_allowed
    assert Places().of("C9", is_direct=False).is_allowed
