"""Answers of the whole flow, summed up: outcome, citations, facts, support, length, cost."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from retrieval.evaluation.measures import bootstrap_intervals
from retrieval.evaluation.runs import LabelledQuestion

# Outcomes that are right for a question that nothing answers.
_RIGHT_REFUSALS = frozenset({"no_match", "off_topic"})


@dataclass(frozen=True, slots=True)
class Answered:
    """What the flow gave for one question.

    `cited` are ids of documents. `facts` and `words` are (found, wanted) of the reference answer; `do_facts_stand` is None
    where there is none, or nothing of it can be compared. `length` is in words. `cost_usd` is None when a price is unknown.
    """

    question: LabelledQuestion
    outcome: str
    is_uncertain: bool = False
    cited: tuple[str, ...] = ()
    facts: tuple[int, int] = (0, 0)
    words: tuple[int, int] = (0, 0)
    do_facts_stand: bool | None = None
    sentences: int = 0
    unsupported: tuple[str, ...] = ()
    length: float = 0.0
    latency_ms: float = 0.0
    input_tokens: int = 0
    cached_input_tokens: int = 0
    output_tokens: int = 0
    calls: int = 0
    cost_usd: float | None = 0.0
    text: str = ""

    @property
    def is_right(self) -> bool:
        """Whether an answerable question was answered, or another one refused as such."""
        if self.question.is_answerable:
            return self.outcome == "answered"
        return self.outcome in _RIGHT_REFUSALS

    @property
    def precision(self) -> float | None:
        """Share of the cited documents that are relevant; None when nothing is relevant or cited."""
        if not self.question.relevant or not self.cited:
            return None
        return len(set(self.cited) & set(self.question.relevant)) / len(set(self.cited))

    @property
    def recall(self) -> float | None:
        """Share of the relevant documents that are cited; None when nothing is relevant."""
        relevant = set(self.question.relevant)
        return len(set(self.cited) & relevant) / len(relevant) if relevant else None

    @property
    def is_first_right(self) -> bool | None:
        """Whether the first citation is relevant; None when nothing is relevant or cited."""
        return self.cited[0] in self.question.relevant if self.question.relevant and self.cited else None


# Measures of one answer, 0 to 1; None where it has nothing to say.
ANSWER_MEASURES: Mapping[str, Callable[[Answered], float | None]] = {
    "right_outcome": lambda one: float(one.is_right),
    "cited_precision": lambda one: one.precision,
    "cited_recall": lambda one: one.recall,
    "first_cited": lambda one: None if one.is_first_right is None else float(one.is_first_right),
    "facts": lambda one: None if one.do_facts_stand is None else float(one.do_facts_stand),
}


def answer_results(answered: Sequence[Answered]) -> dict[str, object]:
    """Give what `triage eval --answers --json` prints under `answers`: overall, by language, and by question."""
    languages = sorted({one.question.lang for one in answered if one.question.lang})
    return {
        **_summary(answered),
        "languages": {lang: _summary([one for one in answered if one.question.lang == lang]) for lang in languages},
        "questions": {
            "ids": [one.question.id for one in answered],
            "outcome": [one.outcome for one in answered],
            "unsupported": [len(one.unsupported) for one in answered],
            **{name: [_rounded(measure(one)) for one in answered] for name, measure in ANSWER_MEASURES.items()},
        },
    }


def _summary(answered: Sequence[Answered]) -> dict[str, object]:
    sentences, unsupported = sum(one.sentences for one in answered), sum(len(one.unsupported) for one in answered)
    return {
        "n": len(answered),
        **{name: _mean(answered, measure) for name, measure in ANSWER_MEASURES.items()},
        "outcomes": {
            "answerable": _outcomes([one for one in answered if one.question.is_answerable]),
            "unanswerable": _outcomes([one for one in answered if not one.question.is_answerable]),
        },
        "facts_found": _shares([one.facts for one in answered]),
        "words_found": _shares([one.words for one in answered]),
        "sentences": {
            "n": sentences,
            "unsupported": unsupported,
            "share": round(unsupported / sentences, 4) if sentences else None,
        },
        "length_words": _quantiles([one.length for one in answered if one.outcome == "answered"], median=True),
        "latency_ms": _quantiles([one.latency_ms for one in answered]),
        "usage": _usage(answered),
    }


def _mean(answered: Sequence[Answered], measure: Callable[[Answered], float | None]) -> dict[str, object]:
    values = [value for one in answered if (value := measure(one)) is not None]
    if not values:
        return {"n": 0, "share": None, "ci95": None}
    low, high = bootstrap_intervals(np.array(values).reshape(-1, 1))[0]
    return {
        "n": len(values),
        "share": round(float(np.mean(values)), 4),
        "ci95": [round(float(low), 4), round(float(high), 4)],
    }


def _outcomes(answered: Sequence[Answered]) -> dict[str, int]:
    """Count outcomes; answers with the remark `uncertain` are counted apart."""
    return dict(sorted(Counter("uncertain" if one.is_uncertain else one.outcome for one in answered).items()))


def _shares(found: Sequence[tuple[int, int]]) -> float | None:
    """Give the mean over questions of the share that was found, None when nothing was wanted."""
    shares = [got / wanted for got, wanted in found if wanted]
    return round(float(np.mean(shares)), 4) if shares else None


def _quantiles(values: Sequence[float], *, median: bool = False) -> dict[str, float | None]:
    names = (("median" if median else "p50", 0.5), ("p95", 0.95))
    return {name: round(float(np.quantile(values, q)), 1) if values else None for name, q in names}


def _usage(answered: Sequence[Answered]) -> dict[str, object]:
    costs = [one.cost_usd for one in answered]
    known = [cost for cost in costs if cost is not None]
    total = round(sum(known), 6) if len(known) == len(costs) else None
    return {
        "input_tokens": sum(one.input_tokens for one in answered),
        "cached_input_tokens": sum(one.cached_input_tokens for one in answered),
        "output_tokens": sum(one.output_tokens for one in answered),
        "calls": sum(one.calls for one in answered),
        "cost_usd": total,
        "cost_usd_per_question": None if total is None or not answered else round(total / len(answered), 6),
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
