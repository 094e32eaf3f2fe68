"""Claims of `retrieval.search.copies`."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.passages import DocumentCard
from retrieval.ports import StoredPassage
from retrieval.redaction import EMPTY, RedactedText
from retrieval.search.copies import best_of_each, without_copies


def passage(text: str, *, title: str = "", group: int = 0) -> StoredPassage:
    """Make a passage of one sentence."""
    card = DocumentCard(f"kb-{group}", RedactedText.stored(title))
    sentence = RedactedText.stored(text)
    return StoredPassage(group, f"kb-{group}#0", card, EMPTY, sentence, (sentence,), None, group)


LONG = "Open the Reports page, choose Export, wait up to 30 minutes and open the link in the mail that arrives."


@pytest.mark.parametrize(
    ("other", "is_copy"),
    [
        (passage(LONG + " Thanks.", group=2), True),
        (passage(LONG.upper(), group=2), True),
        (passage(LONG.replace("30", "45"), group=2), False),
        (passage(LONG.replace("open the link", "do not open the link"), group=2), False),
        (passage("Something else entirely is said by this other text.", group=2), False),
    ],
)
def test_copies_say_the_same_with_the_same_numbers(other: StoredPassage, *, is_copy: bool) -> None:
    """A few words more or another case make no new text; another number or a negation does: both must be seen."""
    assert without_copies([passage(LONG, group=1), other], 5) == ({0: [1]} if is_copy else {0: [], 1: []})


def ticket(
    group: int, resolution: str, *, title: str = "Till is off", question: str = "Why is my till off?"
) -> StoredPassage:
    """Make a ticket of one sentence, found by its title and question."""
    made = passage(resolution, title=title, group=group)
    search_text = RedactedText.stored(f"{title}\n{question}\n{resolution}")
    return replace(made, card=replace(made.card, kind="ticket"), search_text=search_text)


NINE = tuple(
    ticket(number, f"{word} " * 12)
    for number, word in enumerate(["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"])
)


def test_tickets_of_one_case_take_two_places() -> None:
    """Nine of one title and question, answered in nine ways, leave the list to others; two show that they contradict."""
    article = passage(LONG, title="Till is off", group=10)
    assert list(without_copies([*NINE, article], 5)) == [0, 1, 9]
    assert without_copies([*NINE, article], 5)[0] == [2, 3, 4, 5, 6, 7, 8]


def test_tickets_of_one_title_about_two_things_stay() -> None:
    """A title such as "Help" says nothing: the questions differ, so do the cases; articles are not compared by it."""
    asked = ("Where is my invoice?", "The scanner beeps twice", "Can I change the plan?")
    tickets = [ticket(n, f"word{n} " * 12, title="Help", question=text) for n, text in enumerate(asked)]
    assert list(without_copies(tickets, 5)) == [0, 1, 2]
    articles = [passage(f"word{n} " * 12, title="Help", group=n) for n in range(3)]
    assert list(without_copies(articles, 5)) == [0, 1, 2]


def test_a_short_text_needs_its_title() -> None:
    """Two articles that say no more than where to look are two answers; under one title they are one."""
    one = passage("See the guide.", title="Install on Windows", group=1)
    assert without_copies([one, passage("See the guide.", title="Install on Mac", group=2)], 5) == {0: [], 1: []}
    assert without_copies([one, passage("See the guide.", title="Install on Windows", group=2)], 5) == {0: [1]}


def test_no_more_than_asked_for() -> None:
    """The list ends at the bound; a copy behind it still belongs to what it is a copy of."""
    five = [passage(f"word{i} " * 12, group=i) for i in range(5)]
    assert without_copies(five, 2) == {0: [], 1: []}
    assert without_copies([*five, passage("word1 " * 12, group=9)], 2) == {0: [], 1: [5]}


@given(st.lists(st.tuples(st.sampled_from([0.0, 1.0, 2.0]), st.integers(0, 4)), max_size=20))
def test_the_best_of_each_document_is_chosen(pairs: list[tuple[float, int]]) -> None:
    """One place a document, its largest score, largest first, ties by place."""
    values, owners = np.array([value for value, _ in pairs]), np.array([owner for _, owner in pairs], np.int32)
    expected = {}
    for place, (value, owner) in sorted(enumerate(pairs), key=lambda item: (-item[1][0], item[0])):
        expected.setdefault(owner, place)
        assert value <= pairs[expected[owner]][0]
    assert best_of_each(values, owners).tolist() == list(expected.values())
