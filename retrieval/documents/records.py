"""Files of many documents: CSV and JSON Lines, read row by row so that a broken row costs only itself."""

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

from retrieval.documents.decoding import MAX_DOCUMENT_BYTES, too_large
from retrieval.documents.document import Problem

Record = tuple[str, Mapping[str, object]]


def read_json_lines(path: Path) -> Iterator[Record | Problem]:
    """Give each line's object with `file:line`, or the problem of that line. Lines over the limit are not kept in memory."""
    is_empty = True
    with path.open("rb") as file:
        for number, (line, size) in enumerate(_lines(file), start=1):
            where = f"{path}:{number}"
            if size > MAX_DOCUMENT_BYTES:
                is_empty = False
                yield Problem(where, too_large(size))
            elif line.strip():
                is_empty = False
                yield _parsed(line, where)
    if is_empty:
        yield Problem(str(path), "is empty", is_note=True)


def _lines(file: IO[bytes]) -> Iterator[tuple[bytes, int]]:
    """Give each line, cut at the limit, with its whole length in bytes."""
    while line := file.readline(MAX_DOCUMENT_BYTES + 1):
        size, last = len(line), line
        while not last.endswith(b"\n") and (last := file.readline(1 << 20)):
            size += len(last)
        yield line, size


def _parsed(line: bytes, where: str) -> Record | Problem:
    try:
        value = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        return Problem(where, f"is not UTF-8 (byte 0x{line[error.start]:02x}); save it as UTF-8")
    except json.JSONDecodeError as error:
        return Problem(where, f"is not JSON ({error.msg.lower()} at column {error.colno})")
    except (RecursionError, ValueError):  # ValueError: an integer of more digits than Python converts
        return Problem(where, "is not JSON that can be read (nested too deeply, or a number too long)")
    if not isinstance(value, dict):
        return Problem(where, f"must be a JSON object, not {type(value).__name__}")
    return where, value


def read_csv(path: Path, *, id_column: str = "id") -> Iterator[Record | Problem]:
    """Give each row with `file:line` of its first line, or the problem of that row. Comma, semicolon or tab separate.

    A table without rows is a note; when its only line does not name `id_column` it is a row whose header is missing.
    """
    with path.open("r", encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
        head = file.read(64_000)
        file.seek(0)
        if "\0" in head:
            yield Problem(str(path), "is binary, not text (it holds NUL bytes)")
            return
        limit = csv.field_size_limit(MAX_DOCUMENT_BYTES)
        try:
            reader = csv.DictReader(file, delimiter=_delimiter(head))
            rows = _rows(reader, path)
            first = next(rows, None)
            if first is None:
                yield _without_rows(path, reader.fieldnames or (), id_column)
                return
            yield first
            yield from rows
        finally:
            csv.field_size_limit(limit)


def _without_rows(path: Path, header: Sequence[str], id_column: str) -> Problem:
    if not header:
        return Problem(str(path), "is empty", is_note=True)
    names = [str(name).strip().casefold() for name in header]
    if id_column.strip().casefold() in names:
        return Problem(str(path), "has a header and no rows", is_note=True)
    return Problem(f"{path}:1", f"has no id; found {', '.join(map(repr, header))}, and no rows below")


def _delimiter(head: str) -> str:
    # csv.Sniffer guesses letters on texts of one column; the header line alone is a safer witness.
    first = next(csv.reader(io.StringIO(head)), [])
    line = ",".join(first)
    return max(",;\t", key=line.count)


def _rows(reader: "csv.DictReader[str]", path: Path) -> Iterator[Record | Problem]:
    while True:
        line = reader.line_num + 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield Problem(f"{path}:{line}", f"is not CSV ({error})")
            continue
        where = f"{path}:{max(line, 2)}"
        if any(not v.isascii() and _has_undecoded(v) for v in row.values() if isinstance(v, str)):
            yield Problem(where, "is not UTF-8; save the file as UTF-8")
        elif None in row:
            yield Problem(where, "has more columns than the header")
        else:
            yield where, {name: value for name, value in row.items() if value is not None}


def _has_undecoded(text: str) -> bool:
    return any("\udc80" <= char <= "\udcff" for char in text)
