"""Paths to documents. What cannot be read becomes a problem that names file and line; nothing here raises for bad input."""

import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from retrieval.documents.collect import collect
from retrieval.documents.columns import Columns, slips
from retrieval.documents.decoding import MAX_DOCUMENT_BYTES, NotText, decode, too_large
from retrieval.documents.desk_export import from_desk_record, is_desk_record
from retrieval.documents.document import Document, Loaded, Problem
from retrieval.documents.fields import (
    NO_FIELDS,
    FieldInvalid,
    FieldMap,
    VisibilityUnclear,
    document_from,
    id_of,
)
from retrieval.documents.files import files_below
from retrieval.documents.front_matter import split_front_matter
from retrieval.documents.git_checkout import NO_CHECKOUT, Checkout, read_checkout
from retrieval.documents.given_twice import Doubled
from retrieval.documents.json_items import Record
from retrieval.documents.markup import split_title, without_modules
from retrieval.documents.question_sets import is_of_questions
from retrieval.documents.records import read_csv, read_json, read_json_lines
from retrieval.documents.side_loads import SideLoads

_MARKDOWN = frozenset({".md", ".markdown", ".mdx"})
_HTML = frozenset({".html", ".htm", ".xhtml"})
_TEXT = frozenset({".txt", ".text", ".rst", ".adoc"})
_TABLES = frozenset({".csv", ".tsv"})
_JSON_LINES = frozenset({".jsonl", ".ndjson"})
_JSON = frozenset({".json"})
_BOUND = frozenset({".pdf", ".docx"})
# Where the id of a broken front matter may stand.
_HEAD_BYTES, _HEAD_LINES = 65_536, 60
_ID_LINE = re.compile(r"\W{0,8}id[ \t\"':=;]{1,8}([^\s\"'](?:[^\n\"']{0,200}[^\s\"'])?)", re.IGNORECASE)
_READ = _MARKDOWN | _HTML | _TEXT | _BOUND


def load_documents(paths: Sequence[Path | str], *, field_map: FieldMap = NO_FIELDS, uses_git: bool = False) -> Loaded:
    """Read documents from folders and files.

    A folder gives its Markdown, HTML, text, PDF, Word, CSV, JSON and JSON Lines files in the order of their names. The id of a
    single-document file is `id` of its front matter, else its path below the folder without extension. Every folder that cannot be
    listed and every link that leads out of the folder is a problem: a document behind it would else be missed in silence.

    Args:
        paths: folders and files.
        field_map: which column holds which field.
        uses_git: of a folder in a git checkout, what git ignores is left out, and git tells owner and dates that the files do not.
    """
    return collect(read_documents(paths, field_map=field_map, uses_git=uses_git))


def read_documents(
    paths: Iterable[Path | str], *, field_map: FieldMap = NO_FIELDS, uses_git: bool = False
) -> Iterator[Document | Problem]:
    """Give every document and every problem of the paths, in order, for `collect`."""
    paths = tuple(paths)
    reading = _Reading(paths, field_map)
    for given in paths:
        path = Path(given)
        if not str(given).strip():  # pathlib takes it for the current folder
            yield Problem("''", "is an empty path")
        elif path.is_dir():
            yield from _read_folder(path, reading, read_checkout(path) if uses_git else NO_CHECKOUT)
        else:
            yield from _read_file(path, path.stem, reading)


