"""What the lead decided about findings, in one file of the data folder, swapped in whole."""

import fcntl
import json
from dataclasses import asdict
from pathlib import Path

from bot.adapters.files.whole_file import write_json
from bot.lead.findings import Decided, Fate

FILE = "findings.json"


class DecisionFile:
    """Keeps decisions by the key of the finding; no text of a document."""

    def __init__(self, path: Path) -> None:
        """Keep them in this file."""
        self._path = path

    def read(self) -> dict[str, Decided]:
        """Give all decisions; none when there is no file, or one that is not ours."""
        try:
            rows = json.loads(self._path.read_text(encoding="utf-8"))
            return {
                str(key): Decided(Fate(row["fate"]), str(row["by"]), float(row["at"]), float(row["until"]))
                for key, row in rows.items()
            }
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return {}

    def decide(self, key: str, decided: Decided) -> None:
        """Keep a decision; `OPEN` drops the one before. Two at once wait for each other."""
        with self._path.with_suffix(".lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            rows = self.read()
            rows.pop(key, None)
            if decided.fate is not Fate.OPEN:
                rows[key] = decided
            write_json(self._path, {name: asdict(row) for name, row in rows.items()})
