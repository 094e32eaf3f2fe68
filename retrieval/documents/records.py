"""Files of many documents: CSV, JSON and JSON Lines, read row by row so that a broken row costs only itself."""

import codecs
import csv
import io
import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, TextIO

from retrieval.documents.decoding import MAX_DOCUMENT_BYTES, too_large
from retrieval.documents.desk_export import ARTICLE_PREFIX, TICKET_PREFIX
from retrieval.documents.document import Problem
from retrieval.documents.json_items import DECODER, Record, members_before_fault, read_items

_SEPARATOR = re.compile(r"\A\"?sep=([^\w\s\"]|\t)\"?\r?\n", re.IGNORECASE)
MAX_JSON_BYTES = 500_000_000


def read_json_lines(path: Path, *, id_columns: Sequence[str] = ("id",)) -> Iterator[Record | Problem]:
    """Give each line's object with `file:line`, or the problem of that line. Lines over the limit are not kept in memory.

    A broken line names the document that it may be where one of `id_columns` stands before what breaks it.
    """
    is_empty = True
    with path.open("rb") as file:
        for number, (line, size) in enumerate(_lines(file), start=1):
            where = f"{path}:{number}"
            if size > MAX_DOCUMENT_BYTES:
                is_empty = False
                yield Problem(where, too_large(size), hides=True)
            elif line.strip():
                is_empty = False
                yield _parsed(line, where, id_columns)
    if is_empty:
        yield Problem(str(path), "is empty", is_note=True)


def _lines(file: IO[bytes]) -> Iterator[tuple[bytes, int]]:
    """Give each line, cut at the limit, with its whole length in bytes."""
    while line := file.readline(MAX_DOCUMENT_BYTES + 1):
        size, last = len(line), line
        while not last.endswith(b"\n") and (last := file.readline(1 << 20)):
            size += len(last)
        yield line, size


def _parsed(line: bytes, where: str, id_columns: Sequence[str]) -> Record | Problem:
    line = line.removeprefix(codecs.BOM_UTF8)
    try:
        value = DECODER.decode(line.decode())
    except UnicodeDecodeError as error:
        reason = f"is not UTF-8 (byte 0x{line[error.start]:02x}); save it as UTF-8"
    except json.JSONDecodeError as error:
        cut = "" if line.endswith(b"\n") else "; the file ends here without a line end, an export cut in the middle?"
        reason = f"is not JSON ({error.msg.lower()} at column {error.colno}){cut}"
    except (RecursionError, ValueError):  # ValueError: an integer of more digits than Python converts
        reason = "is not JSON that can be read (nested too deeply, or a number too long)"
    else:
        if isinstance(value, dict):
            return where, value
        reason = f"must be a JSON object, not {type(value).__name__}"
    may_be = _ids_among(members_before_fault(line.decode(errors="replace")), id_columns) if line.endswith(b"\n") else ()
    return Problem(where, reason, hides=not may_be, may_be=may_be)


def _ids_among(values: Mapping[str, object], id_columns: Sequence[str]) -> tuple[str, ...]:
    """Give the ids that a broken record may have: as it names it, and as a record of a desk would be called."""
    folded = {name.strip().casefold(): value for name, value in values.items()}
    named = next((folded[column.casefold()] for column in id_columns if column.casefold() in folded), None)
    if isinstance(named, bool) or not isinstance(named, str | int) or not str(named).strip():
        return ()
    name = str(named).strip()
    return (name, f"{TICKET_PREFIX}{name}", f"{ARTICLE_PREFIX}{name}")


def read_json(path: Path, *, id_columns: Sequence[str] = ("id",)) -> Iterator[Record | Problem]:
    """Give the objects of a list, or of the lists of an object (`{"tickets": [...]}`); a file of JSON Lines is read as such.

    Objects are read one by one, so a file that was cut gives what stands before the cut, and a problem.
    """
    if (size := path.stat().st_size) > MAX_JSON_BYTES:
        limit = f"{MAX_JSON_BYTES / 1e6:.0f} MB; export it as JSON Lines"
        yield Problem(str(path), f"is {size / 1e6:.0f} MB of one JSON value, more than {limit}", hides=True)
        return
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        yield Problem(str(path), f"is not UTF-8 (byte 0x{error.object[error.start]:02x}); save it as UTF-8", hides=True)
        return
    if not text.strip():
        yield Problem(str(path), "is empty", is_note=True)
    elif _is_lines(text):
        yield from read_json_lines(path, id_columns=id_columns)
    else:
        yield from read_items(text, str(path))


def _is_lines(text: str) -> bool:
    """Whether the first line is a whole object and others follow."""
    first, _, rest = text.lstrip().partition("\n")
    try:
        return bool(rest.strip()) and isinstance(json.loads(first), dict)
    except (ValueError, RecursionError):
        return False


def _broken_row(where: str, reason: str, row: Mapping[str, object], id_columns: Sequence[str]) -> Problem:
    values = {str(name): value for name, value in row.items() if isinstance(value, str) and not _has_undecoded(value)}
    may_be = _ids_among(values, id_columns)
    return Problem(where, reason, hides=not may_be, may_be=may_be)


