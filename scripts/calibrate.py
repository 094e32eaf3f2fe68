"""`triage calibrate`: fit relevance and the topic gate to labelled questions, and store them with the index."""

import argparse
import math
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from bot.questions.follow_up import rewrite_rules
from config.settings import load_settings
from retrieval.errors import EvaluationInvalid
from retrieval.evaluation import LabelledQuestion
from retrieval.index import store_calibration
from retrieval.ranking.calibration import Calibration, Measured, Scores
from retrieval.ranking.labelled import GateFit, Labelled, fit_gate, fit_labelled
from retrieval.retriever import Retriever
from scripts.labelled import add_question_arguments, usable_questions, usable_rows
from scripts.output import counted, json_line
from scripts.queries import Row
from scripts.search import open_retriever

# A gate score that rounds to 0 or 1 is no infinite distance.
_LEAST_SCORE = 1e-6
# With fewer, one question moves a share by more than three points.
_FEW = 30


@dataclass(frozen=True, slots=True)
class Measurements:
    """Features of the questions with an answer and of those without; `is_held_out` when the latter are the former without their documents."""

    present: list[Scores]
    absent: list[Scores]
    is_held_out: bool


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--index", type=Path, metavar="DIR", help="index folder (default: TRIAGE_DATA_DIR/index)")
    add_question_arguments(parser)
    parser.add_argument(
        "--off-topic", type=Path, metavar="FILE.jsonl", help='rows {"id", "text"} that the topic gate should decline'
    )
    parser.add_argument("--force", action="store_true", help="store the numbers even when they gain nothing")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Fit, print the error before and after, and store what gains something; 1 when nothing was stored or a line was left out."""
    questions, skipped = usable_questions(arguments.queries, qrels=arguments.qrels)
    off_topic, more = usable_rows(arguments.off_topic, _text_of, "texts") if arguments.off_topic else ([], 0)
    folder = arguments.index or load_settings().retrieval.index_dir
    retriever = open_retriever(folder)
    try:
        measurements = _measure(questions, retriever)
        made = fit_labelled(retriever.calibration, measurements.present, measurements.absent)
        gate = fit_gate(_gate_odds(_answerable(questions), retriever), [_odds(retriever, text) for text in off_topic])
    finally:
        retriever.close()
    numbers = dict(made.calibration.gate)
    numbers["threshold"] = numbers["threshold"] + gate.shift
    stored = replace(made.calibration, gate=numbers)
    is_stored = arguments.force or is_worth_storing(made, gate)
    if is_stored:
        store_calibration(folder, stored.to_json())
    values = {**_values(made, gate, stored, is_held_out=measurements.is_held_out), "stored": is_stored}
    told = _text(made, gate, is_held_out=measurements.is_held_out)
    print(json_line(values) if arguments.json else f"{told}\n{'stored with the index' if is_stored else 'not stored'}")
    _warn(made, is_stored=is_stored)
    return 0 if is_stored and not skipped + more else 1


def is_gain(before: Measured, after: Measured) -> bool:
    """Say whether something was gained: more plain answers or fewer wrong ones."""
    return after.plain > before.plain or after.false_plain < before.false_plain


def is_worse(before: Measured, after: Measured) -> bool:
    """Say whether an error grew and nothing was gained."""
    is_loss = after.plain < before.plain or after.false_plain > before.false_plain or after.refused > before.refused
    return is_loss and not is_gain(before, after)


def is_worth_storing(made: Labelled, gate: GateFit) -> bool:
    """Say whether nothing is worse for it, and of few questions, whose fit is mostly chance, whether something is gained.

    The gate gains where it declines fewer questions or more off-topic texts.
    """
    is_gate_gain = gate.after[0] < gate.before[0] or (gate.n_off_topic > 0 and gate.after[1] > gate.before[1])
    is_enough = made.after.n >= _FEW or is_gate_gain
    return is_gain(made.before, made.after) or (is_enough and not is_worse(made.before, made.after))


def _warn(made: Labelled, *, is_stored: bool) -> None:
    if made.after.n < _FEW:
        few = counted(made.after.n, "question")
        print(
            f"triage: only {few} with an answer: with fewer than {_FEW} the errors are mostly chance", file=sys.stderr
        )
    outcome = "are worse than the old ones" if is_worse(made.before, made.after) else "gain nothing"
    if not is_stored:
        print(
            f"triage: on questions left out the new numbers {outcome}: nothing was stored; add --force to store them",
            file=sys.stderr,
        )
    elif is_worse(made.before, made.after):
        print(f"triage: on questions left out the new numbers {outcome}: stored all the same", file=sys.stderr)


def _text_of(row: Row) -> str:
    return row.text("text" if "text" in row.values else "query")


def _answerable(questions: Sequence[LabelledQuestion]) -> list[LabelledQuestion]:
    return [question for question in questions if question.is_answerable]


def _measure(questions: Sequence[LabelledQuestion], retriever: Retriever) -> Measurements:
    """Ask every question; without unanswerable ones those with an answer are asked again with their documents held out."""
    if retriever.is_empty:
        raise EvaluationInvalid("the knowledge base is empty; there is nothing to calibrate")
    answerable = _answerable(questions)
    if not answerable:
        raise EvaluationInvalid("needs questions with an answer ('relevant' with ids of the index)")
    unknown = sorted({name for one in answerable for name in one.relevant if retriever.document(name) is None})
    if unknown:
        print(
            f"triage: {len(unknown)} relevant ids are not in the index ({', '.join(unknown[:5])}, …)", file=sys.stderr
        )
    known = [one for one in answerable if not one.relevant or not set(one.relevant) <= set(unknown)]
    if not known:
        raise EvaluationInvalid("none of the relevant ids is in the index; were the questions written for another one?")
    present = [retriever.features(_said(one), held_out=one.held_out) for one in known]
    absent = [retriever.features(_said(one), held_out=one.held_out) for one in questions if not one.is_answerable]
    if absent:
        return Measurements(present, absent, is_held_out=False)
    held_out = [
        retriever.features(_said(one), held_out=(*one.relevant, *one.held_out)) for one in known if one.relevant
    ]
    if not held_out:
        raise EvaluationInvalid("needs unanswerable questions, or answerable ones with their relevant ids")
    return Measurements(present, held_out, is_held_out=True)


def _said(question: LabelledQuestion) -> list[str]:
    return rewrite_rules(question.query, question.previous_user_turns)


def _gate_odds(questions: Sequence[LabelledQuestion], retriever: Retriever) -> list[float]:
    return [
        _odds(retriever, one.query, one.previous_user_turns[-1] if one.previous_user_turns else None)
        for one in questions
    ]


def _odds(retriever: Retriever, text: str, previous: str | None = None) -> float:
    score = min(max(retriever.gate(text, previous).score, _LEAST_SCORE), 1.0 - _LEAST_SCORE)
    return math.log(score / (1.0 - score))


def _values(made: Labelled, gate: GateFit, stored: Calibration, *, is_held_out: bool) -> dict[str, object]:
    names = ("refused", "declined_off_topic")
    return {
        "n": made.after.n,
        "n_absent": made.after.n_absent,
        "absent": "held out" if is_held_out else "labelled",
        "before": asdict(made.before),
        "after": asdict(made.after),
        "cuts": {"answered": round(stored.answered, 4), "uncertain": round(stored.uncertain, 4)},
        "gate": {
            "n": gate.n,
            "n_off_topic": gate.n_off_topic,
            "before": dict(zip(names, gate.before, strict=True)),
            "after": dict(zip(names, gate.after, strict=True)),
            "threshold_moved": round(gate.shift, 4),
        },
        "worse": is_worse(made.before, made.after),
        "calibration": stored.id,
    }


def _text(made: Labelled, gate: GateFit, *, is_held_out: bool) -> str:
    absent = "the same with their documents held out" if is_held_out else "without an answer"
    lines = [f"relevance: {counted(made.after.n, 'question')} with an answer, {made.after.n_absent} {absent}"]
    for name, found in (("before", made.before), ("after, on questions left out of the fit", made.after)):
        lines.append(
            f"  {name}: refused {found.refused:.3f}, plainly answered {found.plain:.3f};"
            f" without an answer yet plainly answered {found.false_plain:.3f}"
        )
    lines.append(f"topic gate: {counted(gate.n, 'question')}, {counted(gate.n_off_topic, 'off-topic text')}")
    for name, shares in (("before", gate.before), ("after, on texts left out of the fit", gate.after)):
        off_topic = f", off-topic texts declined {shares[1]:.3f}" if gate.n_off_topic else ""
        lines.append(f"  {name}: questions declined {shares[0]:.3f}{off_topic}")
    return "\n".join(lines)
