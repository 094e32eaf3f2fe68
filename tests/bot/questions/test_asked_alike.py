"""Questions grouped by the words that carry meaning."""

from bot.questions.asked_alike import asked_alike


def test_the_same_in_other_words_is_one_group() -> None:
    """Order, small words and endings do not count; one word in common is too little."""
    questions = [
        "Can customers pay with Bitcoin?",
        "How do I reset the printer?",
        "Could a customer pay by Bitcoin",
        "Bitcoin",
        "resetting printers",
        "Can customers pay by bank transfer every month?",
    ]
    assert asked_alike(questions) == [[0, 2], [1, 4], [3], [5]]


def test_questions_of_small_words_only_are_compared_as_they_are() -> None:
    """And nothing is asked of nothing."""
    assert asked_alike(["what is it", "What is it", "who is it"]) == [[0, 1], [2]]
    assert asked_alike([]) == []
