"""Where the files of documents lie, beside the index: relative links start there. No part of a generation, so that a moved file changes none."""

import json
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from retrieval.documents import Document
from retrieval.index.folder import write_beside

FILE = "places.json"


def read_places(folder: Path) -> dict[str, str]:
    """Give the path of each document's file below the folder that was read, by id; none where no file is, or one that is not ours."""
    try:
        places = json.loads((folder / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(places, dict):
        return {}
    return {name: place for name, place in places.items() if isinstance(place, str)}


def documents_at(folder: Path, places: Collection[str]) -> frozenset[str]:
    """Give the documents whose files lay at these places; of one that is not known, also where a folder above or below was read then."""
    known = read_places(folder) if places else {}
    stood = frozenset(known.values())
    found = {place for place in places if place in stood}
    for place in set(places) - found:
        found |= {other for other in stood if f"/{other}".endswith(f"/{place}") or f"/{place}".endswith(f"/{other}")}
    return frozenset(name for name, place in known.items() if place in found)


def keep_places(folder: Path, documents: Iterable[Document], *, indexed: Collection[str]) -> None:
    """Keep the places of a run, and those before of documents that it did not name and that are still there.

    Args:
        folder: the index folder.
        documents: what the run read.
        indexed: the documents of the index as it is now.

    Raises:
        IndexUnwritable: the file cannot be written.
    """
    read = {document.id: document.place for document in documents}
    merged = {**read_places(folder), **read}
    _write(folder, {name: place for name, place in merged.items() if place and name in indexed})


def forget_places(folder: Path, ids: Collection[str]) -> None:
    """Take documents out."""
    _write(folder, {name: place for name, place in read_places(folder).items() if name not in ids})


def _write(folder: Path, places: Mapping[str, str]) -> None:
    if read_places(folder) != places:
        write_beside(folder, FILE, json.dumps(places, ensure_ascii=False, sort_keys=True) + "\n")
