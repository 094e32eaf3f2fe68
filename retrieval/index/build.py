"""Documents to an index folder: redacted, screened, cut, embedded where new, written, and swapped in at the end."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from retrieval.documents import CHUNKER_VERSION, Chunk, Document, chunk_document
from retrieval.errors import IndexDamaged, IndexMismatch, IndexMissing, RemovalRefused
from retrieval.index.arrays import AnyArray, check_file, make_postings, make_rows, posting_arrays, write_arrays
from retrieval.index.changes import Changes, compare
from retrieval.index.embedding import Embedded, Tools, embed, ranking_parts, ranking_version
from retrieval.index.folder import keep_file, scratch_file, swap, writing
from retrieval.index.intake import Background, Prepared, decided, prepare, prepare_all
from retrieval.index.manifest import Counts, FileEntry, Manifest, read_manifest
from retrieval.index.texts import Texts, write_texts
from retrieval.lexical import TOKENIZER_VERSION
from retrieval.ranking.calibration import is_current
from retrieval.ranking.labelled import LABELLED
from retrieval.screening import VERSION as SCREEN_VERSION
from retrieval.screening import Decision, decisions_id, read_decisions, usual_of


@dataclass(frozen=True, slots=True)
class Update:
    """How a run treats what the index holds already.

    `keeps_others`: documents that the input does not name stay (`--add`). `may_remove_most`: removing over half is meant (`--yes`).
    `has_sentences`: vectors of evidence sentences are made now; without them an answer embeds a few at query time.
    """

    keeps_others: bool = False
    may_remove_most: bool = False
    has_sentences: bool = True


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What a run did."""

    manifest: Manifest
    changes: Changes
    quarantined: tuple[Prepared, ...]
    chunks: Embedded
    sentences: Embedded


def update_index(
    folder: Path, documents: Sequence[Document], tools: Tools, *, update: Update = Update()
) -> IndexReport:
    """Make the index in `folder` hold these documents.

    Raises:
        IndexBusy: another process writes it.
        RemovalRefused: more than half of its documents would go.
        IndexDamaged, IndexMismatch: `keeps_others` with an index that cannot be read.
    """
    with writing(folder):
        previous = _previous(folder, must_be_sound=update.keeps_others)
        decisions = read_decisions(folder)
        fingerprint = _fingerprint(documents, tools, update, previous, decisions_id(decisions))
        if previous is not None and previous.input == fingerprint and _is_whole(folder, previous):
            return _unchanged(folder, previous)
        others = _stored(folder, previous) if update.keeps_others and previous is not None else []
        background = _background(documents, others, decisions)
        prepared = prepare_all(documents, tools.redactor, background)
        if update.keeps_others and previous is not None:
            prepared = _joined(prepared, others, tools, previous, background)
        changes = compare(previous.documents if previous else {}, {p.document.id: p.hash for p in prepared})
        if changes.removes_most and not update.may_remove_most:
            raise RemovalRefused(
                f"this would remove {len(changes.removed)} of {len(changes.removed) + changes.kept} documents;"
                " add --yes if that is meant, or --add to keep the others"
            )
        manifest, chunks, sentences = _write(folder, prepared, tools, update)
        manifest = replace(manifest, input=fingerprint, calibration=_calibration(manifest, previous))
        swap(folder, manifest)
    return IndexReport(manifest, changes, _quarantined(prepared), chunks, sentences)


def store_calibration(folder: Path, calibration: dict[str, object]) -> Manifest:
    """Put a calibration into the manifest of an index and swap it in."""
    with writing(folder):
        manifest = read_manifest(folder).with_calibration(calibration)
        swap(folder, manifest)
    return manifest


def _calibration(manifest: Manifest, previous: Manifest | None) -> dict[str, object]:
    """Give the calibration of the new index; one made from labelled questions outlives an update with the same model.

    Unless it has other numbers than are in use now: kept, it would make every later index unreadable.
    """
    if previous is None or previous.encoder != manifest.encoder or previous.calibration.get("basis") != LABELLED:
        return manifest.calibration
    return previous.calibration if is_current(previous.calibration, manifest.calibration) else manifest.calibration


def _previous(folder: Path, *, must_be_sound: bool) -> Manifest | None:
    try:
        return read_manifest(folder)
    except IndexMissing:
        return None
    except (IndexDamaged, IndexMismatch):
        if must_be_sound:
            raise
        return None


def _fingerprint(
    documents: Sequence[Document], tools: Tools, update: Update, previous: Manifest | None, decisions: str
) -> str:
    """Name the whole input and everything that turns it into an index: one hash, so it tells nothing of a single document."""
    total = hashlib.sha256(repr((sorted(_versions(tools).items()), tools.encoder.identity, update)).encode())
    total.update(decisions.encode("utf-8", "surrogatepass"))
    if update.keeps_others and previous is not None:
        total.update("\n".join(f"{name} {digest}" for name, digest in sorted(previous.documents.items())).encode())
    for text in sorted(map(_sourceless, documents)):
        total.update(text.encode("utf-8", "surrogatepass"))
    return total.hexdigest()[:16]


def _sourceless(document: Document) -> str:
    """Give the document as text without the place that it was read from; that is its last field."""
    return repr(document).removesuffix(f"source={document.source!r})")


def _versions(tools: Tools) -> dict[str, str]:
    return _versions_of(tools.encoder.identity, tools.redactor.version)


def _versions_of(encoder: str, redactor: str) -> dict[str, str]:
    return {
        "tokenizer": TOKENIZER_VERSION,
        "chunker": CHUNKER_VERSION,
        "redactor": redactor,
        "screen": SCREEN_VERSION,
        "ranking": ranking_version(encoder),
    }