class _Reading:
    """One run over paths: the map, and the columns of all its tables, which are read for them only when a file lacks one."""

    def __init__(self, paths: Sequence[Path | str], field_map: FieldMap) -> None:
        self.field_map = field_map
        self._paths = paths

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of all columns, in small letters; of a table that cannot be read, those before the fault."""
        found: set[str] = set()
        for file in self._files():
            read = _table_reader(file, self.field_map)
            # What is wrong with a file is told where its documents are read.
            with suppress(OSError, ValueError):
                found |= Columns(read, self.field_map).names if read else set()
        return frozenset(found)

    def _files(self) -> Iterator[Path]:
        for path in (Path(given) for given in self._paths if str(given).strip()):
            listed = files_below(path) if path.is_dir() else (path,)
            yield from (
                file for file in listed if isinstance(file, Path) and file.is_file() and not is_of_questions(file)
            )


def _table_reader(path: Path, field_map: FieldMap) -> Callable[[], Iterable[Record | Problem]] | None:
    """Give how the records of a file are read; None for a file that is one document."""
    suffix = path.suffix.lower()
    id_columns = (field_map.columns.get("id", "id"), "id", "_id")
    if suffix in _JSON_LINES:
        return lambda: read_json_lines(path, id_columns=id_columns)
    if suffix in _TABLES:
        return lambda: read_csv(path, id_columns=id_columns)
    return (lambda: read_json(path, id_columns=id_columns)) if suffix in _JSON else None


def _read_folder(root: Path, reading: _Reading, checkout: Checkout) -> Iterator[Document | Problem]:
    left_out = questions = 0
    for file in files_below(root):
        if isinstance(file, Problem):
            yield file
        elif is_of_questions(file):
            questions += 1
        elif file in checkout.ignored:
            left_out += 1
        else:
            name = file.relative_to(root).with_suffix("").as_posix()
            for item in _read_file(file, name, reading):
                yield checkout.completed(item, file) if isinstance(item, Document) else item
    yield from checkout.notes
    if questions:
        yield Problem(str(root), "holds queries and judgements beside a corpus (BEIR); left out", is_note=True)
    if left_out:
        what = "a file" if left_out == 1 else f"{left_out} files"
        yield Problem(str(root), f"holds {what} that git ignores; left out", is_note=True)


def _read_file(path: Path, name: str, reading: _Reading) -> Iterator[Document | Problem]:
    suffix = path.suffix.lower()
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # reading a pipe would wait for ever
            yield Problem(str(path), "is no regular file")
        elif (read := _table_reader(path, reading.field_map)) is not None:
            yield from _from_records(path, read, reading)
        elif suffix in _READ:
            yield from _single(path, name)
        else:
            yield Problem(
                str(path), "is of no kind that can be read (Markdown, HTML, text, PDF, Word, CSV, JSON, JSON Lines)"
            )
    except FileNotFoundError:
        yield Problem(str(path), "does not exist", hides=True)
    except (OSError, ValueError) as error:  # ValueError: a NUL byte in the path
        reason = getattr(error, "strerror", None) or type(error).__name__
        yield Problem(str(path), f"cannot be read ({reason})", hides=True)


def _from_records(
    path: Path, read: Callable[[], Iterable[Record | Problem]], reading: _Reading
) -> Iterator[Document | Problem]:
    field_map = reading.field_map
    columns = Columns(read, field_map, lambda: reading.names)
    beside = SideLoads(read)
    seen: set[str] = set()
    for record in read():
        if isinstance(record, Problem):
            yield record
            continue
        where, values = record
        if beside.holds(where, values):
            yield from beside.told(where, str(path))
            continue
        if isinstance(values, Doubled):
            yield from (Problem(where, told, is_note=True) for told in values.told)
        if is_desk_record(values) and not (field_map.columns and columns.has_mapped):
            converted = from_desk_record(values, where, lambda: beside.people)
            yield from [converted] if isinstance(converted, Problem) else record_items(converted, where)
        else:
            if fresh := values.keys() - seen:
                seen |= fresh
                yield from (Problem(str(path), told, is_note=True) for told in columns.slips(fresh))
            yield from record_items(values, where, field_map, columns=columns)


def record_items(
    values: Mapping[str, object], where: str, field_map: FieldMap = NO_FIELDS, *, columns: Columns | None = None
) -> Iterator[Document | Problem]:
    """Give the document of a record, or why there is none, and what was left out of it; `columns` are those of its file."""
    named: dict[str, object] = {}
    try:
        named = field_map.apply(values) if columns is None else columns.named(values)
        field_map.check_visibility(values, named)
        document, left_out = document_from(named, where, dict if columns is None else lambda: columns.orders)
    except FieldInvalid as error:
        yield _unread(where, error, named)
        return
    yield document
    yield from (Problem(where, sentence) for sentence in left_out)


def _unread(where: str, error: FieldInvalid, named: Mapping[str, object]) -> Problem:
    """Say why there is no document: of a known one its earlier version can be told, else anything may stand behind it."""
    name = "" if error.is_nameless else id_of(named)
    return Problem(where, str(error), hides=not name, document=name, closes=isinstance(error, VisibilityUnclear))


def _single(path: Path, name: str) -> Iterator[Document | Problem]:
    try:
        values, remarks, twice, hidden = _values(path, name)
    except (NotText, FieldInvalid, RecursionError) as error:
        reason = "is nested too deeply to be read" if isinstance(error, RecursionError) else str(error)
        # What may stand behind it is known, so that a file nobody mends does not hold back what is deleted elsewhere.
        yield Problem(str(path), reason, may_be=(name, *_named_in(path)), place=f"{name}{path.suffix}")
    else:
        told = (*slips(values, NO_FIELDS), *twice)
        yield from (Problem(str(path), sentence, is_note=True) for sentence in told)
        for item in record_items(values, str(path)):
            place = f"{name}{path.suffix}"
            yield replace(item, place=place, hidden=hidden) if isinstance(item, Document) else item
        yield from (Problem(str(path), sentence) for sentence in remarks)


def _named_in(path: Path) -> list[str]:
    """Give the ids that the head of a file seems to name, whatever else is wrong with it."""
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES).decode("utf-8", "replace")
    return [found[1] for line in head.splitlines()[:_HEAD_LINES] if (found := _ID_LINE.match(line))]


class _File(NamedTuple):
    """A file that is one document: front matter, title and text by field name, what was left out, what should be known, what it hides."""

    values: dict[str, object]
    left_out: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()


def _values(path: Path, name: str) -> _File:
    """Read a file that is one document."""
    if path.suffix.lower() in _BOUND:
        from retrieval.documents.bound import read_bound  # the parsers take 0.3 s to import

        bound = read_bound(path)
        title = bound.values["title"] or re.sub(r"[\s_]+", " ", path.stem).strip()
        return _File({"id": name, **bound.values, "title": title}, bound.remarks)
    size = path.stat().st_size
    if size > MAX_DOCUMENT_BYTES:
        raise NotText(too_large(size))
    values, text = split_front_matter(decode(path.read_bytes()))
    title, hidden = "", tuple[str, ...]()
    if path.suffix.lower() in _HTML:
        from retrieval.documents.html import (
            labels_in_tags,
            parse_html,
            soup_to_text,
        )  # its parser takes 60 ms to import, also for those who only ask
        from retrieval.documents.unshown import unshown_in

        page = parse_html(text)
        values.update(labels_in_tags(page))
        hidden = unshown_in(page)
        title, text = soup_to_text(page)
    elif path.suffix.lower() in _MARKDOWN:
        title, text = split_title(without_modules(text) if path.suffix.lower() == ".mdx" else text)
    if not text.strip() and not values and not title:
        raise NotText("is empty")
    twice = tuple(values.told) if isinstance(values, Doubled) else ()
    return _File({"id": name, "title": title, "text": text} | _given(values), told=twice, hidden=hidden)


def _given(values: dict[str, object]) -> dict[str, object]:
    """Give the front matter without blanks: an empty `title:` must not hide the heading."""
    return {name: value for name, value in values.items() if value not in (None, "")}
