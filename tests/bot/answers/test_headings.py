"""Headings, questions of a list and named rows tell which sentence of a source answers."""

from dataclasses import replace

from bot.answers.extractive import extract
from bot.answers.headings import by_heading, by_question, by_row
from bot.answers.sources import usable_passages
from retrieval.passages import Passage
from retrieval.redaction import RedactedText
from tests.bot.answers.test_sources import TODAY
from tests.bot.flow_kit import card
from tests.fakes import make_passage


def _headed(title: str, *sections: tuple[str, list[tuple[str, float]]]) -> Passage:
    """Make a passage of sections, each a heading and its sentences."""
    passage = make_passage(
        replace(card("kb-1", lang="en"), title=RedactedText.stored(title)), *[one for _, own in sections for one in own]
    )
    heads = [(heading, section) for section, (heading, own) in enumerate(sections) for _ in own]
    sentences = [
        replace(one, heading=heading, section=section)
        for one, (heading, section) in zip(passage.sentences, heads, strict=True)
    ]
    return replace(passage, sentences=tuple(sentences))


CODES = _headed(
    "VPN errors",
    (
        "V-22: certificate check failed",
        [("The clock of the computer is wrong.", 0.30), ("Set it by hand again.", 0.29)],
    ),
    ("V-31: too many sessions", [("You are already connected twice.", 0.28), ("Disconnect one of the devices.", 0.27)]),
)
PHONES = _headed(
    "Set up the network",
    ("On Windows", [("1. Install the program from the shop.", 0.32), ("2. Join the network.", 0.31)]),
    ("On an iPhone", [("1. Open the page in the browser.", 0.3), ("2. Load the profile.", 0.29)]),
)
REPLIES = _headed(
    "Printing",
    ("Can I get money back?", [("Can I get money back?", 0.2), ("Yes, if the printer was at fault.", 0.29)]),
    (
        "May I bring paper?",
        [("May I bring paper?", 0.36), ("No. It jams the machines.", 0.2), ("Foil does so too.", 0.1)],
    ),
)


def _quoted(passage: Passage, question: str) -> list[str]:
    (usable,) = usable_passages([passage], TODAY, question)
    return [str(sentence.text) for sentence in extract([usable], question, "en")]


def test_the_section_of_the_code_that_is_named_is_quoted() -> None:
    """And nothing of the section before it."""
    assert _quoted(CODES, "Error V-31 in the VPN") == [
        "You are already connected twice.",
        "Disconnect one of the devices.",
    ]
    assert _quoted(CODES, "V-22") == ["The clock of the computer is wrong.", "Set it by hand again."]


def test_the_section_that_the_question_names_is_quoted() -> None:
    """With its steps only."""
    steps = ["1. Open the page in the browser.", "2. Load the profile."]
    assert _quoted(PHONES, "How do I set up the network on an iPhone?") == steps


def test_nothing_is_judged_as_nearer_for_its_heading() -> None:
    """A source with headings does not lead over one without."""
    for question in ("Error V-31", "too many sessions", "VPN", "something else"):
        judged = by_heading(CODES, question)
        for before, after in zip(CODES.sentences, judged.sentences, strict=True):
            assert after.nearness <= before.nearness
    assert by_heading(CODES, "the VPN errors") is CODES


def test_a_heading_that_says_more_than_the_question_is_not_meant_by_a_word_of_the_title() -> None:
    """So "Annual plans" of a question on plans; a heading that is all said is meant, though the title says it too."""
    plans = _headed(
        "Change the plan",
        ("Change the plan", [("Open the page of plans and choose another.", 0.30)]),
        ("Annual plans", [("An upgrade of an annual plan is prorated.", 0.29)]),
    )
    assert by_heading(plans, "How do I upgrade a plan?") is plans
    word = _headed(
        "Password forgotten or changed",
        ("Changed password", [("Open the portal and choose a new one.", 0.30)]),
        ("Forgotten password", [("Ask for a link on the page.", 0.25)]),
    )
    assert _quoted(word, "forgotten password")[0] == "Ask for a link on the page."


def test_a_reply_is_as_near_as_its_question() -> None:
    """Whatever its own words; it is quoted whole, and replies to farther questions fall back."""
    assert _quoted(REPLIES, "Darf ich Papier mitbringen?") == ["No. It jams the machines.", "Foil does so too."]
    assert by_question(CODES) is CODES


def test_a_table_with_the_row_that_is_named_is_nearer() -> None:
    """Its vector is that of all its rows."""
    table = "| Tool | Day |\n|---|---|\n| Floor sander | 39 € |\n| Trailer | 18 € |"
    prices = make_passage(card("kb-2", lang="en"), ("Ask us for the price of what is not here.", 0.3), (table, 0.25))
    assert _quoted(prices, "price of the floor sander")[0].endswith("| Floor sander | 39 € |")
    assert by_row(prices, "price of the ladder") == prices
    (other,) = usable_passages(
        [prices], TODAY, "floor sander and do you ask for a price?", own="do you ask for a price?"
    )
    assert other == prices
