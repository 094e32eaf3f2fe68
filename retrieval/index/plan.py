"""What a run would do to an index, found before anything is embedded or written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from retrieval.documents import Document
from retrieval.errors import IndexDamaged, IndexMismatch, IndexMissing, RemovalRefused
from retrieval.index.arrays import check_file
from retrieval.index.changes import Changes, compare
from retrieval.index.embedding import Tools, versions_by, versions_of
from retrieval.index.entries import Entry, entry_of
from retrieval.index.generation_before import SENTENCES, Base
from retrieval.index.intake import Background, Prepared, decided, prepare, prepare_all
from retrieval.index.known import Given, Known
from retrieval.index.manifest import Manifest, read_manifest
from retrieval.index.texts import Texts
from retrieval.screening import Decision, read_decisions, usual_of


@dataclass(frozen=True, slots=True)
class Update:
    """How a run treats what the index holds already.

    `keeps_others`: documents that the input does not name stay (`--add`, or an input that broke off). `kept_prefixes`: only those
    stay whose id begins so, since their source told no more than what has changed. `kept_ids`: those stay, since the input has them
    and they could not be read. `gone`: ids that a source says are deleted, or that must not be shown any more.
    `may_remove_some` (`--allow-removals`) and `may_remove_most` (`--yes`): removing many documents is meant.
    `has_sentences`: vectors of evidence sentences are made now; without them an answer embeds a few at query time.
    `cursors`: up to where each source was read, by its name; they are stored with the generation that holds what was read.
    """

    keeps_others: bool = False
    may_remove_most: bool = False
    has_sentences: bool = True
    may_remove_some: bool = False
    kept_prefixes: tuple[str, ...] = ()
    gone: frozenset[str] = frozenset()
    cursors: Mapping[str, str] = field(default_factory=dict)
    kept_ids: frozenset[str] = frozenset()

    @property
    def merges(self) -> bool:
        """Whether documents that the input does not name may stay."""
        return self.keeps_others or bool(self.kept_prefixes) or bool(self.kept_ids)

    def keeps(self, document_id: str) -> bool:
        """Whether a stored document stays though the input does not name it."""
        if document_id in self.gone:
            return False
        return self.keeps_others or document_id in self.kept_ids or document_id.startswith(self.kept_prefixes)


WHOLE_SET = Update()


@dataclass(frozen=True, slots=True)
class Plan:
    """What the index will hold, in the order of the ids.

    `spared` are the stored documents that stay though the input does not name them, sorted ids. `base` is the generation before,
    when unchanged documents can be copied from it. `known` is what `Tools.known` is to keep once the plan is carried out.
    """

    entries: list[Entry]
    changes: Changes
    spared: tuple[str, ...]
    base: Base | None = None
    known: Mapping[str, Known] = field(default_factory=dict)

    @property
    def changes_nothing(self) -> bool:
        """Whether the documents are those that the index holds."""
        return not (self.changes.added or self.changes.changed or self.changes.removed)


def preview_update(folder: Path, documents: Sequence[Document], tools: Tools, *, update: Update = WHOLE_SET) -> Plan:
    """Give what `update_index` would do; nothing is embedded, written or refused.

    Raises:
        IndexDamaged, IndexMismatch: documents are to be kept from an index that cannot be read.
    """
    previous = previous_manifest(folder, must_be_sound=update.merges)
    return make_plan(folder, Given(documents), tools, update=update, previous=previous)


def make_plan(folder: Path, given: Given, tools: Tools, *, update: Update, previous: Manifest | None) -> Plan:
    """Redact and screen the documents, join what is kept, and compare with the index."""
    decisions = read_decisions(folder)
    base = open_base(folder, previous, tools, decisions, has_sentences=update.has_sentences)
    stored = _stored(folder, previous, base) if update.merges and previous is not None else []
    kept = [(entry, origin) for entry, origin in stored if update.keeps(entry.id)]
    background = _background(given.documents, [origin for _, origin in kept], decisions)
    rows = base.rows if base is not None else {}
    entries, known = _given(given, tools, background, base, rows=rows)
    named = {entry.id for entry in entries}
    others = [entry for entry, _ in kept if entry.id not in named]
    is_outdated = previous is not None and previous.versions != versions_by(tools)
    again = tools if is_outdated else None
    entries += [_as_decided(entry, again, background, rows) for entry in others]
    entries.sort(key=lambda entry: entry.id)
    changes = compare(previous.documents if previous else {}, {entry.id: entry.hash for entry in entries})
    return Plan(entries, changes, tuple(entry.id for entry in others), base, known)


def _given(
    given: Given,
    tools: Tools,
    background: Background,
    base: Base | None,
    *,
    rows: Mapping[tuple[str, str], int],
) -> tuple[list[Entry], dict[str, Known]]:
    """Give the entries of the documents that were read, and what is to be kept of them; those known from before are not prepared."""
    if tools.known is None:
        return [entry_of(item, rows=rows) for item in prepare_all(given.documents, tools.redactor, background)], {}
    mark_of = tools.known.marker(background, versions_by(tools))
    before = tools.known.read()
    entries, fresh = [], {}
    for document, text in zip(given.documents, given.texts, strict=True):
        mark, held = mark_of(document, text), before.get(document.id)
        row = rows.get((document.id, held.hash)) if held is not None and held.mark == mark else None
        if base is not None and row is not None:
            entries.append(base.entries[row])
        else:
            entries.append(entry_of(prepare(document, tools.redactor, background=background), rows=rows))
            fresh[document.id] = Known(mark, entries[-1].hash)
    return entries, fresh


def open_base(
    folder: Path, previous: Manifest | None, tools: Tools, decisions: Mapping[str, Decision], *, has_sentences: bool
) -> Base | None:
    """Read the generation before to copy from it; None when it was made by other rules, or cannot be copied from."""
    if previous is None or previous.encoder != tools.encoder.identity or previous.versions != versions_by(tools):
        return None
    if has_sentences and SENTENCES not in previous.files:
        return None
    return Base.open(folder, previous, decisions)


def _stored(folder: Path, previous: Manifest, base: Base | None) -> list[tuple[Entry, tuple[str | None, str]]]:
    """Give every document of the index with its address and owner; read whole only where something may change in it."""
    if base is not None:
        return list(zip(base.entries, base.origins, strict=True))
    items = stored_documents(folder, previous)
    return [(entry_of(item), (item.document.url, item.document.owner)) for item in items]


def _as_decided(
    entry: Entry, again: Tools | None, background: Background, rows: Mapping[tuple[str, str], int]
) -> Entry:
    """Give a stored document as the decisions have it, and where the rules are others as those of today, `again`, have it."""
    item = entry.item
    if item is None:
        return entry
    if again is not None:
        item = _again(item, again, background)
    return entry_of(decided(item, background.decisions), rows=rows)


def check_removals(changes: Changes, update: Update) -> None:
    """Refuse a run that takes many documents out and was not told that this is meant.

    Raises:
        RemovalRefused: more than half would go, or more than one in ten.
    """
    if update.may_remove_most or update.may_remove_some:
        return
    if changes.removes_most or changes.removes_many:
        flag = "--yes" if changes.removes_most else "--allow-removals"
        raise RemovalRefused(
            f"this would remove {len(changes.removed)} of {len(changes.removed) + changes.kept} documents;"
            f" add {flag} if that is meant, or --add to keep the others"
        )


def previous_manifest(folder: Path, *, must_be_sound: bool) -> Manifest | None:
    """Read the manifest of the index; None when there is none, or one that cannot be read and need not be."""
    try:
        return read_manifest(folder)
    except IndexMissing:
        return None
    except (IndexDamaged, IndexMismatch):
        if must_be_sound:
            raise
        return None


def outdated_parts(manifest: Manifest, *, redactor_version: str) -> tuple[str, ...]:
    """Name the parts whose rules are not those that the index was made with; it can be served, and should be built again."""
    current = versions_of(manifest.encoder, redactor_version)
    return tuple(name for name, version in current.items() if manifest.versions.get(name) != version)


def stored_documents(folder: Path, manifest: Manifest) -> list[Prepared]:
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
    stored = stored_documents(folder, manifest)
    origins = [(item.document.url, item.document.owner) for item in stored]
    background = _background((), origins, decisions)
    if manifest.versions != versions_by(tools):
        stored = [_again(item, tools, background) for item in stored]
    return [decided(item, decisions) for item in stored]


def _background(
    documents: Sequence[Document], others: Sequence[tuple[str | None, str]], decisions: Mapping[str, Decision]
) -> Background:
    known = ((document.url, document.owner) for document in documents)
    return Background(usual_of((*known, *others)), decisions)


def _again(item: Prepared, tools: Tools, background: Background) -> Prepared:
    fresh = prepare(item.document, tools.redactor, background=background)
    # What the screen saw of the raw text is not in the stored one any more.
    held = item.screening.undecided()
    return Prepared(fresh.document, held if held.quarantined else fresh.screening, item.redactions + fresh.redactions)
