"""`triage backtest`: resolved tickets asked again in the order of time, each with nothing but what was known before it."""

import argparse
import asyncio
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from bot.bootstrap import Flow, build_redactor, index_tools, open_flow, private_folder
from bot.lead.backtest import (
    Case,
    Cases,
    PastRetriever,
    Replayed,
    cases_of,
    is_uncertain,
    knowledge_times,
    named_in,
    names_of,
    right_sources,
)
from bot.messages import Platform
from bot.passage_source import BlockingRetriever
from bot.pipeline import Pipeline
from bot.questions.accepting import accept_text, local_thread
from config.settings import Settings, load_settings
from retrieval.documents import Document, FieldInvalid, FieldMap, load_documents
from retrieval.errors import DocumentsInvalid
from retrieval.index import Tools, Update, update_index
from retrieval.ports import Vectors
from retrieval.retriever import Retriever
from scripts.backtest_report import rows_to_write, text_of, values_of
from scripts.console import DEFAULT_AUDIENCE, quiet_logs
from scripts.gathering import gathered
from scripts.output import counted, json_line

# How alike a resolution and a part of a source must be to say the same. Of pairs of answers in stackfaq that are as near, 84 of
# 100 answer one question, and 60 of 100 that do are as near; of the sample's citations, read by hand, all that are as near are
# right and three of thirteen others are.
SAME = 0.30
_HEAD = 800
_PART, _PARTS = 400, 12
_PATIENCE_S = 120.0
_SHOWN_PROBLEMS = 20
_AUDIENCE = frozenset(DEFAULT_AUDIENCE.split(","))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "paths", nargs="+", metavar="EXPORT", help="resolved tickets, and articles where there are some"
    )
    parser.add_argument("--map", action="append", default=[], metavar="FIELD=COLUMN", help="where a field is found")
    parser.add_argument("--limit", type=int, metavar="N", help="ask only the newest N tickets (default: all)")
    parser.add_argument("--write", type=Path, metavar="FILE.jsonl", help="first rows for `eval` and `calibrate`")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Replay and report; 1 when a part of the export could not be read."""
    if arguments.limit is not None and arguments.limit < 1:
        raise DocumentsInvalid("--limit must be at least 1")
    if arguments.write is not None and (arguments.write.is_dir() or not arguments.write.parent.is_dir()):
        raise DocumentsInvalid(f"--write: {arguments.write} cannot be written")  # told before the work, not after it
    settings = load_settings()
    quiet_logs(settings)
    try:
        loaded = load_documents(arguments.paths, field_map=FieldMap.parse(arguments.map))
    except FieldInvalid as error:
        raise DocumentsInvalid(str(error)) from None
    for problem in loaded.problems[:_SHOWN_PROBLEMS]:
        print(f"triage: {problem}", file=sys.stderr)
    if len(loaded.problems) > _SHOWN_PROBLEMS:
        print(f"triage: … and {len(loaded.problems) - _SHOWN_PROBLEMS} more", file=sys.stderr)
    cases = cases_of(loaded.documents, now=time.time())
    if not cases.cases:
        raise DocumentsInvalid("nothing to ask again: no resolved ticket with a question and a date ('created_at')")
    if arguments.limit is not None:
        cases = replace(cases, cases=cases.cases[-arguments.limit :])
    replayed = replay(loaded.documents, cases, settings)
    if arguments.write is not None:
        rows = rows_to_write(replayed, redactor=build_redactor(settings.retrieval))
        arguments.write.write_text("".join(json_line(row) + "\n" for row in rows), encoding="utf-8")
        print(f"triage: {counted(len(rows), 'row')} written to {arguments.write}: look through them", file=sys.stderr)
    values = values_of(replayed, cases, loaded.documents)
    print(json_line(values) if arguments.json else text_of(values))
    return 1 if loaded.is_partial else 0


def replay(documents: Sequence[Document], cases: Cases, settings: Settings) -> list[Replayed]:
    """Ask every case with only what was known before it, in one index that is gone afterwards.

    Raises:
        RetrievalError: the index cannot be made.
    """
    tools = index_tools(settings.retrieval)
    with tempfile.TemporaryDirectory(prefix="backtest-", dir=private_folder(settings.retrieval)) as folder:
        update_index(Path(folder), documents, tools, update=Update())
        asked = asyncio.run(_ask_all(documents, cases, settings, Path(folder)))
    return _judged(asked, documents, tools)


@dataclass(frozen=True, slots=True)
class _Asked:
    """An answer before it is judged; `found` are the ids of what was retrieved."""

    replayed: Replayed
    found: tuple[str, ...]


async def _ask_all(documents: Sequence[Document], cases: Cases, settings: Settings, folder: Path) -> list[_Asked]:
    known_names = names_of(documents)
    times = knowledge_times(documents)
    async with open_flow(settings, index_dir=folder) as flow:

        async def ask(case: Case) -> _Asked:
            return await _ask(case, flow, times, known_names)

        return await gathered("tickets", cases.cases, ask)


async def _ask(case: Case, flow: Flow, times: Mapping[str, float], known_names: Mapping[str, str]) -> _Asked:
    ports, ticket = flow.pipeline.ports, case.ticket
    counted_known = 0

    def wrap(retriever: BlockingRetriever) -> BlockingRetriever:
        nonlocal counted_known
        assert isinstance(retriever, Retriever)
        ids = retriever.document_ids
        known = np.fromiter((times.get(name, np.inf) < case.asked_at for name in ids), np.bool_, len(ids))
        counted_known = int(known.sum())
        return PastRetriever(retriever.among(known))

    past = flow.index.source.through(wrap)
    # Questions wait for each other here, which is no reason to let one run out of time.
    limits = replace(ports.limits, gate_timeout_s=_PATIENCE_S, answer_within_s=_PATIENCE_S)
    pipeline = Pipeline(replace(ports, passages=past, threads=None, clock=_Then(case.asked_at), limits=limits))
    question = ticket.question or ticket.title
    message = accept_text(
        question,
        thread=local_thread(Platform.CONSOLE, f"backtest-{ticket.id}"),
        redactor=flow.redactor,
        received_at=case.asked_at,
        audience=_AUDIENCE | set(ticket.visibility),
    )
    answer = await pipeline.respond(message, is_stateless=True)
    named = named_in(ticket.resolution or ticket.text, known_names)
    return _Asked(
        Replayed(
            case=case,
            known=counted_known,
            outcome=answer.outcome,
            is_uncertain=is_uncertain(answer),
            cited=tuple(dict.fromkeys(citation.id for citation in answer.citations)),
            right={},
            named=tuple(name for name in named if times[name] < case.asked_at),
            queue=answer.triage.queue if answer.triage else "",
            language=answer.language,
        ),
        tuple(dict.fromkeys(hit.id for hit in answer.hits)),
    )


@dataclass(frozen=True, slots=True)
class _Then:
    """A clock that stands at the time of a ticket."""

    at: float

    def now(self) -> float:
        """Seconds since the epoch."""
        return self.at


def _judged(asked: Sequence[_Asked], documents: Sequence[Document], tools: Tools) -> list[Replayed]:
    """Say of every source found whether it is right."""
    from retrieval.dense.groups import without_language
    from retrieval.index.embedding import embed
    from retrieval.language import language_of

    by_id = {document.id: document for document in documents}
    tickets = {one.replayed.case.ticket.id for one in asked} & by_id.keys()
    found = {name for one in asked for name in one.found} & by_id.keys()
    # A resolution is compared as a whole with each part of a source: what it tells stands somewhere in a long article.
    texts = [(name, True, _redacted(by_id[name], tools)[:_HEAD]) for name in sorted(tickets)]
    texts += [(name, False, part) for name in sorted(found) for part in _parts(_redacted(by_id[name], tools))]
    vectors, _ = embed([text for *_, text in texts], "resolutions", tools)
    rows = without_language(vectors, [language_of(text) for *_, text in texts], vectors.mean(axis=0))
    resolutions = {name: row for (name, is_whole, _), row in zip(texts, rows, strict=True) if is_whole}
    sources: dict[str, list[Vectors]] = defaultdict(list)
    for (name, is_whole, _), row in zip(texts, rows, strict=True):
        if not is_whole:
            sources[name].append(row)

    def alike(ticket: str, source: str) -> float:
        return max((float(resolutions[ticket] @ row) for row in sources[source]), default=-1.0)

    judged = []
    for one in asked:
        case = one.replayed.case
        right = right_sources(case, one.found, one.replayed.named, alike=alike, least=SAME)
        judged.append(replace(one.replayed, right=right))
    return judged


def _redacted(document: Document, tools: Tools) -> str:
    return str(tools.redactor.redact(document.evidence, names=document.people).text)


def _parts(text: str) -> list[str]:
    """Cut a text at its paragraphs into parts of about `_PART` characters, the first `_PARTS` of them."""
    parts = [""]
    for paragraph in filter(None, map(str.strip, text.split("\n\n"))):
        if parts[-1] and len(parts[-1]) + len(paragraph) > _PART:
            parts.append("")
        parts[-1] = f"{parts[-1]}\n\n{paragraph}".strip()[: 2 * _PART]
    return [part for part in parts[:_PARTS] if part]
