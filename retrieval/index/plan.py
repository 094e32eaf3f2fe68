"""What a run would do to an index, found before anything is embedded or written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from retrieval.documents import CHUNKER_VERSION, Document
from retrieval.errors import IndexDamaged, IndexMismatch, IndexMissing, RemovalRefused
from retrieval.index.arrays import check_file
from retrieval.index.changes import Changes, compare
from retrieval.index.embedding import Tools, ranking_version
from retrieval.index.intake import Background, Prepared, decided, prepare, prepare_all
from retrieval.index.manifest import Manifest, read_manifest
from retrieval.index.texts import Texts
from retrieval.lexical import TOKENIZER_VERSION
from retrieval.screening import VERSION as SCREEN_VERSION
from retrieval.screening import Decision, read_decisions, usual_of


@dataclass(frozen=True, slots=True)
class Update:
    """How a run treats what the index holds already.

    `keeps_others`: documents that the input does not name stay (`--add`, or an input that broke off). `kept_prefixes`: only those
    stay whose id begins so, since their source told no more than what has changed. `gone`: ids that a source says are deleted.
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

    @property
    def merges(self) -> bool:
        """Whether documents that the input does not name may stay."""
        return self.keeps_others or bool(self.kept_prefixes)

    def keeps(self, document_id: str) -> bool:
        """Whether a stored document stays though the input does not name it."""
        if document_id in self.gone:
            return False
        return self.keeps_others or document_id.startswith(self.kept_prefixes)


WHOLE_SET = Update()


@dataclass(frozen=True, slots=True)
class Plan:
    """What the index will hold. `spared` are the stored documents that stay though the input does not name them, sorted ids."""

    prepared: list[Prepared]
    changes: Changes
    spared: tuple[str, ...]

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
    return make_plan(folder, documents, tools, update=update, previous=previous)


def make_plan(
    folder: Path, documents: Sequence[Document], tools: Tools, *, update: Update, previous: Manifest | None
) -> Plan:
    """Redact and screen the documents, join what is kept, and compare with the index."""
    decisions = read_decisions(folder)
    stored = stored_documents(folder, previous) if update.merges and previous is not None else []
    kept = [item for item in stored if update.keeps(item.document.id)]
    background = _background(documents, kept, decisions)
    prepared = prepare_all(documents, tools.redactor, background)
    spared: tuple[str, ...] = ()
    if previous is not None and kept:
        named = {item.document.id for item in prepared}
        spared = tuple(item.document.id for item in kept if item.document.id not in named)
        prepared = _joined(prepared, kept, tools, previous, background)
    after = {item.document.id: item.hash for item in prepared}
    return Plan(prepared, compare(previous.documents if previous else {}, after), spared)


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


def versions_by(tools: Tools) -> dict[str, str]:
    """Name the rules that turn documents into an index, each by its version."""
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
    if previous.versions != versions_by(tools):
        others = [_again(item, tools, background) for item in others]
    return sorted([*new, *(decided(item, background.decisions) for item in others)], key=lambda i: i.document.id)


def _again(item: Prepared, tools: Tools, background: Background) -> Prepared:
    fresh = prepare(item.document, tools.redactor, background=background)
    # What the screen saw of the raw text is not in the stored one any more.
    held = item.screening.undecided()
    return Prepared(fresh.document, held if held.quarantined else fresh.screening, item.redactions + fresh.redactions)