def _rows(reader: "csv.DictReader[str]", path: Path, tail: "_Tail", names: Sequence[str]) -> Iterator[Record | Problem]:
    width = len(reader.fieldnames or ())
    while True:
        line = reader.line_num + 1
        tail.begin()
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield Problem(f"{path}:{line}", f"is not CSV ({error})", hides=True)
            continue
        where = f"{path}:{max(line, 2)}"
        if None not in row and not any(v and v.strip() for v in row.values()):
            continue  # spreadsheets end in rows of nothing but separators
        if any(not v.isascii() and _has_undecoded(v) for v in row.values() if isinstance(v, str)):
            yield _broken_row(where, "is not UTF-8; save the file as UTF-8", row, names)
        elif None in row:  # only what stands in the first column cannot have been moved by what is too much
            first = {name: row[name] for name in (reader.fieldnames or ())[:1]}
            yield _broken_row(where, "has more columns than the header", first, names)
        elif tail.is_cut(reader.reader.dialect.delimiter, width, sum(value is not None for value in row.values())):
            yield Problem(where, "ends in the middle of a row, an export cut in the middle?", hides=True)
        else:
            yield where, {name: value for name, value in row.items() if value is not None}


class _Tail:
    """The lines of the row that is read, to see whether the file ends in the middle of it."""

    def __init__(self, file: Iterator[str]) -> None:
        self._file = file
        self._lines: list[str] = []

    def __iter__(self) -> Iterator[str]:
        for line in self._file:
            self._lines.append(line)
            yield line

    def begin(self) -> None:
        """Begin another row."""
        self._lines.clear()

    def is_cut(self, delimiter: str, width: int, found: int) -> bool:
        """Whether the row ends inside quotation marks, or without a line end and with columns missing."""
        text = "".join(self._lines)
        if text.count('"') % 2:  # else none is open
            try:
                list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
            except csv.Error as error:
                return "unexpected end" in str(error)
        return found < width and not text.endswith(("\n", "\r"))


def read_csv(path: Path, *, id_columns: Sequence[str] = ("id",)) -> Iterator[Record | Problem]:
    """Give each row with `file:line` of its first line, or the problem of that row. Comma, semicolon, tab or bar separate.

    A table without rows is a note; when its only line names none of `id_columns` it is a row whose header is missing.
    """
    with _opened(path) as file:
        head = file.read(64_000)
        file.seek(0)
        if "\0" in head:
            yield Problem(str(path), "is binary, not text (it holds NUL bytes)", hides=True)
            return
        limit = csv.field_size_limit(MAX_DOCUMENT_BYTES)
        try:
            tail = _Tail(file)
            if named := _SEPARATOR.match(head):  # as Excel has it told
                file.readline()
            reader = csv.DictReader(tail, delimiter=named[1] if named else _delimiter(head))
            yield from _told_twice(reader, path)
            rows = _rows(reader, path, tail, id_columns)
            first = next(rows, None)
            if first is None:
                yield _without_rows(path, reader.fieldnames or (), id_columns)
                return
            yield first
            yield from rows
        finally:
            csv.field_size_limit(limit)


def _told_twice(reader: "csv.DictReader[str]", path: Path) -> Iterator[Problem]:
    """Tell which columns a table names twice, and name them apart by blanks, which nothing that reads them counts."""
    names = list(reader.fieldnames or ())
    twice = [name for name, times in Counter(names).items() if times > 1 and name.strip()]
    if twice:
        reader.fieldnames = [name + " " * names[:place].count(name) for place, name in enumerate(names)]
        yield Problem(str(path), f"names {', '.join(map(repr, twice))} twice; the last one counts", is_note=True)


def _opened(path: Path) -> TextIO:
    """Open a table in UTF-8, or in the UTF-16 with its mark that Excel calls "Unicode text"."""
    with path.open("rb") as raw:
        is_wide = raw.read(2) in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
    encoding, errors = ("utf-16", "replace") if is_wide else ("utf-8-sig", "surrogateescape")
    return path.open("r", encoding=encoding, errors=errors, newline="")


def _without_rows(path: Path, header: Sequence[str], id_columns: Collection[str]) -> Problem:
    if not header:
        return Problem(str(path), "is empty", is_note=True)
    names = {str(name).strip().casefold() for name in header}
    if names & {name.strip().casefold() for name in id_columns}:
        return Problem(str(path), "has a header and no rows", is_note=True)
    return Problem(f"{path}:1", f"has no id; found {', '.join(map(repr, header))}, and no rows below", hides=True)


def _delimiter(head: str) -> str:
    # csv.Sniffer guesses letters on texts of one column; the header line alone is a safer witness.
    first = next(csv.reader(io.StringIO(head, newline="")), [])
    line = ",".join(first)
    return max(",;\t|", key=line.count)


def _has_undecoded(text: str) -> bool:
    return any("\udc80" <= char <= "\udcff" for char in text)
