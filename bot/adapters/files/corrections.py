"""The lead's corrections in one file of the data folder, swapped in whole and read again when it has changed."""

import fcntl
import json
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from bot.adapters.files.whole_file import write_json
from bot.errors import BotError
from bot.lead.corrections import (
    LEAST_COSINE,
    Correction,
    correction_from,
    correction_values,
    is_same_wording,
    may_mean_the_same,
)
from retrieval.redaction import RedactedText

FILE = "corrections.json"
# So many are compared with every question in a millisecond.
MOST = 1_000
Nearness = Callable[[RedactedText, Sequence[RedactedText]], Awaitable[list[float]]]


class CorrectionRefused(BotError):
    """A correction cannot be made as asked."""


class CorrectionFile:
    """Keeps corrections by their key; safe between processes."""

    def __init__(self, path: Path) -> None:
        """Keep them in this file."""
        self._path = path
        self._seen: tuple[int, int, int] | None = None
        self._read: tuple[Correction, ...] = ()

    def all(self) -> tuple[Correction, ...]:
        """Give all, the newest first; none when there is no file. What another version wrote is left out, not lost.

        Looking whether the file has changed takes microseconds, so that it is done at every question.
        """
        try:
            found = self._path.stat()
        except OSError:
            return ()
        seen = found.st_ino, found.st_mtime_ns, found.st_size
        if seen != self._seen:
            read = filter(None, map(correction_from, self._rows().values()))
            self._read, self._seen = tuple(sorted(read, key=lambda one: -one.at)), seen
        return self._read

    def keep(self, correction: Correction) -> None:
        """Keep a correction; one with the same key is replaced.

        Raises:
            CorrectionRefused: there are too many.
        """

        def change(rows: dict[str, object]) -> None:
            rows[correction.key] = correction_values(correction)
            if len(rows) > MOST:
                raise CorrectionRefused(f"there are {MOST} corrections already; undo some, or mend the sources")

        self._change(change)

    def drop(self, is_dropped: Callable[[Correction], bool]) -> tuple[Correction, ...]:
        """Drop corrections; gives those that were there."""
        dropped: list[Correction] = []

        def change(rows: dict[str, object]) -> None:
            for key, values in list(rows.items()):
                one = correction_from(values)
                if one is not None and is_dropped(one):
                    del rows[key]
                    dropped.append(one)

        if self._path.exists():
            self._change(change)
        return tuple(dropped)

    def _change(self, change: Callable[[dict[str, object]], None]) -> None:
        with self._path.with_suffix(".lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            rows = self._rows()
            change(rows)
            write_json(self._path, rows)

    def _rows(self) -> dict[str, object]:
        try:
            rows = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        return rows if isinstance(rows, dict) else {}


class FileCorrections:
    """Implements `bot.lead.corrections.Corrections`: the same words, or nearly the same meaning with the same names and numbers."""

    def __init__(self, file: CorrectionFile, nearness: Nearness) -> None:
        """Compare by the raw cosine that `nearness` gives."""
        self._file = file
        self._nearness = nearness

    async def of(self, question: RedactedText, language: str) -> tuple[Correction, ...]:
        """Give the corrections of a question, the newest first."""
        known = self._file.all()
        same = [one for one in known if is_same_wording(one.question, question)]
        if same or not known:
            return tuple(same)
        alike = [one for one in known if one.language == language]
        alike = [one for one in alike if may_mean_the_same(one.question, question, language)]
        cosines = await self._nearness(question, [one.question for one in alike])
        return tuple(one for one, cosine in zip(alike, cosines, strict=True) if cosine >= LEAST_COSINE)
