"""Which passages may be evidence, and which leads."""

from datetime import date

from bot.answers.sources import usable_passages
from tests.bot.flow_kit import card
from tests.fakes import make_passage

TODAY = date(2026, 9, 21)


def test_quarantined_replaced_and_empty_sources_are_no_evidence() -> None:
    """What may not be quoted is left out, what has expired comes last."""
    passages = (
        make_passage(card("old", valid_until="2026-01-01"), "Expired words stand here."),
        make_passage(card("bad", quarantined=True), "Poisoned words stand here."),
        make_passage(card("empty")),
        make_passage(card("v1"), "The first version said this."),
        make_passage(card("v2", supersedes=("v1",)), "The second version says that."),
    )
    assert [p.document.id for p in usable_passages(passages, TODAY)] == ["v2", "old"]


def test_a_far_more_relevant_source_leads() -> None:
    """Rank, relevance and the best sentence count together; with equal sentences the relevant one leads."""
    first = make_passage("kb-1", "The first words stand here.", relevance=0.2)
    more = make_passage("kb-2", "The second words stand here.", relevance=0.7)
    assert [p.document.id for p in usable_passages([first, more], TODAY)] == ["kb-2", "kb-1"]


def test_the_source_with_the_number_that_is_asked_for_leads() -> None:
    """Of two sources that are otherwise equal the one with a price answers a question for a price."""
    plain = make_passage("kb-1", ("The reader is sold in our shop.", 0.86))
    priced = make_passage("kb-2", ("The reader costs €59 once.", 0.85))
    for question, leading in (("What does the reader cost?", "kb-2"), ("Where is the reader sold?", "kb-1")):
        assert usable_passages([plain, priced], TODAY, question)[0].document.id == leading


def test_only_the_first_three_are_put_in_order() -> None:
    """What ranks below them is too far from the question to lead by one sentence."""
    near = [make_passage(f"kb-{n}", ("Some words stand here.", 0.8)) for n in range(3)]
    far = make_passage("kb-9", ("Very near words stand here.", 0.99))
    assert [p.document.id for p in usable_passages([*near, far], TODAY)] == ["kb-0", "kb-1", "kb-2", "kb-9"]
