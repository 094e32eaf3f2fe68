"""Claims of `retrieval.evaluation`: the public JSON form, refusals, thresholds, comparison, the page."""

from collections.abc import Sequence
from html.parser import HTMLParser

import pytest

from retrieval.errors import EvaluationInvalid
from retrieval.evaluation import (
    LabelledQuestion,
    Run,
    as_asked,
    check_thresholds,
    compare_results,
    missed_thresholds,
    render_report,
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
    ids = FOUND.get(queries[-1], []) if method != "dense" else []
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


class Page(HTMLParser):
    """Collects tags and addresses."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href")]


def test_the_page_stands_alone() -> None:
    """Inline plots, a table, what was missed, every text escaped, and nothing to load."""
    text = render_report("Report <1>", runs(), {"index": "abc"})
    page = Page()
    page.feed(text)
    assert page.tags.count("svg") == 4
    assert not page.addresses
    assert "script" not in page.tags
    assert "<b>here" not in text
    assert "Report &lt;1&gt;" in text


def test_a_page_of_nothing_is_drawn() -> None:
    """No question has a relevant document."""
    assert "svg" in render_report("Empty", [run_method(QUESTIONS[2:], "hybrid", search)], {})
