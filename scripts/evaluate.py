"""`triage eval`: retrieval, refusals and answers measured on labelled questions."""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from bot.bootstrap import build_redactor, build_reranker
from bot.questions.leaning import is_follow_up
from config.settings import Settings, load_settings
from retrieval.errors import EvaluationInvalid
from retrieval.evaluation import (
    LabelledQuestion,
    Run,
    check_thresholds,
    details_of,
    differences,
    missed_thresholds,
    render_report,
    results_of,
    run_method,
)
from retrieval.evaluation.answers import Answered, answer_results
from retrieval.evaluation.comparison import answer_differences, by_method
from retrieval.evaluation.measures import DEPTH
from retrieval.evaluation.results import Results
from retrieval.evaluation.runs import Judged, Rewrite
from retrieval.passages import GateScore, Ranking
from retrieval.ranking.reranker import Reranker
from retrieval.retriever import Retriever
from retrieval.search.places import search_planned
from retrieval.search.reranking import search_reranked
from retrieval.search.scoring import Method
from scripts.evaluation_text import as_text
from scripts.labelled import add_question_arguments, usable_questions
from scripts.output import json_line
from scripts.rewriting import ask_model, replayed, simple_rewrite
from scripts.search import open_retriever

DEFAULT_METHODS = "keyword,tfidf,bm25,bm25+expand,dense,hybrid"
RERANKED = "hybrid+rerank"
_EXAMPLES = """\
examples:
  triage eval --queries config/sample/questions.jsonl --rewrite rules --report report.html
  triage eval --queries beir/scifact --qrels beir/scifact/qrels/test.tsv --methods bm25,dense,rrf,hybrid --json
  triage eval --queries questions.jsonl --answers --json > new.json
  triage eval --queries questions.jsonl --compare old.json --fail-under hit@5=0.9
  triage eval --queries questions.jsonl --rewrite model --record rewrites.jsonl
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = _EXAMPLES
    parser.add_argument("--index", type=Path, metavar="DIR", help="index folder (default: TRIAGE_DATA_DIR/index)")
    add_question_arguments(parser)
    known = ", ".join(str(method) for method in Method)
    parser.add_argument(
        "--methods", default=DEFAULT_METHODS, metavar="LIST", help=f"of {known} (default: {DEFAULT_METHODS})"
    )
    parser.add_argument(
        "--rerank", action="store_true", help=f"insist on {RERANKED}, which is measured whenever TRIAGE_RERANKER is set"
    )
    parser.add_argument(
        "--rewrite",
        default="none",
        metavar="none|rules|model|RECORDED.jsonl",
        help='how follow-ups are said: as asked, by rules, by the model, or rows {"id", "queries"}, as --record writes',
    )
    parser.add_argument(
        "--order-only",
        action="store_true",
        help="choose no sentences: many times faster on an index without sentence vectors; latency is then that of the order",
    )
    parser.add_argument("--record", type=Path, metavar="FILE.jsonl", help="write the rewrites of --rewrite model")
    parser.add_argument(
        "--answers",
        action="store_true",
        help="also the whole flow: outcome, citations, facts of reference_answer, unsupported sentences, length, cost",
    )
    parser.add_argument("--report", type=Path, metavar="FILE.html", help="write a page with plots")
    parser.add_argument(
        "--compare", type=Path, metavar="OLD.json", help="print the differences to an older --json result"
    )
    parser.add_argument(
        "--fail-under", action="append", default=[], metavar="hit@5=0.9", help="exit 1 when hybrid is below"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Measure and print; 1 when a bound was missed or a line of the questions was left out."""
    methods = _methods(arguments.methods)
    thresholds = dict(_threshold(text) for text in arguments.fail_under)
    check_thresholds(thresholds, methods)
    older = _older(arguments.compare) if arguments.compare else None
    if arguments.record and arguments.rewrite != "model":
        raise EvaluationInvalid("--record writes the rewrites of --rewrite model")
    if arguments.order_only and arguments.rerank:
        raise EvaluationInvalid("--order-only reads no sentences, by which --rerank would order")
    for path in (arguments.record, arguments.report):
        if path is not None and not path.parent.is_dir():
            raise EvaluationInvalid(f"{path}: there is no folder {path.parent} to write it to")
    questions, skipped = usable_questions(arguments.queries, qrels=arguments.qrels)
    measured = _measure(arguments, questions, methods)
    results = _results(measured, older)
    if arguments.report:
        facts = _facts(arguments, questions, measured)
        page = render_report("Retrieval evaluation", _redacted(measured.runs), facts, results=results)
        arguments.report.write_text(page, encoding="utf-8")
    print(json_line(results) if arguments.json else as_text(results))
    missed = missed_thresholds(results, thresholds) if thresholds else []
    for sentence in missed:
        print(f"triage: {sentence}", file=sys.stderr)
    return 1 if missed or skipped else 0


@dataclass(frozen=True, slots=True)
class _Measured:
    """What came back for all questions; `answered` is None without --answers."""

    runs: Sequence[Run]
    answered: Sequence[Answered] | None
    index_id: str


