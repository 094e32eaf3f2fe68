"""The bundled banks in eleven languages: ordinary support questions, off-topic messages, and what any desk is asked."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Banks:
    """Texts of the banks.

    Attributes:
        ordinary, off_topic: with `languages`, that of each text, ordinary ones first.
        desk: what any desk is asked (prices, refunds, how to reach support); never off-topic, answered or not.
    """

    ordinary: tuple[str, ...]
    off_topic: tuple[str, ...]
    languages: tuple[str, ...]
    desk: tuple[str, ...]


@cache
def bundled_banks() -> Banks:
    """Read the banks once."""
    ordinary, off_topic = _rows("ordinary_questions.jsonl"), _rows("off_topic.jsonl")
    languages = (*ordinary.values(), *off_topic.values())
    return Banks(tuple(ordinary), tuple(off_topic), languages, tuple(_rows("desk_questions.jsonl")))


def _rows(name: str) -> dict[str, str]:
    """Give text and language of each line; a repeated text counts once."""
    rows = (json.loads(line) for line in (_HERE / name).read_text(encoding="utf-8").splitlines() if line.strip())
    return {str(row["text"]): str(row["lang"]) for row in rows}
