"""Sentences that hang on what stands before them."""

import pytest

from retrieval.validation.replies import is_pointing, reply_to_question, spoken_of


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("Yes, as long as it has not left the warehouse.", "yes"),
        ("Not possible, we take cards only.", "no"),
        ("Так, можна.", "yes"),
        ("Leider nein.", "no"),
        ("No, hay que pedir otra.", "no"),
        ("Yes, but not at the weekend.", ""),
        ("No seats are left.", ""),
        ("The link is sent by mail.", ""),
    ],
)
def test_a_reply_says_yes_or_no_when_it_begins_with_it(sentence: str, said: str) -> None:
    """And does not take it back in the same sentence."""
    assert reply_to_question(sentence) == said


def test_a_pronoun_points_to_the_sentence_before() -> None:
    """The first sentence points to nothing."""
    sentences = ["The link had died.", "They live for one hour.", "Sent a new one."]
    assert is_pointing(sentences[1])
    assert [spoken_of(place, sentences) for place in range(3)] == ["", "The link had died.", ""]