def _measure(
    arguments: argparse.Namespace, questions: Sequence[LabelledQuestion], methods: Sequence[Method]
) -> _Measured:
    settings = load_settings()
    folder = arguments.index or settings.retrieval.index_dir
    reranker = _reranker(settings, is_needed=arguments.rerank)
    rewrite = _rewrite(arguments, questions, settings, folder)
    retriever = open_retriever(folder)
    try:
        _warn_unknown(questions, retriever)
        searched = retriever.order_only() if arguments.order_only else retriever
        # The first search loads the model and maps the files, which would be the p95 of a small set.
        searched.search([questions[0].query], top_k=1)
        runs = [
            _held_out(questions, searched, partial(_run, method=method, rewrite=rewrite)) for method in _shown(methods)
        ]
        if reranker is not None and not arguments.order_only:
            runs.append(_held_out(questions, retriever, partial(_run_reranked, rewrite=rewrite, reranker=reranker)))
    finally:
        retriever.close()
    if not arguments.answers:
        return _Measured(runs, None, retriever.index_id)
    from scripts.answering import answer_all
    from scripts.console import quiet_logs

    quiet_logs(settings)
    return _Measured(runs, answer_all(questions, settings, folder), retriever.index_id)


def _results(measured: _Measured, older: Results | None) -> Results:
    results = results_of(measured.runs)
    if measured.answered is not None:
        results["answers"] = answer_results(measured.answered)
    if older is not None:
        found = differences(results, older)
        results["compare"] = by_method(found)
        results["compare_details"] = details_of([*found, *answer_differences(results, older)])
    return results


def _facts(arguments: argparse.Namespace, questions: Sequence[LabelledQuestion], measured: _Measured) -> dict[str, str]:
    """Name the circumstances for the page."""
    facts = {
        "index": measured.index_id,
        "questions": f"{len(questions)} of {arguments.queries}",
        "rewrite": arguments.rewrite,
    }
    if arguments.compare:
        facts["compared with"] = str(arguments.compare)
    return facts


def _redacted(runs: Sequence[Run]) -> list[Run]:
    """Give the runs as a page may show them, which is passed on: without personal data in the questions."""
    redactor = build_redactor(load_settings().retrieval)

    def shown(one: Judged) -> Judged:
        query, *turns = (
            str(redactor.redact(text).text) for text in (one.question.query, *one.question.previous_user_turns)
        )
        return replace(one, question=replace(one.question, query=query, previous_user_turns=tuple(turns)))

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


def _older(path: Path) -> Results:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(value, dict):
            differences(value, value)  # whatever cannot be compared with itself is refused before the run
            answer_differences(value, value)
            return value
    except (OSError, ValueError, RecursionError, EvaluationInvalid):
        pass
    raise EvaluationInvalid(f"{path}: is no result of `triage eval --json`")


def _rewrite(
    arguments: argparse.Namespace, questions: Sequence[LabelledQuestion], settings: Settings, folder: Path
) -> Rewrite:
    simple = simple_rewrite(arguments.rewrite)
    if simple is not None:
        return simple
    if arguments.rewrite != "model":
        return replayed(Path(arguments.rewrite))
    recording = ask_model(questions, settings, folder)
    if arguments.record:
        recording.write(arguments.record)
    return recording.rewrite()


def _warn_unknown(questions: Sequence[LabelledQuestion], retriever: Retriever) -> None:
    named = {name for question in questions for name in question.relevant}
    unknown = sorted(name for name in named if retriever.document(name) is None)
    if unknown:
        shown = ", ".join((*unknown[:5], *(["…"] if len(unknown) > 5 else [])))
        told = "relevant id is" if len(unknown) == 1 else "relevant ids are"
        print(f"triage: {len(unknown)} {told} not in the index ({shown})", file=sys.stderr)


def _shown(methods: Sequence[Method]) -> Sequence[Method]:
    """Show progress on a terminal."""
    if not sys.stderr.isatty():
        return methods
    from tqdm import tqdm

    return list(methods) if not methods else tqdm(methods, desc="methods", unit="", file=sys.stderr)  # type: ignore[return-value]  # iterated only


def _held_out(
    questions: Sequence[LabelledQuestion],
    retriever: Retriever,
    run: Callable[[Sequence[LabelledQuestion], Retriever], Run],
) -> Run:
    """Run all questions at once, or each in the base without the documents that it holds out."""
    if not any(question.held_out for question in questions):
        return run(questions, retriever)
    runs = [run([question], retriever.without(question.held_out)) for question in questions]
    return Run(runs[0].method, tuple(one for each in runs for one in each.judged))


def _run(questions: Sequence[LabelledQuestion], retriever: Retriever, *, method: Method, rewrite: Rewrite) -> Run:
    def search(queries: Sequence[str], name: str) -> Ranking:
        return search_planned(queries, lambda texts: retriever.search(texts, top_k=DEPTH, method=name), top_k=DEPTH)

    def gate(text: str, previous: str | None) -> GateScore:
        """Judge a follow-up with the question that it leans on, any other by itself, as the flow does."""
        return retriever.gate(text, previous if previous and is_follow_up(text, [previous]) else None)

    return run_method(questions, method, search, gate=gate if method == Method.HYBRID else None, rewrite=rewrite)


def _run_reranked(
    questions: Sequence[LabelledQuestion], retriever: Retriever, *, rewrite: Rewrite, reranker: Reranker
) -> Run:
    def reranked(texts: Sequence[str]) -> Ranking:
        return search_reranked(lambda top_k: retriever.search(texts, top_k=top_k), texts, reranker, top_k=DEPTH)

    def search(queries: Sequence[str], _name: str) -> Ranking:
        return search_planned(queries, reranked, top_k=DEPTH)

    return run_method(questions, RERANKED, search, rewrite=rewrite)


def _reranker(settings: Settings, *, is_needed: bool) -> Reranker | None:
    if is_needed and not settings.retrieval.reranker:
        raise EvaluationInvalid("--rerank needs a cross-encoder: set TRIAGE_RERANKER to its folder or name")
    return build_reranker(settings.retrieval)
