"""Things of one name: each source is shown, and ordinary questions stay with their source."""

import pytest

from bot.answers.namesakes import first_of_each, is_about_a_name, other_namesakes
from bot.messages import DraftSentence, SentenceRef
from bot.pipeline import Pipeline
from retrieval.passages import Passage
from tests.bot.flow_kit import card, message, ports
from tests.fakes import FakePassageSource, make_passage

_OLD = make_passage(
    card("kb-1", title="Till Mercury (2019)", lang="en"),
    ("The till Mercury was first sold in 2019.", 0.9),
    ("It has two ports.", 0.4),
)
_NEW = make_passage(
    card("kb-2", title="Till Mercury (tablet)", lang="en"),
    ("The tablet Mercury replaced the printer of that name.", 0.85),
    ("Sales of it began in 2023.", 0.8),
    relevance=0.1,
)
_OTHER = make_passage(card("kb-3", title="Till Venus", lang="en"), ("The till Venus was first sold in 2021.", 0.88))
_ASKED = "When was the Mercury first sold?"


def _found(question: str, *passages: Passage) -> list[tuple[str, int]]:
    first = DraftSentence(passages[0].sentences[0].text, (SentenceRef(0, 0),), is_quote=True)
    return [(passages[r.passage].document.id, r.sentence) for r in other_namesakes([first], passages, question)]


def test_a_source_about_another_thing_of_the_name_is_quoted() -> None:
    """The sentence with a value first, however relevant the passage as a whole is; not one about another name."""
    assert _found(_ASKED, _OLD, _NEW, _OTHER) == [("kb-2", 1), ("kb-2", 0)]


def test_sources_without_a_number_are_not_added_where_one_is_asked() -> None:
    """A quote that answers nothing is only longer."""
    silent = make_passage(card("kb-4", title="Mercury", lang="en"), ("The Mercury is a till of ours.", 0.89))
    assert _found(_ASKED, _OLD, silent) == []


def test_what_is_asked_is_quoted_beside_the_name() -> None:
    """A sentence that only names the thing is nearer to the question than the one that answers."""
    town = make_passage(
        card("kb-6", title="Moose Lake", lang="en"),
        ("Moose Lake is a township in Cass County.", 0.9),
        ("The population was 142 in 2020.", 0.6),
    )
    assert _found("What is the population of Moose Lake?", town) == [("kb-6", 1)]
    assert _found("Which county is Moose Lake in?", town) == []
    assert _found("Who leads Moose Lake?", town) == []


def test_the_same_sentence_and_a_far_one_add_nothing() -> None:
    """Copies and sources that hardly touch the question."""
    copy = make_passage(card("kb-5", title="Mercury", lang="en"), ("The till Mercury was first sold in 2019.", 0.9))
    far = make_passage(card("kb-6", title="Mercury", lang="en"), ("Sold in 2020.", 0.3))
    assert _found(_ASKED, _OLD, copy, far) == []


@pytest.mark.parametrize(
    ("question", "is_one"),
    [
        ("Who made the Mercury?", True),
        ('what is the size of "mercury"?', True),
        ("Wann wurde Till Mercury gebaut?", True),
        ("Коли випустили Меркурій?", True),
        ("How do I reset the Mercury?", False),
        ("Was kostet der Versand?", False),
        ("How many API calls are allowed?", False),
        ("When is it delivered?", False),
    ],
)
def test_only_questions_for_a_fact_about_a_name_count(question: str, is_one: bool) -> None:
    """Not how something is done, not German nouns, not an acronym."""
    assert is_about_a_name(question) is is_one


async def test_both_are_cited_in_an_answer_and_no_conflict_is_told() -> None:
    """Two things are no contradiction: the reader sees whose year is whose."""
    answer = await Pipeline(ports(FakePassageSource(_OLD, _NEW))).respond(message(_ASKED))
    assert [citation.id for citation in answer.citations] == ["kb-1", "kb-2"]
    assert "2019" in answer.text
    assert "2023" in answer.text
    assert not [notice for notice in answer.notices if notice.kind == "conflict"]


def test_the_first_sentence_of_each_source_stays() -> None:
    """What a short answer may not leave out."""
    passages = (_OLD, _NEW)
    said = [
        DraftSentence(passages[p].sentences[n].text, (SentenceRef(p, n),), is_quote=True)
        for p, n in ((0, 0), (0, 1), (1, 1), (1, 0))
    ]
    assert first_of_each(said, passages) == (said[0], said[2])
