"""Two results beside each other: paired where both hold their questions, with a verdict each."""

from dataclasses import replace
from typing import Any

import pytest

from retrieval.errors import EvaluationInvalid
from retrieval.evaluation import LabelledQuestion, Run, details_of, differences, results_of
from retrieval.evaluation.answers import Answered, answer_results
from retrieval.evaluation.comparison import answer_differences
from retrieval.evaluation.runs import Judged
from retrieval.passages import Band


def result(ranks: list[int | None], *, skip: int = 0) -> dict[str, Any]:
    """Give the result of questions whose one relevant document stands at these ranks."""
    judged = []
    for number, rank in enumerate(ranks):
        question = LabelledQuestion(f"q{number}", "?", ("a",), is_answerable=True)
        ranked = tuple("a" if place == rank else f"x{place}" for place in range(1, 11))
        judged.append(Judged(question, ranked, (0.9,) * 10, Band.ANSWERED, 0.5, 0.2, is_declined=False, latency_ms=1.0))
    return results_of([Run("hybrid", tuple(judged[skip:]))])


def by_measure(now: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """Give the differences of hybrid by measure."""
    return {one.measure: one for one in differences(now, before)}


def test_a_clear_gain_is_called_better() -> None:
    """Second place becomes the first for all of 40 questions: the interval leaves 0 out; hit@5 stays the same."""
    found = by_measure(result([1] * 40), result([2] * 40))
    assert (found["hit@1"].value, found["mrr@10"].value, found["hit@5"].value) == (1.0, 0.5, 0.0)
    assert found["mrr@10"].verdict.endswith("n = 40: better")
    assert by_measure(result([2] * 40), result([1] * 40))["mrr@10"].verdict.endswith("worse")
    assert found["hit@5"].verdict.endswith("the same")


def test_a_change_within_chance_is_not_called_one() -> None:
    """As many questions win as lose."""
    found = by_measure(result([1, 2] * 20), result([2, 1] * 20))
    low, high = found["mrr@10"].interval
    assert low < 0 < high
    assert found["mrr@10"].verdict.endswith("no difference shown")


def test_only_questions_of_both_are_paired() -> None:
    """By id, whatever else either file holds."""
    found = by_measure(result([2, 2, 1, 1]), result([9, 9, 1, 1], skip=2))
    assert (found["mrr@10"].n, found["mrr@10"].value) == (2, 0.0)
    graded = by_measure(result([3, None]), result([None, None]))
    assert graded["ndcg@10"].value == 0.25


def test_other_questions_are_called_so() -> None:
    """Two results that share no question do not claim that the older one has none."""
    now, old = result([1, 2, 3, 4], skip=2), result([1, 2])
    found = by_measure(now, old)["mrr@10"]
    assert (found.n, found.interval) == (0, None)
    assert "no question is in both files" in found.verdict


def test_without_questions_the_means_are_compared() -> None:
    """An older file of means alone gives no interval and says so; so do rows whose ids are not their own."""
    now = result([1, 2])
    old = {"methods": {"hybrid": {"mrr@10": 0.5}, "bm25": {"mrr@10": 0.1}}}
    (only,) = differences(now, old)
    assert (only.method, only.measure, only.value, only.interval) == ("hybrid", "mrr@10", 0.25, None)
    assert "no interval" in only.verdict
    same = result([1, 2])
    same["questions"]["ids"] = ["", ""]
    assert all(one.interval is None for one in differences(now, same))
    assert details_of([only])[0]["ci95"] is None


@pytest.mark.parametrize("broken", [{"ids": 5}, {"ids": ["q0"], "methods": {}}, [], {"ids": ["q0"], "methods": 7}])
def test_a_broken_result_is_refused(broken: object) -> None:
    """It is no result of ours."""
    before = result([1])
    before["questions"] = broken
    with pytest.raises(EvaluationInvalid, match="is no result"):
        differences(result([1]), before)


def answers(outcomes: list[str]) -> dict[str, Any]:
    """Give a result with answers to answerable questions."""
    question = LabelledQuestion("q", "?", ("a",), is_answerable=True)
    rows = [Answered(replace(question, id=f"q{i}"), outcome) for i, outcome in enumerate(outcomes)]
    return {"methods": {}, "answers": answer_results(rows)}


def test_answers_are_compared_too() -> None:
    """Measure by measure over the questions that both have; nothing without answers in both."""
    found = answer_differences(answers(["answered"] * 9), answers(["no_match"] * 8))
    outcome = next(one for one in found if one.measure == "right_outcome")
    assert (outcome.value, outcome.n, outcome.interval) == (1.0, 8, (1.0, 1.0))
    assert answer_differences(answers(["answered"]), {"methods": {}}) == []
    with pytest.raises(EvaluationInvalid):
        answer_differences(answers(["answered"]), {"methods": {}, "answers": {"questions": 5}})
