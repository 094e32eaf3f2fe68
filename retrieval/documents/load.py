"""Paths to documents. What cannot be read becomes a problem that names file and line; nothing here raises for bad input."""

import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from retrieval.documents.decoding import MAX_DOCUMENT_BYTES, NotText, decode, too_large
from retrieval.documents.document import TICKET, Document, Loaded, Problem
from retrieval.documents.fields import FieldInvalid, FieldMap, document_from
from retrieval.documents.markup import is_blank, split_front_matter, split_title
from retrieval.documents.records import Record, read_csv, read_json_lines

_MARKDOWN = frozenset({".md", ".markdown", ".mdx"})
_HTML = frozenset({".html", ".htm", ".xhtml"})
_TEXT = frozenset({".txt", ".text", ".rst", ".adoc"})
_TABLES = frozenset({".csv", ".tsv"})
_JSON_LINES = frozenset({".jsonl", ".ndjson"})
_READ = _MARKDOWN | _HTML | _TEXT | _TABLES | _JSON_LINES
# Lies beside articles in every documentation folder and is no document.
_ASSET_SUFFIXES = ".png .jpg .jpeg .gif .svg .webp .ico .bmp .mp4 .webm .mov .css .js .ts .map .woff .woff2 .ttf .yaml .yml .toml .lock"
_ASSETS = frozenset(_ASSET_SUFFIXES.split())
NO_FIELDS = FieldMap({})


def load_documents(paths: Sequence[Path | str], *, field_map: FieldMap = NO_FIELDS) -> Loaded:
    """Read documents from folders and files.

    A folder gives its Markdown, HTML, text, CSV and JSON Lines files in the order of their names. The id of a single-document file
    is `id` of its front matter, else its path below the folder without extension. Of two documents with one id the
    first is kept. A ticket without a resolution and a document without text are problems too, and so is every
    folder that cannot be listed and every link that leads out of the folder: a document behind it would else be missed in silence.
    """
    documents: dict[str, Document] = {}
    problems: list[Problem] = []
    notes: list[Problem] = []
    unresolved: list[str] = []
    blank = 0
    for item in _read_all(paths, field_map):
        if isinstance(item, Problem) and item.is_note:
            notes.append(item)
            continue
        problem = item if isinstance(item, Problem) else _refused(item, documents)
        if problem is None and isinstance(item, Document):
            documents[item.id] = item
        elif problem is not None:
            problems.append(problem)
            if isinstance(item, Document) and is_blank(item.evidence):
                blank += item.kind != TICKET
                unresolved += [item.id] if item.kind == TICKET else []
    return Loaded(tuple(documents.values()), tuple(problems), blank, tuple(notes), tuple(unresolved))


def _refused(document: Document, known: dict[str, Document]) -> Problem | None:
    if document.id in known:
        return Problem(document.source, f"repeats id {document.id!r} of {known[document.id].source}; the first is kept")
    if is_blank(document.evidence):
        if document.kind == TICKET:
            return Problem(document.source, f"ticket {document.id!r} has no resolution; it is not indexed")
        return Problem(document.source, f"document {document.id!r} has no text; it is not indexed")
    return None


def _read_all(paths: Iterable[Path | str], field_map: FieldMap) -> Iterator[Document | Problem]:
    for given in paths:
        path = Path(given)
        if not str(given).strip():  # pathlib takes it for the current folder
            yield Problem("''", "is an empty path")
        elif path.is_dir():
            for file in _files_below(path):
                if isinstance(file, Problem):
                    yield file
                else:
                    yield from _read_file(file, file.relative_to(path).with_suffix("").as_posix(), field_map)
        else:
            yield from _read_file(path, path.stem, field_map)


