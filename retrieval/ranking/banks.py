"""The bundled banks: ordinary support questions and off-topic messages in ten languages."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Banks:
    """Texts of both banks, and the language of each text, ordinary ones first."""

    ordinary: tuple[str, ...]
    off_topic: tuple[str, ...]
    languages: tuple[str, ...]


@cache
def bundled_banks() -> Banks:
    """Read both banks once."""
    ordinary, off_topic = _rows("ordinary_questions.jsonl"), _rows("off_topic.jsonl")
    return Banks(tuple(ordinary), tuple(off_topic), (*ordinary.values(), *off_topic.values()))


def _rows(name: str) -> dict[str, str]:
    """Give text and language of each line; a repeated text counts once."""
    rows = (json.loads(line) for line in (_HERE / name).read_text(encoding="utf-8").splitlines() if line.strip())
    return {str(row["text"]): str(row["lang"]) for row in rows}
