"""Answers summed up."""

from dataclasses import replace
from typing import Any

from retrieval.evaluation import LabelledQuestion
from retrieval.evaluation.answers import Answered, answer_results

ASKED = LabelledQuestion("q1", "?", ("a", "b"), is_answerable=True, lang="en", reference_answer="14 days")
ABSENT = LabelledQuestion("q2", "?", (), is_answerable=False, lang="uk")


def test_outcomes_are_right_by_what_was_asked() -> None:
    """Answered where there is an answer; nothing found or off-topic where there is none; nothing else."""
    assert [Answered(ASKED, outcome).is_right for outcome in ("answered", "no_match", "off_topic")] == [
        True,
        False,
        False,
    ]
    ends = ("answered", "no_match", "off_topic", "clarify", "unavailable")
    assert [Answered(ABSENT, outcome).is_right for outcome in ends] == [False, True, True, False, False]


def test_citations_are_measured_against_the_relevant_documents() -> None:
    """Precision over what is cited, recall over what is relevant; nothing said where there is nothing to compare."""
    one = Answered(ASKED, "answered", cited=("a", "x"))
    assert (one.precision, one.recall, one.is_first_right) == (0.5, 0.5, True)
    none = Answered(ASKED, "no_match")
    assert (none.precision, none.recall, none.is_first_right) == (None, 0.0, None)
    absent = Answered(ABSENT, "answered", cited=("a",))
    assert (absent.precision, absent.recall) == (None, None)


def test_the_summary_counts_overall_and_by_language() -> None:
    """Shares with n and interval, sentences, words, tokens and cost; uncertain answers are counted apart."""
    rows = [
        Answered(ASKED, "answered", cited=("a",), facts=(1, 1), do_facts_stand=True, sentences=3, length=40,
                 latency_ms=20, input_tokens=100, output_tokens=20, calls=2, cost_usd=0.01),
        Answered(replace(ASKED, id="q3"), "answered", is_uncertain=True, cited=("x",), facts=(0, 1),
                 do_facts_stand=False, sentences=1, unsupported=("no",), length=20, cost_usd=0.02),
        Answered(ABSENT, "no_match"),
    ]  # fmt: skip
    found: Any = answer_results(rows)
    assert found["right_outcome"] == {"n": 3, "share": 1.0, "ci95": [1.0, 1.0]}
    assert (found["facts"]["n"], found["facts"]["share"], found["facts_found"]) == (2, 0.5, 0.5)
    assert found["outcomes"] == {"answerable": {"answered": 1, "uncertain": 1}, "unanswerable": {"no_match": 1}}
    assert found["sentences"] == {"n": 4, "unsupported": 1, "share": 0.25}
    assert found["length_words"] == {"median": 30.0, "p95": 39.0}
    assert found["usage"]["cost_usd"] == 0.03
    assert (found["usage"]["calls"], found["usage"]["cost_usd_per_question"]) == (2, 0.01)
    assert found["languages"]["uk"]["cited_recall"] == {"n": 0, "share": None, "ci95": None}
    assert found["questions"]["facts"] == [1.0, 0.0, None]
    assert found["questions"]["unsupported"] == [0, 1, 0]


def test_an_unknown_price_makes_the_cost_unknown() -> None:
    """Rather than a sum that is too small."""
    found: Any = answer_results([Answered(ASKED, "answered", cost_usd=None), Answered(ABSENT, "no_match")])
    assert found["usage"]["cost_usd"] is None
    empty: Any = answer_results([])
    assert (empty["n"], empty["sentences"]["share"], empty["length_words"]["median"]) == (0, None, None)
