"""The manifest: what an index folder holds and what made it. Written last, read first. No clock times."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from retrieval.errors import IndexDamaged, IndexMismatch, IndexMissing
from retrieval.pacing import rest

SCHEMA = 2
MANIFEST = "manifest.json"

Json = Mapping[str, object]
# Only the field itself stands so: a text holds no line break, and what is nested stands further in.
_NO_DOCUMENTS = '\n "documents": {}'
_HEAD, _BETWEEN, _TAIL = '\n "documents": {\n  ', ",\n  ", "\n }"
# Documents are read and written in steps of about 0.2 ms: `json` holds the interpreter until it is done, and while a bot takes a new
# generation of 50 000 documents, searches would wait 16 ms for reading them and 10 for naming them.
_STEP, _STEP_LETTERS = 500, 16_384


@dataclass(frozen=True, slots=True)
class FileEntry:
    """One file of an index; `name` carries the start of its content hash."""

    name: str
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Counts:
    """Sizes of an index."""

    documents: int = 0
    chunks: int = 0
    sentences: int = 0
    quarantined: int = 0
    redactions: int = 0


@dataclass(frozen=True, slots=True)
class Manifest:
    """What `manifest.json` says.

    `versions` are those of tokenizer, chunker, redactor, screen and ranking. `documents` gives the hash of each redacted
    document, `languages` and `visibilities` what the codes in the arrays stand for. `calibration` is the form that
    `retrieval.ranking` stores, empty before calibration. `input` names the whole raw input of the run that wrote it, empty when
    documents were kept from the generation before. `cursors` tells up to where each source was read.
    """

    encoder: str
    dimension: int
    versions: dict[str, str]
    counts: Counts
    languages: tuple[str, ...]
    visibilities: tuple[tuple[str, ...], ...]
    files: dict[str, FileEntry]
    documents: dict[str, str] = field(default_factory=dict)
    calibration: dict[str, object] = field(default_factory=dict)
    input: str = ""
    cursors: dict[str, str] = field(default_factory=dict)
    schema: int = SCHEMA

    @property
    def index_id(self) -> str:
        """Name of the contents, 16 hex digits; does not depend on the calibration."""
        return _digest(self._json(calibration=False))

    @property
    def calibration_id(self) -> str:
        """Name of the calibration, 16 hex digits; empty before calibration."""
        return _digest(_dump(self.calibration)) if self.calibration else ""

    def with_calibration(self, calibration: Mapping[str, object]) -> "Manifest":
        """Give the manifest with another calibration."""
        return replace(self, calibration=dict(calibration))

    def dump(self) -> str:
        """Give the text of the file; equal manifests give equal texts."""
        return self._json(calibration=True)

    def _json(self, *, calibration: bool) -> str:
        # Not `asdict` of the whole: it copies the hash of every document, 0.1 s at 50 000.
        values: dict[str, object] = {each.name: getattr(self, each.name) for each in fields(self)}
        values["documents"] = {}
        values["counts"] = asdict(self.counts)
        values["files"] = {role: asdict(entry) for role, entry in self.files.items()}
        if not calibration:
            del values["calibration"], values["input"], values["cursors"]
        return _dump(values).replace(_NO_DOCUMENTS, self._documents_json(), 1)

    def _documents_json(self) -> str:
        """Give the documents as `_dump` writes them; with an indent, `json` does it in Python: 45 instead of 10 ms at 50 000."""
        if not self.documents:
            return _NO_DOCUMENTS
        names = sorted(self.documents)
        steps = (names[start : start + _STEP] for start in range(0, len(names), _STEP))
        listed = []
        for step in steps:
            some = {name: self.documents[name] for name in step}
            listed.append(json.dumps(some, ensure_ascii=False, separators=(_BETWEEN, ": "))[1:-1])
            rest()
        return _HEAD + _BETWEEN.join(listed) + _TAIL


def read_manifest(folder: Path) -> Manifest:
    """Read `manifest.json` of an index folder.

    Raises:
        IndexMissing: there is none.
        IndexDamaged: it cannot be read, or is not what was written.
        IndexMismatch: another schema wrote it.
    """
    path = folder / MANIFEST
    try:
        text = path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        raise IndexMissing(f"there is no index in {folder}; `triage index PATH… --out {folder}` makes one") from None
    except (OSError, UnicodeDecodeError) as error:
        raise IndexDamaged(f"{path} cannot be read ({type(error).__name__}); build the index again") from None
    manifest = parse_manifest(text, path)
    if not generation_file(folder, text).exists():
        raise IndexDamaged(f"{path} was changed after it was written; build the index again")
    return manifest


def generation_file(folder: Path, text: str) -> Path:
    """Give the path under which the same manifest is kept, named by its content."""
    return folder / f"manifest-{_digest(text)}.json"


def parse_manifest(text: str, path: Path) -> Manifest:
    """Read the text of a manifest; `path` is for messages.

    Raises:
        IndexDamaged: it is not a manifest.
        IndexMismatch: another schema wrote it.
    """
    try:
        values = _read(text)
        schema = values["schema"]
    except (ValueError, KeyError, TypeError, RecursionError):  # RecursionError: nested too deeply
        raise IndexDamaged(f"{path} is not the manifest of an index; build the index again") from None
    if schema != SCHEMA:
        raise IndexMismatch(f"{path} has schema {schema}, this version reads {SCHEMA}; build the index again")
    try:
        return Manifest(
            encoder=values["encoder"],
            dimension=int(values["dimension"]),
            versions=dict(values["versions"]),
            counts=Counts(**values["counts"]),
            languages=tuple(values["languages"]),
            visibilities=tuple(tuple(labels) for labels in values["visibilities"]),
            files={role: FileEntry(**entry) for role, entry in values["files"].items()},
            documents=values["documents"],
            calibration=dict(values["calibration"]),
            input=str(values["input"]),
            cursors=dict(values.get("cursors", {})),  # indexes made before sources were read have none
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        raise IndexDamaged(f"{path} is not the manifest of an index; build the index again") from None


def _read(text: str) -> dict[str, Any]:
    """Read the text of a manifest, the documents in steps where it is as `dump` writes it."""
    start = text.find(_HEAD)
    end = text.find(_TAIL, start) if start >= 0 else -1
    if end < 0:
        values: dict[str, Any] = json.loads(text)
        values["documents"] = dict(values["documents"])
        return values
    values = json.loads(text[:start] + _NO_DOCUMENTS + text[end + len(_TAIL) :])
    documents = values["documents"]
    at = start + len(_HEAD)
    while at < end:
        # No text holds a line break, so this stands between two documents only.
        cut = text.find(_BETWEEN, min(at + _STEP_LETTERS, end), end)
        cut = end if cut < 0 else cut
        documents.update(json.loads(f"{{{text[at:cut]}}}"))
        at = cut + len(_BETWEEN)
        rest()
    return values


def _dump(values: object) -> str:
    return json.dumps(values, ensure_ascii=False, sort_keys=True, indent=1) + "\n"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
