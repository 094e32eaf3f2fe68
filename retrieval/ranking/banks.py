"""The bundled banks: ordinary support questions and off-topic messages in ten languages."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Banks:
    """Texts of both banks."""

    ordinary: tuple[str, ...]
    off_topic: tuple[str, ...]


@cache
def bundled_banks() -> Banks:
    """Read both banks once."""
    return Banks(_texts("ordinary_questions.jsonl"), _texts("off_topic.jsonl"))


def _texts(name: str) -> tuple[str, ...]:
    lines = (_HERE / name).read_text(encoding="utf-8").splitlines()
    return tuple(dict.fromkeys(str(json.loads(line)["text"]) for line in lines if line.strip()))