def _files_below(root: Path) -> list[Path | Problem]:
    """Give the files of a folder in the order of their paths, and a problem for what cannot be looked at."""
    found: dict[Path, Path | Problem] = {}

    def unreadable(error: OSError) -> None:
        folder = Path(error.filename or root)
        found[folder] = Problem(str(folder), f"cannot be read ({error.strerror or type(error).__name__})")

    for folder, folders, names in os.walk(root, onerror=unreadable):
        folders[:] = [name for name in folders if not name.startswith(".")]
        links = [name for name in folders if (Path(folder) / name).is_symlink()]
        for path in (Path(folder) / name for name in (*names, *links)):
            if not path.name.startswith(".") and path.suffix.lower() not in _ASSETS:
                problem = _link_refused(path, root)
                found[path] = problem or path
    return [found[path] for path in sorted(found)]


def _link_refused(path: Path, root: Path) -> Problem | None:
    if not path.is_symlink():
        return None
    try:
        target = path.resolve(strict=True)
    except (OSError, RuntimeError):  # RuntimeError: a ring of links
        return Problem(str(path), "is a link that leads nowhere")
    if not target.is_relative_to(root.resolve()):
        return Problem(str(path), "is a link out of the folder; it is not followed")
    return Problem(str(path), "is a link to a folder; it is not followed") if target.is_dir() else None


def _read_file(path: Path, name: str, field_map: FieldMap) -> Iterator[Document | Problem]:
    suffix = path.suffix.lower()
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # reading a pipe would wait for ever
            yield Problem(str(path), "is no regular file")
        elif suffix in _JSON_LINES:
            yield from _from_records(read_json_lines(path), field_map)
        elif suffix in _TABLES:
            yield from _from_records(read_csv(path, id_column=field_map.columns.get("id", "id")), field_map)
        elif suffix in _READ:
            yield from _single(path, name)
        else:
            yield Problem(str(path), "is of no kind that can be read (Markdown, HTML, text, CSV, JSON Lines)")
    except FileNotFoundError:
        yield Problem(str(path), "does not exist")
    except (OSError, ValueError) as error:  # ValueError: a NUL byte in the path
        reason = getattr(error, "strerror", None) or type(error).__name__
        yield Problem(str(path), f"cannot be read ({reason})")


def _from_records(records: Iterable[Record | Problem], field_map: FieldMap) -> Iterator[Document | Problem]:
    for record in records:
        if isinstance(record, Problem):
            yield record
            continue
        where, values = record
        try:
            document, left_out = document_from(field_map.apply(values), where)
        except FieldInvalid as error:
            yield Problem(where, str(error))
            continue
        yield document
        yield from (Problem(where, sentence) for sentence in left_out)


def _single(path: Path, name: str) -> Iterator[Document | Problem]:
    try:
        values = _values(path, name)
        document, left_out = document_from(NO_FIELDS.apply(values), str(path))
    except (NotText, FieldInvalid) as error:
        yield Problem(str(path), str(error))
    except RecursionError:
        yield Problem(str(path), "is nested too deeply to be read")
    else:
        yield document
        yield from (Problem(str(path), sentence) for sentence in left_out)


def _values(path: Path, name: str) -> dict[str, object]:
    """Read a file that is one document: front matter, title and text by field name."""
    size = path.stat().st_size
    if size > MAX_DOCUMENT_BYTES:
        raise NotText(too_large(size))
    values, text = split_front_matter(decode(path.read_bytes()))
    title = ""
    if path.suffix.lower() in _HTML:
        from retrieval.documents.html import (
            html_to_text,
        )  # its parser takes 60 ms to import, also for those who only ask

        title, text = html_to_text(text)
    elif path.suffix.lower() in _MARKDOWN:
        title, text = split_title(text)
    if not text.strip() and not values and not title:
        raise NotText("is empty")
    return {"id": name, "title": title, "text": text} | _given(values)


def _given(values: dict[str, object]) -> dict[str, object]:
    """Give the front matter without blanks: an empty `title:` must not hide the heading."""
    return {name: value for name, value in values.items() if value not in (None, "")}
