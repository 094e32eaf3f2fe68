"""What to do about a trouble is quoted with its cause."""

from dataclasses import replace

from bot.answers.extractive import extract
from retrieval.passages import Passage
from tests.bot.flow_kit import card
from tests.fakes import make_passage

TWICE = make_passage(
    card("kb-1", lang="en"),
    ("A customer was charged twice when the first payment was still pending.", 0.3),
    ("On 2 July a customer saw two charges of 49 EUR on the statement.", 0.2),
    ("To repair it, open **Billing > Payments** and choose **Void duplicate**.", 0.1),
    ("It disappears from the statement in two days.", 0.07),
)
EMPTY = make_passage(
    card("t-1", lang="en", kind="ticket"),
    ("Previews are empty in that browser when a blocker is on.", 0.3),
    ("Switch the blocker off for our page or save the invoice.", 0.1),
)


def _texts(passage: Passage, question: str) -> list[str]:
    return [str(sentence.text) for sentence in extract([passage], question, "en")]


def test_asked_what_to_do_the_remedy_comes_with_the_cause() -> None:
    """With what leans on it; a question that asks for the cause gets that alone."""
    sentences = [str(sentence.text) for sentence in TWICE.sentences]
    assert _texts(TWICE, "customer charged twice what now") == [sentences[0], *sentences[2:]]
    assert _texts(TWICE, "why was a customer charged twice") == sentences[:1]


def test_a_cause_that_says_what_to_do_stands_alone() -> None:
    """Nothing is added to it."""
    one = make_passage(
        card("kb-1", lang="en"),
        ("Charged twice: open **Billing** in the menu, select the second payment and choose **Void** there.", 0.3),
        ("For a refund open **Invoices** and choose **Refund** there.", 0.1),
    )
    assert _texts(one, "charged twice, what should I do?") == [str(one.sentences[0].text)]


def test_a_short_resolution_is_quoted_whole() -> None:
    """The second half is mostly the fix; asked for a number, and of an article, the nearest sentence is enough."""
    assert _texts(EMPTY, "invoice pdf empty") == [str(sentence.text) for sentence in EMPTY.sentences]
    article = make_passage(card("kb-2", lang="en"), *((str(one.text), one.similarity) for one in EMPTY.sentences))
    assert _texts(article, "invoice pdf empty") == [str(EMPTY.sentences[0].text)]
    long = make_passage(
        card("t-2", lang="en", kind="ticket"),
        ("Previews of every invoice are empty in that browser when a blocker is on.", 0.3),
        ("Word " * 70 + ".", 0.07),
    )
    assert _texts(long, "invoice pdf empty") == [str(long.sentences[0].text)]


def test_without_a_sentence_that_says_what_to_do_nothing_is_added() -> None:
    """Nor is a resolution of two places of a long ticket taken for a whole one."""
    bare = make_passage(
        card("kb-1", lang="en"),
        ("A customer was charged twice when the first payment was still pending.", 0.3),
        ("On 2 July a customer saw two charges of 49 EUR on the statement.", 0.07),
    )
    assert _texts(bare, "charged twice what now") == [str(bare.sentences[0].text)]
    first, second = EMPTY.sentences
    apart = replace(EMPTY, sentences=(first, replace(second, part=1)))
    assert str(second.text) not in _texts(apart, "invoice pdf empty")
