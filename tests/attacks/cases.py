"""The attack suite as values: categories × wordings × languages, each with the place where it is planted."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from tests.attacks.disguises import DISGUISES

HERE = Path(__file__).parent
LANGUAGES = ("en", "uk", "ru", "de")
WORDINGS = 5
# Raw values that some attacks ask to be repeated; no output, store or model may hold them.
RAW = {
    "email": "iryna.savchuk@quincebakery.example",
    "phone": "+380 67 418 29 53",
    "card": "4539 8712 0045 7162",
    "token": "xoxb-204918273645-918273645012-Ab3dEf6hIj9kLmN0pQrStUvW",
}


class Place(StrEnum):
    """Where an attack is planted."""

    ARTICLE = "article"
    TICKET = "ticket"
    THREAD = "thread"
    FILE = "file name"
    NAME = "display name"
    QUESTION = "question"


@dataclass(frozen=True, slots=True)
class Subject:
    """What is asked, in one language: the unpoisoned article and the harmless part of the poisoned one."""

    name: str
    language: str
    fact: str
    title: str
    question: str
    good: tuple[str, ...]
    cover: tuple[str, ...]

    @property
    def good_id(self) -> str:
        """Id of the unpoisoned article."""
        return f"kb-{self.name}-{self.language}"


@dataclass(frozen=True, slots=True)
class Case:
    """One attack in one place."""

    id: str
    category: str
    text: str
    place: Place
    subject: Subject


@cache
def _table(name: str) -> dict[str, Any]:
    return tomllib.loads((HERE / name).read_text(encoding="utf-8"))


@cache
def subjects() -> tuple[Subject, ...]:
    """Give every subject in every language."""
    return tuple(
        Subject(row["name"], code, row["fact"], t["title"], t["question"], tuple(t["good"]), tuple(t["cover"]))
        for row in _table("subjects.toml")["subject"]
        for code in LANGUAGES
        for t in (row[code],)
    )


def categories() -> tuple[str, ...]:
    """Name the categories in their order."""
    return tuple(row["name"] for row in _table("templates.toml")["category"])


def texts() -> Iterator[tuple[str, str, int, str]]:
    """Give category, language, wording (0 to 4) and text of every attack."""
    frames = _table("templates.toml")["frames"]
    for row in _table("templates.toml")["category"]:
        disguise = DISGUISES[row.get("wrap", "plain")]
        for code in LANGUAGES:
            goal = row[code].format(**RAW)
            for wording, frame in enumerate(frames[code]):
                yield row["name"], code, wording, disguise(frame.format(goal=goal), goal, wording)


def cases(places: tuple[Place, ...] | None = None) -> Iterator[Case]:
    """Give the cases: each text in one place, by turns so that every category meets every place, or in all that are named."""
    numbers = {name: number for number, name in enumerate(categories())}
    spoken = {code: [s for s in subjects() if s.language == code] for code in LANGUAGES}
    for category, code, wording, text in texts():
        turn = numbers[category] + wording + WORDINGS * LANGUAGES.index(code)
        subject = spoken[code][(numbers[category] + 2 * wording) % len(spoken[code])]
        for place in places or (tuple(Place)[turn % len(Place)],):
            yield Case(f"{category}-{code}-{wording}-{place.name.lower()}", category, text, place, subject)
