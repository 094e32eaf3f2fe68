"""The tables of the page: measures, ends, answers, comparison, and the questions that went worst."""

from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import Any

from retrieval.evaluation.answers import ANSWER_MEASURES
from retrieval.evaluation.measures import MEASURES
from retrieval.evaluation.results import Results
from retrieval.evaluation.runs import Judged, Run

_MOST_QUESTIONS = 50
_ANSWERS = {
    "right_outcome": "right outcome",
    "cited_precision": "cited documents that are relevant",
    "cited_recall": "relevant documents that are cited",
    "first_cited": "first citation relevant",
    "facts": "facts of the reference answer stand",
}


def methods_table(results: Results) -> str:
    """Give the measures by method, each with its interval."""
    methods: Any = results["methods"]
    rows = [
        [escape(method), str(values["n"]), *(_with_interval(values[name], values["ci95"][name]) for name in MEASURES)]
        for method, values in methods.items()
    ]
    return _table(["method", "n", *MEASURES], rows)


def ends_table(results: Results) -> str:
    """Give how questions end at the shipped cuts, empty without a hybrid run."""
    ends: Any = results["ends"]
    rows = []
    for kind in ("answerable", "unanswerable"):
        if ends[kind] is not None:
            shares = (f"{ends[kind][name]:.3f}" for name in ("plain", "uncertain", "no_match", "off_topic"))
            refused: Any = results["refused"]
            rows.append([kind, str(ends[kind]["n"]), *shares, f"{refused[kind]:.3f}"])
    if not rows:
        return ""
    head = ["questions", "n", "plainly answered", "uncertain", "nothing relevant", "off-topic", "refused in all"]
    return "<h2>How questions end (hybrid, shipped gate and cuts)</h2>" + _table(head, rows)


def answers_table(results: Results) -> str:
    """Give what the whole flow answered, overall and by language; empty without answers."""
    answers: Any = results.get("answers")
    if answers is None:
        return ""
    columns = {f"all ({answers['n']})": answers}
    columns |= {f"{lang} ({values['n']})": values for lang, values in answers["languages"].items()}
    rows = [[_ANSWERS[name], *(_share(values[name]) for values in columns.values())] for name in ANSWER_MEASURES]
    rows.append(["unsupported sentences", *(_of(values["sentences"]) for values in columns.values())])
    rows.append(["words, median and p95", *(_pair(values["length_words"], "median") for values in columns.values())])
    usage = answers["usage"]
    cost = "unknown" if usage["cost_usd"] is None else f"${usage['cost_usd']:.4f}"
    spent = (
        f"{usage['calls']} model calls, {usage['input_tokens']} tokens in, {usage['output_tokens']} out, cost {cost}"
    )
    time = answers["latency_ms"]
    note = (
        f'<p class="note">{spent}. Time of an answer p50 {time["p50"]} ms, p95 {time["p95"]} ms, several at once.</p>'
    )
    return "<h2>Answers of the whole flow</h2>" + _table(["", *map(escape, columns)], rows) + note


def compared_table(results: Results) -> str:
    """Give the differences to the older result, empty without one; those that show nothing are folded away."""
    details: Any = results.get("compare_details")
    if not details:
        return ""
    head = ["method", "measure", "difference", "95 % interval", "n", "verdict"]
    rows = [(_verdict(one), _compared(one)) for one in details]
    clear = [row for verdict, row in rows if verdict in ("better", "worse")]
    others = [row for verdict, row in rows if verdict not in ("better", "worse")]
    shown = _table(head, clear) if clear else '<p class="note">No measure is better or worse beyond chance.</p>'
    folded = f"<details><summary>{len(others)} others</summary>{_table(head, others)}</details>" if others else ""
    return "<h2>Compared with the older result</h2>" + shown + folded


def _verdict(one: dict[str, Any]) -> str:
    return str(one["verdict"]).rpartition(": ")[2] if one["ci95"] else "no interval"


def _compared(one: dict[str, Any]) -> list[str]:
    bounds = one["ci95"]
    interval = f"{bounds[0]:+.3f} to {bounds[1]:+.3f}" if bounds else "–"
    cells = (one["method"], one["measure"], f"{one['difference']:+.4f}", interval, str(one["n"]), _verdict(one))
    return [escape(cell) for cell in cells]


def worst_questions(run: Run) -> str:
    """List what went worst: not found among the first five, wrongly refused, and plainly answered without an answer."""
    missed = [one for one in run.rankable if one.rank is None or one.rank > 5]
    missed.sort(key=lambda one: -(one.rank or 99))
    asked = run.judged
    refused = [one for one in asked if one.question.is_answerable and one.is_refused]
    invented = [one for one in asked if not one.question.is_answerable and one.is_plain]
    refused.sort(key=lambda one: one.relevance)
    invented.sort(key=lambda one: -one.relevance)
    return "".join(
        (
            _listed(f"Not among the first five: {len(missed)} of {len(run.rankable)}", missed, _rank),
            _listed(f"Answerable and refused: {len(refused)}", refused, _end),
            _listed(f"Not answerable and plainly answered: {len(invented)}", invented, _end),
        )
    )


def _listed(title: str, judged: Sequence[Judged], said: Callable[[Judged], str]) -> str:
    if not judged:
        return ""
    rows = []
    for one in judged[:_MOST_QUESTIONS]:
        wanted = ", ".join(one.question.relevant[:5]) or "nothing"
        ids = f"{escape(one.question.id)}<br><small>{escape(one.question.lang)} {escape(said(one))}</small>"
        turns = "".join(f"<small>after: {escape(turn[:80])}</small><br>" for turn in one.question.previous_user_turns)
        rows.append([ids, turns + escape(one.question.query[:300]), escape(wanted), escape(", ".join(one.ranked[:5]))])
    more = len(judged) - len(rows)
    note = f'<p class="note">and {more} more</p>' if more else ""
    columns = "<col><col><col><col>"
    return f"<h2>{escape(title)}</h2>" + _table(["id", "question", "wanted", "found"], rows, "worst", columns) + note


def _rank(one: Judged) -> str:
    return "not found" if one.rank is None else f"rank {one.rank}"


def _end(one: Judged) -> str:
    return f"{one.end.replace('_', ' ')}, {one.relevance:.2f}"


def _with_interval(value: float, bounds: Sequence[float]) -> str:
    return f"{value:.3f}<br><small>{bounds[0]:.3f}–{bounds[1]:.3f}</small>"


def _share(value: dict[str, Any]) -> str:
    if not value["n"]:
        return "–"
    return f"{value['share']:.3f}<br><small>n = {value['n']}</small>"


def _of(value: dict[str, Any]) -> str:
    return f"{value['unsupported']} of {value['n']}"


def _pair(value: dict[str, Any], first: str) -> str:
    return "–" if value[first] is None else f"{value[first]:.0f}, {value['p95']:.0f}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], kind: str = "", columns: str = "") -> str:
    """Put cells together; they are markup already."""
    top = "".join(f"<th>{name}</th>" for name in head)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f'<div class="scroll"><table class="{kind}">{columns}<tr>{top}</tr>{body}</table></div>'
