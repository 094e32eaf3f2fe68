"""Tells an index of older rules: it is served, but what newer rules would redact, hold back or cut otherwise is in it."""

from pathlib import Path

from retrieval.index import outdated_parts, read_manifest
from retrieval.redaction import Redactor


def outdated_note(folder: Path, redactor: Redactor) -> str:
    """Say in one sentence that an index should be built again, and what differs; empty when it is up to date.

    Raises:
        RetrievalError: its manifest cannot be read.
    """
    parts = outdated_parts(read_manifest(folder), redactor_version=redactor.version)
    if not parts:
        return ""
    return f"the index in {folder} was built by an older version or with other settings ({', '.join(parts)}): run triage index"
