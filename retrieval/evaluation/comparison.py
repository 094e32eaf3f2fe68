"""An older result beside the one of now: differences, their intervals over the same questions, and a verdict each."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from retrieval.errors import EvaluationInvalid
from retrieval.evaluation.answers import ANSWER_MEASURES
from retrieval.evaluation.measures import MEASURES, bootstrap_intervals
from retrieval.evaluation.results import Results, methods_of

_HITS = {"hit@1": 1, "hit@3": 3, "hit@5": 5, "hit@10": 10}


@dataclass(frozen=True, slots=True)
class Difference:
    """Now minus before, of one measure of one method.

    Over `n` questions that both results have, with their 95 % interval by a paired bootstrap; `interval` is None and `n`
    0 where a result holds no questions, or `is_disjoint`: both hold questions and share none. `value` is then the difference
    of the two means.
    """

    method: str
    measure: str
    value: float
    n: int = 0
    interval: tuple[float, float] | None = None
    is_disjoint: bool = False

    @property
    def verdict(self) -> str:
        """Say in one line what the difference shows."""
        head = f"{self.method} {self.measure}: {self.value:+.4f}"
        if self.is_disjoint:
            return f"{head} (no question is in both files: means of different questions, nothing is shown)"
        if self.interval is None:
            return f"{head} (no results by question in the older file, so no interval)"
        low, high = self.interval
        said = (
            "better" if low > 0 else "worse" if high < 0 else "the same" if low == high == 0 else "no difference shown"
        )
        return f"{head} [{low:+.4f}, {high:+.4f}], n = {self.n}: {said}"


def differences(now: Results, before: Mapping[str, object]) -> list[Difference]:
    """Give the difference of every measure of every method that both results have, paired where both hold questions.

    Raises:
        EvaluationInvalid: the older one is no such result.
    """
    old = methods_of(before)
    found = []
    for method, values in methods_of(now).items():
        if method not in old:
            continue
        of_now, of_before = _by_question(now, method), _by_question(before, method)
        paired = _paired(of_now, of_before)
        is_disjoint = bool(of_now and of_before) and paired is None
        for name in MEASURES:
            if name not in old[method]:
                continue
            if paired is None:
                change = round(float(values[name]) - float(old[method][name]), 4)
                found.append(Difference(method, name, change, is_disjoint=is_disjoint))
            else:
                found.append(_difference(method, name, paired))
    return found


def by_method(found: Sequence[Difference]) -> dict[str, dict[str, float]]:
    """Give differences by method and measure."""
    compared: dict[str, dict[str, float]] = {}
    for one in found:
        compared.setdefault(one.method, {})[one.measure] = one.value
    return compared


def compare_results(now: Results, before: Mapping[str, object]) -> dict[str, dict[str, float]]:
    """Give the difference of every measure of every method that both results have.

    Raises:
        EvaluationInvalid: the older one is no such result.
    """
    return by_method(differences(now, before))


def answer_differences(now: Results, before: Mapping[str, object]) -> list[Difference]:
    """Give the differences of answers over the questions that both results answered; none without `answers` in both.

    Raises:
        EvaluationInvalid: the older one is no such result.
    """
    found = []
    for name in ANSWER_MEASURES:
        left, right = _answers(now, name), _answers(before, name)
        shared = [id_ for id_ in left if id_ in right]
        if shared:
            rows = np.array([[left[id_] - right[id_]] for id_ in shared])
            low, high = bootstrap_intervals(rows)[0]
            interval = round(float(low), 4), round(float(high), 4)
            found.append(Difference("answers", name, round(float(rows.mean()), 4), len(shared), interval))
    return found


def _answers(results: Mapping[str, object], name: str) -> dict[str, float]:
    """Read one measure of each answer; empty when the result holds none."""
    if "answers" not in results:
        return {}
    try:
        questions = results["answers"]["questions"]  # type: ignore[index]  # whatever it is, it is read here or refused
        pairs = zip(questions["ids"], questions[name], strict=True)
        found = {str(id_): float(value) for id_, value in pairs if value is not None}
    except (KeyError, TypeError, ValueError) as error:
        raise EvaluationInvalid("is no result of `triage eval --json`") from error
    return found if all(map(math.isfinite, found.values())) else {}


def details_of(found: Sequence[Difference]) -> list[dict[str, object]]:
    """Give differences in the form that the JSON holds."""
    return [
        {
            "method": one.method, "measure": one.measure, "difference": one.value, "n": one.n,
            "ci95": None if one.interval is None else list(one.interval), "verdict": one.verdict,
        }
        for one in found
    ]  # fmt: skip


# Measures of one question by name.
_Values = dict[str, float]


@dataclass(frozen=True, slots=True)
class _Paired:
    """Differences of the questions that both results have: means and intervals by measure."""

    n: int
    values: Mapping[str, float]
    intervals: Mapping[str, tuple[float, float]]


def _difference(method: str, name: str, paired: _Paired) -> Difference:
    return Difference(method, name, paired.values[name], paired.n, paired.intervals[name])


def _paired(now: dict[str, _Values] | None, before: dict[str, _Values] | None) -> _Paired | None:
    if now is None or before is None:
        return None
    shared = [name for name in now if name in before]
    if not shared:
        return None
    rows = np.array([[now[id_][name] - before[id_][name] for name in MEASURES] for id_ in shared])
    bounds = bootstrap_intervals(rows)
    return _Paired(
        len(shared),
        {name: round(float(value), 4) for name, value in zip(MEASURES, rows.mean(axis=0), strict=True)},
        {
            name: (round(float(low), 4), round(float(high), 4))
            for name, (low, high) in zip(MEASURES, bounds, strict=True)
        },
    )


def _by_question(results: Mapping[str, object], method: str) -> dict[str, _Values] | None:
    """Read the measures of each question that has a relevant document; None when the result does not hold them."""
    questions = results.get("questions")
    if questions is None:
        return None
    try:
        ids = list(questions["ids"])  # type: ignore[index]  # whatever it is, it is read below or refused
        stored = questions["methods"][method]  # type: ignore[index]
        rows = zip(ids, stored["rank"], stored["recall@5"], stored["ndcg@10"], strict=True)
        found = {str(id_): _values(rank, recall, ndcg) for id_, rank, recall, ndcg in rows if recall is not None}
    except (KeyError, TypeError, ValueError) as error:
        raise EvaluationInvalid("is no result of `triage eval --json`") from error
    # Rows without an id of their own cannot be paired.
    return found if len(set(map(str, ids))) == len(ids) else None


def _values(rank: int | None, recall: float, ndcg: float) -> _Values:
    values = {name: float(rank is not None and rank <= depth) for name, depth in _HITS.items()}
    values |= {"mrr@10": 1 / rank if rank else 0.0, "recall@5": float(recall), "ndcg@10": float(ndcg)}
    if not all(math.isfinite(value) for value in values.values()):
        raise ValueError("not a number")
    return values
