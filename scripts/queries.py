"""Reads the JSON Lines files of questions that the commands take."""

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from retrieval.errors import RetrievalError


class RowsInvalid(RetrievalError):
    """A file of rows cannot be used; names file and line."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line: its object and where it stands."""

    where: str
    values: dict[str, object]

    def text(self, name: str, default: str | None = None) -> str:
        """Give a text value.

        Raises:
            RowsInvalid: it is absent (or null, as exports of tables have it) without a default, or no text.
        """
        value = self.values.get(name)
        value = default if value is None else value
        if isinstance(value, bool) or not isinstance(value, str | int):
            found = ", ".join(self.values) or "nothing"
            raise RowsInvalid(f"{self.where}: needs {name!r} as text; found {found}")
        return clean_text(str(value))

    def texts(self, name: str) -> tuple[str, ...]:
        """Give a list of texts, empty when absent.

        Raises:
            RowsInvalid: it is something else.
        """
        value = self.values.get(name)
        if value is None:
            return ()
        if isinstance(value, str):
            return (clean_text(value),)
        if not isinstance(value, list) or not all(isinstance(item, str | int) for item in value):
            raise RowsInvalid(f"{self.where}: {name!r} must be a list of texts")
        return tuple(clean_text(str(item)) for item in value)


def clean_text(text: str) -> str:
    """Give the text without lone surrogates, which come from JSON escapes and from arguments that are not UTF-8."""
    return text.encode("utf-8", "replace").decode("utf-8")


def exit_code(*, done: int, skipped: int) -> int:
    """Give the exit code of a command that reads rows: 0, 1 when some were skipped, 2 when there was nothing else."""
    if not skipped:
        return 0
    return 1 if done else 2


def read_rows(path: Path) -> Iterator[Row]:
    """Give every non-blank line.

    Raises:
        RowsInvalid: the file or a line cannot be read.
    """
    for row in read_each_row(path):
        if isinstance(row, RowsInvalid):
            raise row
        yield row


def read_each_row(path: Path) -> Iterator[Row | RowsInvalid]:
    """Give every non-blank line: its row, or the fault that names file and line where it is none.

    Raises:
        RowsInvalid: the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            yield from each_row(file, str(path))
    except OSError as error:
        raise RowsInvalid(f"{path}: {error.strerror}") from None


def each_row(lines: Iterable[bytes], name: str) -> Iterator[Row | RowsInvalid]:
    """Give every non-blank line of an open file (or of standard input): its row, or the fault that names the line."""
    for number, raw in enumerate(lines, start=1):
        if raw.strip():
            yield _row_or_fault(raw, f"{name}:{number}")


def _row_or_fault(raw: bytes, where: str) -> Row | RowsInvalid:
    try:
        return Row(where, _object(raw.decode("utf-8-sig"), where))
    except UnicodeDecodeError:
        return RowsInvalid(f"{where}: is not UTF-8")
    except RowsInvalid as fault:
        return fault


def _finite(text: str) -> float:
    """Read a number; NaN and infinity, which `json` takes and no other reader does, would come out again as no JSON."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def _object(line: str, where: str) -> dict[str, object]:
    try:
        value = json.loads(line, parse_constant=_finite, parse_float=_finite)
    except (ValueError, RecursionError):  # RecursionError: nested too deeply
        raise RowsInvalid(f"{where}: is not JSON") from None
    if not isinstance(value, dict):
        raise RowsInvalid(f"{where}: must be a JSON object")
    return value
