"""`triage eval`: retrieval and refusals measured on labelled questions."""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from bot.bootstrap import build_redactor
from bot.follow_up import rewrite_rules
from config.settings import load_settings
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
from retrieval.evaluation.measures import DEPTH, MEASURES
from retrieval.evaluation.runs import Judged, Rewrite
from retrieval.passages import Ranking
from retrieval.ranking.reranker import Reranker
from retrieval.retriever import Retriever
from retrieval.search.reranking import search_reranked
from retrieval.search.scoring import Method
from scripts.labelled import add_question_arguments, read_questions
from scripts.output import json_line
from scripts.queries import read_rows
from scripts.search import open_retriever

DEFAULT_METHODS = "keyword,tfidf,bm25,bm25+expand,dense,hybrid"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--index", type=Path, metavar="DIR", help="index folder (default: TRIAGE_DATA_DIR/index)")
    add_question_arguments(parser)
    parser.add_argument("--methods", default=DEFAULT_METHODS, metavar="LIST", help=f"default: {DEFAULT_METHODS}")
    parser.add_argument("--rerank", action="store_true", help="also hybrid reranked by the model of TRIAGE_RERANKER")
    parser.add_argument(
        "--rewrite", default="none", metavar="none|rules|RECORDED.jsonl", help="how follow-ups are said"
    )
    parser.add_argument("--report", type=Path, metavar="FILE.html", help="write a page with plots")
    parser.add_argument(
        "--compare", type=Path, metavar="OLD.json", help="print the difference to an older --json result"
    )
    parser.add_argument(
        "--fail-under", action="append", default=[], metavar="hit@5=0.9", help="exit 1 when hybrid is below"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Measure and print."""
    methods = _methods(arguments.methods)
    thresholds = dict(_threshold(text) for text in arguments.fail_under)
    check_thresholds(thresholds, methods)
    older = _older(arguments.compare) if arguments.compare else None
    questions = read_questions(arguments.queries, qrels=arguments.qrels)
    rewrite = _rewrite(arguments.rewrite)
    reranker = _reranker() if arguments.rerank else None
    retriever = open_retriever(arguments.index or load_settings().retrieval.index_dir)
    try:
        _warn_unknown(questions, retriever)
        runs = [_run(questions, method, retriever, rewrite) for method in _shown(methods)]
        if reranker is not None:
            runs.append(_run_reranked(questions, retriever, rewrite, reranker))
        facts = {
            "index": retriever.index_id,
            "questions": f"{len(questions)} of {arguments.queries}",
            "rewrite": arguments.rewrite,
        }
    finally:
        retriever.close()
    results = results_of(runs)
    if older is not None:
        results["compare"] = compare_results(results, older)
    if arguments.report:
        arguments.report.write_text(render_report("Retrieval evaluation", _redacted(runs), facts), encoding="utf-8")
    print(json_line(results) if arguments.json else _table(results))
    missed = missed_thresholds(results, thresholds) if thresholds else []
    for sentence in missed:
        print(f"triage: {sentence}", file=sys.stderr)
    return 1 if missed else 0


def _redacted(runs: Sequence[Run]) -> list[Run]:
    """Give the runs as a page may show them, which is passed on: without personal data in the questions."""
    redactor = build_redactor(load_settings().retrieval)

    def shown(one: Judged) -> Judged:
        query = str(redactor.redact(one.question.query).text)
        return replace(one, question=replace(one.question, query=query))

    return [replace(run, judged=tuple(map(shown, run.judged))) for run in runs]


def _methods(text: str) -> list[Method]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    known = [str(method) for method in Method]
    for name in names:
        if name not in known:
            raise EvaluationInvalid(f"--methods knows no {name!r}; methods are {', '.join(known)}")
    if not names:
        raise EvaluationInvalid("--methods needs at least one method")
    return [Method(name) for name in dict.fromkeys(names)]


def _threshold(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    try:
        return name.strip(), float(value)
    except ValueError:
        raise EvaluationInvalid(f"--fail-under takes MEASURE=NUMBER, not {text!r}") from None


def _older(path: Path) -> dict[str, object]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(value, dict):
            compare_results(value, value)  # whatever cannot be compared with itself is refused before the run
            return value
    except (OSError, ValueError, RecursionError, EvaluationInvalid):
        pass
    raise EvaluationInvalid(f"{path}: is no result of `triage eval --json`")


def _rewrite(kind: str) -> Rewrite:
    if kind == "none":
        return as_asked
    if kind == "rules":
        return lambda question: rewrite_rules(question.query, question.previous_user_turns)
    recorded = {row.text("id"): row.texts("queries") for row in read_rows(Path(kind))}

    def replay(question: LabelledQuestion) -> Sequence[str]:
        if question.id not in recorded:
            raise EvaluationInvalid(f"{kind}: holds no rewrite of question {question.id!r}")
        return (question.query, *recorded[question.id])

    return replay


def _warn_unknown(questions: Sequence[LabelledQuestion], retriever: Retriever) -> None:
    named = {name for question in questions for name in question.relevant}
    unknown = sorted(name for name in named if retriever.document(name) is None)
    if unknown:
        shown = ", ".join(unknown[:5])
        print(f"triage: {len(unknown)} relevant ids are not in the index ({shown}, …)", file=sys.stderr)


def _shown(methods: Sequence[Method]) -> Sequence[Method]:
    """Show progress on a terminal."""
    if not sys.stderr.isatty():
        return methods
    from tqdm import tqdm

    return list(methods) if not methods else tqdm(methods, desc="methods", unit="", file=sys.stderr)  # type: ignore[return-value]  # iterated only


def _run(questions: Sequence[LabelledQuestion], method: Method, retriever: Retriever, rewrite: Rewrite) -> Run:
    def search(queries: Sequence[str], name: str) -> Ranking:
        return retriever.search(queries, top_k=DEPTH, method=name)

    gate = retriever.gate if method == Method.HYBRID else None
    return run_method(questions, method, search, gate=gate, rewrite=rewrite)


def _run_reranked(
    questions: Sequence[LabelledQuestion], retriever: Retriever, rewrite: Rewrite, reranker: Reranker
) -> Run:
    def search(queries: Sequence[str], _name: str) -> Ranking:
        return search_reranked(lambda top_k: retriever.search(queries, top_k=top_k), queries, reranker, top_k=DEPTH)

    return run_method(questions, "hybrid+rerank", search, rewrite=rewrite)


def _reranker() -> Reranker:
    from retrieval.ranking import load_reranker

    name = load_settings().retrieval.reranker
    if not name:
        raise EvaluationInvalid("--rerank needs a cross-encoder: set TRIAGE_RERANKER to its folder or name")
    return load_reranker(name)


def _table(results: dict[str, object]) -> str:
    methods = results["methods"]
    assert isinstance(methods, dict)
    lines = ["  ".join(["method      ", "    n", *(f"{name:>9}" for name in MEASURES)])]
    for method, values in methods.items():
        lines.append("  ".join([f"{method:12}", f"{values['n']:5}", *(f"{values[name]:9.3f}" for name in MEASURES)]))
    lines.append(f"refused (hybrid): {json.dumps(results['refused'])}")
    lines.append(f"latency, ms: {json.dumps(results['latency_ms'])}")
    if "compare" in results:
        lines.append(f"difference: {json.dumps(results['compare'])}")
    return "\n".join(lines)
