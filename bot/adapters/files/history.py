"""How many findings of each kind were open, day by day, in one file of the data folder, swapped in whole."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from bot.adapters.files.whole_file import write_json
from bot.lead.findings import Finding

FILE = "findings-history.json"
_DAYS = 400


class HistoryFile:
    """Keeps numbers by day; no id and no text."""

    def __init__(self, path: Path) -> None:
        """Keep them in this file."""
        self._path = path

    def read(self) -> dict[str, dict[str, int]]:
        """Give the numbers by day (ISO date) and kind, oldest first; none when there is no file, or one that is not ours."""
        try:
            rows = json.loads(self._path.read_text(encoding="utf-8"))
            return {
                str(day): {str(kind): int(count) for kind, count in counts.items()}
                for day, counts in sorted(rows.items())
            }
        except (OSError, ValueError, TypeError, AttributeError, RecursionError):
            return {}

    def note(self, day: str, findings: Sequence[Finding]) -> Mapping[str, Mapping[str, int]]:
        """Keep what is open now as the numbers of this day; gives those of all days. Of two at once the later one counts."""
        days, counts = self.read(), dict(Counter(finding.kind for finding in findings))
        if days.get(day) != counts:
            days = dict(sorted({**days, day: counts}.items())[-_DAYS:])
            write_json(self._path, days)
        return days
