"""Documents to an index folder: redacted, screened, cut, embedded where new, written, and swapped in at the end."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from retrieval.documents import Document
from retrieval.errors import IndexDamaged, IndexMissing
from retrieval.index.arrays import check_file
from retrieval.index.assemble import assemble
from retrieval.index.changes import Changes, compare
from retrieval.index.embedding import Embedded, Tools, versions_by
from retrieval.index.entries import entry_of, held_items
from retrieval.index.folder import swap, writing
from retrieval.index.generation_before import SENTENCES
from retrieval.index.intake import Prepared
from retrieval.index.judge import Check, judge
from retrieval.index.known import Given
from retrieval.index.manifest import Manifest, read_manifest
from retrieval.index.plan import WHOLE_SET, Update, check_removals, make_plan, open_base, previous_manifest
from retrieval.index.texts import Texts
from retrieval.ranking.calibration import is_current
from retrieval.ranking.labelled import LABELLED
from retrieval.screening import decisions_id, read_decisions


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What a run did. `spared`: ids that the input does not name and that stay all the same."""

    manifest: Manifest
    changes: Changes
    quarantined: tuple[Prepared, ...]
    chunks: Embedded
    sentences: Embedded
    spared: tuple[str, ...] = ()


def update_index(
    folder: Path,
    documents: Sequence[Document],
    tools: Tools,
    *,
    update: Update = WHOLE_SET,
    check: Check | None = None,
) -> IndexReport:
    """Make the index in `folder` hold these documents.

    The new generation is opened before it is published, and shown to `check`, which may refuse it.

    Raises:
        PublishRefused: `check` does.
        IndexBusy: another process writes it.
        RemovalRefused: many of its documents would go, and the update does not say that this is meant.
        IndexDamaged, IndexMismatch: documents are to be kept from an index that cannot be read.
    """
    with writing(folder):
        previous = previous_manifest(folder, must_be_sound=update.merges)
        # What a merge ends in follows from the documents alone: named by its input it would differ from run to run.
        merges = update.merges and previous is not None
        given = Given(documents)
        fingerprint = "" if merges else _fingerprint(given, tools, update, decisions_id(read_decisions(folder)))
        if fingerprint and previous is not None and previous.input == fingerprint and _is_whole(folder, previous):
            return _unchanged(folder, previous)
        plan = make_plan(folder, given, tools, update=update, previous=previous)
        if merges and previous is not None and plan.changes_nothing and _is_made_so(folder, previous, tools, update):
            return replace(_unchanged(folder, previous), spared=plan.spared)
        check_removals(plan.changes, update)
        made = assemble(folder, plan.entries, tools, has_sentences=update.has_sentences, base=plan.base)
        manifest = made.manifest
        # A source that is not read now keeps its place only with its documents.
        before = previous.cursors if previous is not None and update.keeps_others else {}
        calibration = _calibration(manifest, previous)
        manifest = replace(manifest, input=fingerprint, calibration=calibration, cursors={**before, **update.cursors})
        judge(folder, manifest, check)
        if tools.known is not None:
            tools.known.keep(plan.known, plan.changes.removed)
        swap(folder, manifest)
    return IndexReport(manifest, plan.changes, held_items(plan.entries), made.chunks, made.sentences, plan.spared)


def _is_made_so(folder: Path, previous: Manifest, tools: Tools, update: Update) -> bool:
    """Whether the index was made by the rules, the model and with the vectors that this run would make it with."""
    is_same = previous.versions == versions_by(tools) and previous.encoder == tools.encoder.identity
    has_sentences = SENTENCES in previous.files
    return is_same and has_sentences == update.has_sentences and _is_whole(folder, previous)


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


def _fingerprint(given: Given, tools: Tools, update: Update, decisions: str) -> str:
    """Name the whole input and everything that turns it into an index: one hash, so it tells nothing of a single document."""
    made_by = (sorted(versions_by(tools).items()), tools.encoder.identity, update.has_sentences)
    total = hashlib.sha256(repr(made_by).encode())
    total.update(decisions.encode("utf-8", "surrogatepass"))
    for text in sorted(given.texts):
        total.update(text.encode("utf-8", "surrogatepass"))
    return total.hexdigest()[:16]


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
    has_sentences = SENTENCES in manifest.files
    reused = Embedded(reused=counts.sentences if has_sentences else 0)
    return IndexReport(manifest, changes, held, Embedded(reused=counts.chunks), reused)


def publish(
    folder: Path, prepared: list[Prepared], tools: Tools, previous: Manifest, *, replaces: bool = False
) -> None:
    """Publish these documents as the next generation, as the one before was made, or in the place of the current one."""
    has_sentences = SENTENCES in previous.files
    base = open_base(folder, previous, tools, {}, has_sentences=has_sentences)
    entries = [entry_of(item, rows=base.rows if base is not None else None) for item in prepared]
    manifest = assemble(folder, entries, tools, has_sentences=has_sentences, base=base).manifest
    made = replace(manifest, calibration=_calibration(manifest, previous), cursors=previous.cursors)
    swap(folder, made, replaces=replaces)
