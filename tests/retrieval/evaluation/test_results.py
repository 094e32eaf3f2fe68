"""Claims of `retrieval.evaluation`: the public JSON form, refusals, thresholds, comparison."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from retrieval.errors import EvaluationInvalid
from retrieval.evaluation import (
    MEASURES,
    LabelledQuestion,
    Run,
    as_asked,
    check_thresholds,
    compare_results,
    missed_thresholds,
    results_of,
    run_method,
)
from retrieval.passages import Band, DocumentCard, GateScore, GateVerdict, Passage, Ranking
from retrieval.redaction import EMPTY, RedactedText

QUESTIONS = (
    LabelledQuestion("q1", "alpha", ("a",), is_answerable=True, lang="en"),
    LabelledQuestion("q2", "beta", ("b", "x"), is_answerable=True, lang="uk", previous_user_turns=("alpha",)),
    LabelledQuestion("q3", "nothing <b>here</b>", (), is_answerable=False, lang="en"),
    LabelledQuestion("q4", "off topic", (), is_answerable=False),
)
ODD = ("x", None, True, float("nan"), [])
FOUND = {"alpha": ["a", "b"], "beta": ["c", "b"], "off topic": ["a"]}


def search(queries: Sequence[str], method: str) -> Ranking:
    """Give a fixed ranking for the last query; "dense" finds nothing."""
    ids = FOUND.get(queries[-1] if queries else "", []) if method != "dense" else []
    passages = tuple(
        Passage(f"{name}#0", DocumentCard(name, RedactedText.stored(name)), EMPTY, (), 1.0, 0.8, 0.5, 0.9)
        for name in ids
    )
    return Ranking(passages, Band.ANSWERED if passages else Band.NONE, 0.5, 0.2, "i", "c")


def gate(text: str, previous: str | None) -> GateScore:
    """Decline what says that it is off topic; remembers nothing."""
    assert previous is None or text == "beta"
    return GateScore(GateVerdict.DECLINE if text == "off topic" else GateVerdict.ANSWER, 0.5)


def runs() -> list[Run]:
    """Run both methods."""
    return [run_method(QUESTIONS, "dense", search), run_method(QUESTIONS, "hybrid", search, gate=gate)]


def test_the_json_has_the_keys_of_the_contract() -> None:
    """Measures over questions with relevant ids, by method and language; refusals of hybrid; latency."""
    results = results_of(runs())
    hybrid = results["methods"]["hybrid"]  # type: ignore[index]
    keys = {"n", "hit@1", "hit@3", "hit@5", "hit@10", "recall@5", "mrr@10", "ndcg@10", "languages"}
    assert keys <= hybrid.keys()
    assert (hybrid["n"], hybrid["hit@1"], hybrid["hit@3"], hybrid["mrr@10"]) == (2, 0.5, 1.0, 0.75)
    assert hybrid["recall@5"] == 0.75
    assert hybrid["languages"]["uk"]["hit@1"] == 0.0
    assert hybrid["languages"]["en"]["n"] == 1
    assert results["refused"] == {"answerable": 0.0, "unanswerable": 1.0}
    assert results["latency_ms"].keys() == {"p50", "p95"}  # type: ignore[attr-defined]


def test_refusals_are_null_without_such_rows() -> None:
    """No unanswerable question, or no hybrid run: nothing is claimed."""
    answerable = run_method(QUESTIONS[:2], "hybrid", search, gate=gate)
    assert results_of([answerable])["refused"] == {"answerable": 0.0, "unanswerable": None}
    assert results_of(runs()[:1])["refused"] == {"answerable": None, "unanswerable": None}


def test_a_rewrite_decides_what_is_searched() -> None:
    """The injected callable gets the question with its turns."""
    rewritten = run_method(QUESTIONS[1:2], "hybrid", search, rewrite=lambda q: (q.query, *q.previous_user_turns))
    assert rewritten.judged[0].ranked == ("a", "b")
    assert as_asked(QUESTIONS[1]) == ("beta",)


def test_thresholds_name_what_was_missed() -> None:
    """Of hybrid only; unknown measures and a missing run are errors."""
    results = results_of(runs())
    assert missed_thresholds(results, {"hit@3": 1.0, "mrr@10": 0.75}) == []
    assert missed_thresholds(results, {"hit@1": 0.9}) == ["hybrid hit@1 is 0.5, below 0.9"]
    with pytest.raises(EvaluationInvalid, match="knows no measure"):
        missed_thresholds(results, {"accuracy": 0.9})
    with pytest.raises(EvaluationInvalid, match="needs the method hybrid"):
        missed_thresholds(results_of(runs()[:1]), {"hit@1": 0.9})


def test_comparison_gives_differences_of_shared_methods() -> None:
    """By measure; a file that is no result is an error."""
    results = results_of(runs())
    older = {"methods": {"hybrid": {"hit@1": 0.25, "mrr@10": 0.8}}}
    assert compare_results(results, older) == {"hybrid": {"hit@1": 0.25, "mrr@10": -0.05}}
    for wrong in ({"rows": []}, {"methods": {"hybrid": 5}}, *({"methods": {"bm25": {"hit@5": v}}} for v in ODD)):
        with pytest.raises(EvaluationInvalid):
            compare_results(results, wrong)


def test_a_threshold_that_cannot_be_missed_is_refused() -> None:
    """Not a number, infinite, unknown, or of a method that is not run: before anything is searched."""
    check_thresholds({"hit@5": 0.9}, ["bm25", "hybrid"])
    check_thresholds({}, ["bm25"])
    for least in (float("nan"), float("inf")):
        with pytest.raises(EvaluationInvalid, match="takes MEASURE=NUMBER"):
            check_thresholds({"hit@5": least}, ["hybrid"])
    with pytest.raises(EvaluationInvalid, match="knows no measure"):
        check_thresholds({"hit": 0.5}, ["hybrid"])
    with pytest.raises(EvaluationInvalid, match="needs the method hybrid"):
        check_thresholds({"hit@5": 0.5}, ["bm25"])


def test_every_measure_has_an_interval_by_language_too() -> None:
    """It holds the mean; of one question it is a point."""
    hybrid = results_of(runs())["methods"]["hybrid"]  # type: ignore[index]
    assert hybrid["ci95"].keys() == MEASURES.keys()
    assert all(low <= hybrid[name] <= high for name, (low, high) in hybrid["ci95"].items())
    assert hybrid["ci95"]["hit@1"] == [0.0, 1.0]
    assert hybrid["languages"]["uk"]["ci95"]["mrr@10"] == [0.5, 0.5]


def test_ends_say_how_questions_end_at_the_shipped_cuts() -> None:
    """Plain, uncertain, nothing relevant, off-topic: shares that add up, and agree with `refused`."""
    results: Any = results_of(runs())
    assert results["ends"]["answerable"] == {"n": 2, "plain": 1.0, "uncertain": 0.0, "no_match": 0.0, "off_topic": 0.0}
    unanswerable = results["ends"]["unanswerable"]
    assert (unanswerable["no_match"], unanswerable["off_topic"]) == (0.5, 0.5)
    assert results["cuts"] == {"answered": 0.5, "uncertain": 0.2}
    without = results_of(runs()[:1])
    assert without["ends"] == {"answerable": None, "unanswerable": None}
    assert (without["cuts"], without["curve"]) == (None, None)


def test_the_curve_says_what_other_cuts_would_do() -> None:
    """Found at relevance .9: refused above it; what the gate declines or nothing was found for is answered at no cut."""
    curve: Any = results_of(runs())["curve"]
    at = dict(zip(curve["cut"], zip(curve["refused"], curve["plain"], curve["false_plain"], strict=True), strict=True))
    assert (at[0.0], at[0.9], at[0.92]) == ((0.0, 1.0, 0.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0))
    answerable: Any = results_of([run_method(QUESTIONS[:2], "hybrid", search)])["curve"]
    assert answerable["false_plain"] is None


def test_what_was_measured_of_each_question_is_kept() -> None:
    """Rank from 1, null where nothing was found, and no measures where nothing is relevant."""
    questions: Any = results_of(runs())["questions"]
    assert questions["ids"] == ["q1", "q2", "q3", "q4"]
    assert questions["methods"]["hybrid"]["rank"] == [1, 2, None, None]
    assert questions["methods"]["hybrid"]["recall@5"] == [1.0, 0.5, None, None]
    assert questions["methods"]["hybrid"]["end"] == ["plain", "plain", "no_match", "off_topic"]
    assert questions["methods"]["dense"]["rank"] == [None] * 4
    assert results_of([])["questions"] == {"ids": [], "methods": {}}


def test_grades_are_gains() -> None:
    """The better document first is worth more; hits do not ask for grades."""
    better, worse = (
        replace(QUESTIONS[0], query="alpha", relevant=("a", "b"), grades=grades)
        for grades in ((("a", 3.0), ("b", 1.0)), (("a", 1.0), ("b", 3.0)))
    )
    first, second = run_method([better, worse], "hybrid", search).judged
    found: Any = results_of([Run("hybrid", (first,))])["methods"]["hybrid"]
    other: Any = results_of([Run("hybrid", (second,))])["methods"]["hybrid"]
    assert found["ndcg@10"] == 1.0
    assert other["ndcg@10"] < 0.85
    assert found["hit@1"] == other["hit@1"] == 1.0


def test_a_question_that_the_rewriter_declines_is_refused() -> None:
    """It gives nothing to search; the question is off-topic then."""
    run = run_method(QUESTIONS[2:3], "hybrid", search, rewrite=lambda _question: ())
    assert results_of([run])["ends"]["unanswerable"]["off_topic"] == 1.0  # type: ignore[index]


def test_a_copy_counts_as_what_it_stands_for() -> None:
    """A labelled document that was left out for a copy of it is found at the copy's place."""

    def collapsed(queries: Sequence[str], method: str) -> Ranking:
        ranking = search(["beta"], method)
        return replace(ranking, passages=tuple(replace(one, copies=("x",)) for one in ranking.passages[:1]))

    judged = run_method(QUESTIONS[1:2], "hybrid", collapsed).judged[0]
    assert (judged.ranked, judged.rank) == (("x",), 1)
