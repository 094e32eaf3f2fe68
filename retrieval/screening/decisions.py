"""What people decided about documents that were held back: kept beside the index, by the hash of what was decided on."""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path

from retrieval.documents.document import Document
from retrieval.errors import IndexDamaged

FILE = "quarantine.json"
_MODE = 0o600
_DECIDED = ("id", "title", "text", "question", "resolution", "url", "kind")


class Verdict(StrEnum):
    """What a person said of a document."""

    APPROVED = "approved"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision. `content` is the hash of the redacted document; `at` is ISO 8601, `by` and `note` what the person gave."""

    id: str
    content: str
    verdict: Verdict
    by: str
    note: str
    at: str


def content_hash(document: Document) -> str:
    """Name what a decision was about, 16 hex digits: everything of the stored document that can be shown.

    The stored text is redacted and without invisible characters, so it is what the person saw and what would be quoted.
    """
    values = [getattr(document, name) for name in _DECIDED]
    text = json.dumps(values, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def read_decisions(folder: Path) -> dict[str, Decision]:
    """Read the latest decision on each document of an index folder, by id; empty when nothing was decided.

    Raises:
        IndexDamaged: the file is not what was written. Nothing is guessed: it says what may be shown.
    """
    path = folder / FILE
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        return {row["id"]: Decision(**{**row, "verdict": Verdict(row["verdict"])}) for row in rows}
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        raise IndexDamaged(f"{path} cannot be read; restore it, or remove it to decide again") from None


def write_decisions(folder: Path, decisions: Mapping[str, Decision]) -> None:
    """Write the file, mode 0600, in one atomic step. The caller holds the folder (`retrieval.index.folder.writing`)."""
    rows = [asdict(decisions[name]) for name in sorted(decisions)]
    scratch = folder / f".new-{FILE}"  # a writer that dies leaves it to the next one, which removes it
    descriptor = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _MODE)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(json.dumps(rows, ensure_ascii=False, indent=1) + "\n")
        file.flush()
        os.fsync(file.fileno())
    scratch.replace(folder / FILE)


def decisions_id(decisions: Mapping[str, Decision]) -> str:
    """Name a set of decisions; empty for none."""
    return " ".join(f"{d.id} {d.content} {d.verdict}" for _, d in sorted(decisions.items()))