def outdated_parts(manifest: Manifest, *, redactor_version: str) -> tuple[str, ...]:
    """Name the parts whose rules are not those that the index was made with; it can be served, and should be built again."""
    current = _versions_of(manifest.encoder, redactor_version)
    return tuple(name for name, version in current.items() if manifest.versions.get(name) != version)


def _is_whole(folder: Path, manifest: Manifest) -> bool:
    try:
        for role in manifest.files:
            check_file(folder, manifest.files, role)
    except (IndexMissing, IndexDamaged):
        return False
    return True


def _unchanged(folder: Path, manifest: Manifest) -> IndexReport:
    texts = Texts(check_file(folder, manifest.files, "texts.sqlite"))
    try:
        held = tuple(texts.quarantined()) if manifest.counts.quarantined else ()
    finally:
        texts.close()
    counts = manifest.counts
    changes = compare(manifest.documents, manifest.documents)
    has_sentences = "sentences.npy" in manifest.files
    reused = Embedded(reused=counts.sentences if has_sentences else 0)
    return IndexReport(manifest, changes, held, Embedded(reused=counts.chunks), reused)


def _stored(folder: Path, manifest: Manifest) -> list[Prepared]:
    """Read every document of the index."""
    texts = Texts(check_file(folder, manifest.files, "texts.sqlite"))
    try:
        return list(texts.all_documents())
    finally:
        texts.close()


def everything(folder: Path, manifest: Manifest, tools: Tools, decisions: Mapping[str, Decision]) -> list[Prepared]:
    """Read every document of an index, judged anew where another version of the rules wrote it.

    Raises:
        IndexMismatch: another embedding model made it than the one at hand.
    """
    if manifest.encoder != tools.encoder.identity:
        raise IndexMismatch(
            f"the index in {folder} was made by {manifest.encoder}, the embedding model is {tools.encoder.identity};"
            " set EMBEDDING_MODEL to the first"
        )
    stored = _stored(folder, manifest)
    return _joined([], stored, tools, manifest, _background((), stored, decisions))


def _background(
    documents: Sequence[Document], others: Sequence[Prepared], decisions: Mapping[str, Decision]
) -> Background:
    known = (*documents, *(item.document for item in others))
    return Background(usual_of((document.url, document.owner) for document in known), decisions)


def _joined(
    new: list[Prepared], stored: Sequence[Prepared], tools: Tools, previous: Manifest, background: Background
) -> list[Prepared]:
    """Add the documents that the input does not name. Stored text is redacted, and redaction of it changes nothing."""
    named = {item.document.id for item in new}
    others = [item for item in stored if item.document.id not in named]
    if previous.versions != _versions(tools):
        others = [_again(item, tools, background) for item in others]
    return sorted([*new, *(decided(item, background.decisions) for item in others)], key=lambda i: i.document.id)


def _again(item: Prepared, tools: Tools, background: Background) -> Prepared:
    fresh = prepare(item.document, tools.redactor, background=background)
    # What the screen saw of the raw text is not in the stored one any more.
    held = item.screening.undecided()
    return Prepared(fresh.document, held if held.quarantined else fresh.screening, item.redactions + fresh.redactions)


def publish(folder: Path, prepared: list[Prepared], tools: Tools, previous: Manifest) -> None:
    """Publish these documents as the next generation, as the one before was made."""
    manifest, _, _ = _write(folder, prepared, tools, Update(has_sentences="sentences.npy" in previous.files))
    swap(folder, replace(manifest, calibration=_calibration(manifest, previous)))


def _write(folder: Path, prepared: list[Prepared], tools: Tools, update: Update) -> tuple[Manifest, Embedded, Embedded]:
    chunks = [(row, chunk) for row, item in enumerate(prepared) for chunk in chunk_document(item.document)]
    vectors, embedded = embed([chunk.search_text for _, chunk in chunks], "chunks", tools)
    rows, languages, visibilities = make_rows(prepared, chunks)
    arrays: dict[str, AnyArray] = {"vectors.npy": vectors, "documents.npy": rows.documents, "chunks.npy": rows.chunks}
    ranking = ranking_parts(vectors, prepared, chunks, tools)
    arrays |= ranking.arrays
    arrays |= posting_arrays(make_postings(prepared, chunks))
    sentences, of_sentences = [s for _, chunk in chunks for s in chunk.sentences], Embedded()
    if update.has_sentences:
        sentence_vectors, of_sentences = embed(sentences, "sentences", tools)
        arrays["sentences.npy"] = sentence_vectors.astype(np.float16)
    files = write_arrays(folder, arrays)
    files["texts.sqlite"] = _write_texts(folder, prepared, chunks)
    counts = Counts(
        documents=len(prepared),
        chunks=len(chunks),
        sentences=len(sentences),
        quarantined=sum(item.screening.quarantined for item in prepared),
        redactions=sum(item.redactions for item in prepared),
    )
    manifest = Manifest(
        encoder=tools.encoder.identity,
        dimension=tools.encoder.dimension,
        versions=_versions(tools),
        counts=counts,
        languages=languages,
        visibilities=visibilities,
        files=files,
        documents={item.document.id: item.hash for item in prepared},
        calibration=ranking.calibration.to_json(),
    )
    return manifest, embedded, of_sentences


def _write_texts(folder: Path, prepared: list[Prepared], chunks: list[tuple[int, Chunk]]) -> FileEntry:
    write_texts(scratch_file(folder, "texts.sqlite"), prepared, chunks)
    return keep_file(folder, "texts.sqlite")


def _quarantined(prepared: Sequence[Prepared]) -> tuple[Prepared, ...]:
    return tuple(item for item in prepared if item.screening.quarantined)
