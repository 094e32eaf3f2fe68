"""Changes to an index that is there: documents forgotten, and decisions about documents that were held back."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from retrieval.documents import chunk_document
from retrieval.index.arrays import check_file
from retrieval.index.build import publish
from retrieval.index.embedding import Tools, cached_texts
from retrieval.index.folder import drop_older, may_hold, writing
from retrieval.index.intake import Prepared, decided
from retrieval.index.manifest import read_manifest
from retrieval.index.places import forget_places
from retrieval.index.plan import everything
from retrieval.index.texts import Texts
from retrieval.index.unresolved import forget_unresolved
from retrieval.screening import Decision, read_decisions, write_decisions


@dataclass(frozen=True, slots=True)
class ForgetReport:
    """What a forgetting did: the documents that were there, the older generations that went, the texts of which vectors may be kept."""

    found: tuple[str, ...]
    older_generations: int
    texts: tuple[str, ...]


def forget_documents(folder: Path, ids: Collection[str], tools: Tools) -> ForgetReport:
    """Make the index anew without these documents, and drop every older generation where one held any of them.

    Raises:
        IndexBusy: another process writes it.
        IndexMissing, IndexDamaged, IndexMismatch: it cannot be read.
    """
    with writing(folder):
        previous = read_manifest(folder)
        decisions = read_decisions(folder)
        every = everything(folder, previous, tools, decisions)
        may_be_kept = may_hold(folder, ids)
        gone = [item for item in every if item.document.id in ids]
        if gone:
            publish(folder, [item for item in every if item.document.id not in ids], tools, previous)
        if decisions.keys() & set(ids):
            write_decisions(folder, {name: made for name, made in decisions.items() if name not in ids})
        forget_unresolved(folder, ids)
        forget_places(folder, ids)
        older = drop_older(folder) if may_be_kept else 0
        if tools.known is not None:
            tools.known.forget(ids)
    texts = [text for item in gone for chunk in chunk_document(item.document) for text in cached_texts(chunk)]
    return ForgetReport(tuple(item.document.id for item in gone), older, tuple(texts))


def read_quarantine(folder: Path) -> list[Prepared]:
    """Give the documents that are held back, and those that people decided about, in the order of their ids.

    Raises:
        IndexMissing, IndexDamaged, IndexMismatch: the index cannot be read.
    """
    manifest = read_manifest(folder)
    texts = Texts(check_file(folder, manifest.files, "texts.sqlite"))
    try:
        return texts.quarantined(with_decided=True)
    finally:
        texts.close()


@dataclass(frozen=True, slots=True)
class DecisionReport:
    """What deciding did: the documents as they stand now, and the ids that the index does not hold."""

    decided: tuple[Prepared, ...]
    unknown: tuple[str, ...]


def _with(decisions: Mapping[str, Decision], made: Mapping[str, Decision | None]) -> dict[str, Decision]:
    return {name: decision for name, decision in {**decisions, **made}.items() if decision is not None}


def decide(folder: Path, made: Mapping[str, Callable[[Prepared], Decision | None]], tools: Tools) -> DecisionReport:
    """Keep decisions about documents, given by id, and publish the index as a new generation that follows them.

    None takes back what was decided: the document is judged by its score again.

    Raises:
        IndexBusy: another process writes the index.
        IndexMissing, IndexDamaged, IndexMismatch: it cannot be read.
    """
    with writing(folder):
        previous = read_manifest(folder)
        decisions = read_decisions(folder)
        every = everything(folder, previous, tools, decisions)
        found = [item for item in every if item.document.id in made]
        decisions = _with(decisions, {item.document.id: made[item.document.id](item) for item in found})
        unknown = tuple(name for name in made if name not in previous.documents)
        if not found:
            return DecisionReport((), unknown)
        after = [decided(item, decisions) for item in every]
        # The decisions first: a run that dies between the two shows too little until the next one, never too much.
        write_decisions(folder, decisions)
        if after != every:
            # Going back undoes no decision, so the generation before it could not be served again.
            publish(folder, after, tools, previous, replaces=True)
    return DecisionReport(tuple(item for item in after if item.document.id in made), unknown)
