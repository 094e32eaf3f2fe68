"""The result of `triage eval` as a person reads it in a terminal."""

from typing import Any

from retrieval.evaluation import MEASURES
from retrieval.evaluation.answers import ANSWER_MEASURES
from retrieval.evaluation.results import Results

_SAME = ": the same"
_ANSWER_LINES = {
    "right_outcome": "right outcome",
    "cited_precision": "cited documents that are relevant",
    "cited_recall": "relevant documents that are cited",
    "first_cited": "first citation relevant",
    "facts": "facts of the reference stand",
}


def as_text(results: Results) -> str:
    """Give the measures by method, the ends, latency, the answers and the comparison."""
    values: Any = results
    lines = [*_methods(values["methods"]), ""]
    for kind in ("answerable", "unanswerable"):
        ends = values["ends"][kind]
        if ends is not None:
            lines.append(f"{kind:13} {ends['n']:5} questions: {_ends(ends)}")
    latency = values["latency_ms"]
    lines.append(f"search, ms: p50 {latency['p50']}, p95 {latency['p95']}")
    if "answers" in values:
        lines += ["", *_answers(values["answers"])]
    if "compare_details" in values:
        lines += ["", *_compared([one["verdict"] for one in values["compare_details"]])]
    return "\n".join(lines)


def _compared(verdicts: list[str]) -> list[str]:
    """Give what changed, a line each, and how many measures did not."""
    changed = [verdict for verdict in verdicts if not verdict.endswith(_SAME)]
    same = len(verdicts) - len(changed)
    what = f"{same} {'measure is' if same == 1 else 'measures are'} the same{'' if changed else ' as before'}"
    return [*changed, what] if same else changed


def _methods(methods: dict[str, Any]) -> list[str]:
    width = max([12, *map(len, methods)])
    lines = ["  ".join([f"{'method':{width}}", "    n", *(f"{name:>9}" for name in MEASURES), "95 % of mrr@10"])]
    for method, values in methods.items():
        low, high = values["ci95"]["mrr@10"]
        figures = (f"{values[name]:9.3f}" for name in MEASURES)
        lines.append("  ".join([f"{method:{width}}", f"{values['n']:5}", *figures, f"{low:.3f} to {high:.3f}"]))
    return lines


def _ends(ends: dict[str, float]) -> str:
    refused = ends["no_match"] + ends["off_topic"]
    return (
        f"plainly answered {ends['plain']:.3f}, uncertain {ends['uncertain']:.3f}, refused {refused:.3f} "
        f"(nothing relevant {ends['no_match']:.3f}, off-topic {ends['off_topic']:.3f})"
    )


def _answers(answers: dict[str, Any]) -> list[str]:
    lines = [f"answers to {answers['n']} questions"]
    for name in ANSWER_MEASURES:
        value = answers[name]
        if value["n"]:
            low, high = value["ci95"]
            lines.append(f"  {_ANSWER_LINES[name]:36} {value['share']:.3f} ({low:.3f} to {high:.3f}), n = {value['n']}")
    said, length, usage = answers["sentences"], answers["length_words"], answers["usage"]
    lines.append(f"  {'unsupported':36} {said['unsupported']} of {said['n']} sentences and quotes")
    lines.append(f"  {'length in words':36} median {length['median']}, p95 {length['p95']}")
    cost = "unknown" if usage["cost_usd"] is None else f"${usage['cost_usd']:.4f}"
    tokens = f"{usage['input_tokens']} tokens in, {usage['output_tokens']} out"
    lines.append(f"  {'model':36} {usage['calls']} calls, {tokens}, cost {cost}")
    latency = answers["latency_ms"]
    lines.append(f"  {'time of an answer, ms':36} p50 {latency['p50']}, p95 {latency['p95']}")
    return lines
