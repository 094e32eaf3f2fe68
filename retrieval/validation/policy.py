"""Which of two sources that disagree is preferred, and why: never a silent pick, never an average.

In this order: a source that says it replaces the other; an article over a ticket; approved over draft; the newer one; the
one that more others confirm. A newer ticket does not win over an article, but then the article may be out of date.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from typing import Protocol

TICKET = "ticket"
_APPROVED = frozenset({"approved", "published", "verified", "current", "active", "final"})
_DRAFT = frozenset({"draft", "pending", "proposed", "in review", "in_review", "review", "unverified"})
REPLACED = frozenset({"superseded", "replaced", "deprecated", "archived", "obsolete", "withdrawn"})
# A clock may be ahead by a time zone; what lies farther in the future is no date.
_AHEAD = timedelta(days=1)


class Source(Protocol):
    """What is known of a source; `retrieval.documents.Document` and `retrieval.passages.DocumentCard` are ones."""

    @property
    def id(self) -> str: ...  # noqa: D102
    @property
    def kind(self) -> str: ...  # noqa: D102
    @property
    def status(self) -> str: ...  # noqa: D102
    @property
    def supersedes(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def updated_at(self) -> str: ...  # noqa: D102
    @property
    def created_at(self) -> str: ...  # noqa: D102
    @property
    def valid_until(self) -> str: ...  # noqa: D102


class Ground(StrEnum):
    """Why one source is preferred; NONE when nothing tells them apart."""

    SUPERSEDES = "supersedes"
    ARTICLE = "article"
    APPROVED = "approved"
    NEWER = "newer"
    CONFIRMED = "confirmed"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Preference:
    """The preferred source's id, empty when nothing decides. `is_outdated`: the article that is preferred is the older one."""

    id: str
    ground: Ground
    is_outdated: bool = False


def read_date(text: str) -> date | None:
    """Read the date at the head of an ISO 8601 text, of a year or month its first day; None when there is none."""
    plain = text.strip()
    plain = {4: plain + "-01-01", 7: plain + "-01"}.get(len(plain), plain)
    try:
        return date.fromisoformat(plain[:10])
    except ValueError:
        return None


def dated(source: Source, today: date) -> date | None:
    """Give when a source was last changed, else made; None when it does not say or says a day to come."""
    for text in (source.updated_at, source.created_at):
        day = read_date(text)
        if day is not None and day <= today + _AHEAD:
            return day
    return None


def prefer(
    first: Source,
    second: Source,
    *,
    today: date,
    confirmations: tuple[int, int] = (0, 0),
    replaced: Mapping[str, str] = {},
) -> Preference:
    """Say which of two sources is preferred.

    Args:
        first: one.
        second: the other.
        today: days to come are no dates.
        confirmations: how many other sources say the same as each.
        replaced: ids of sources that another one replaces, with that one's id, as `replacements` gives them.
    """
    for newer, older in ((first, second), (second, first)):
        if replaced.get(older.id) == newer.id or _follows(older.id, newer.id, replaced):
            return Preference(newer.id, Ground.SUPERSEDES)
    days = dated(first, today), dated(second, today)
    if (first.kind == TICKET) != (second.kind == TICKET):
        article = second if first.kind == TICKET else first
        own, other = (days[1], days[0]) if first.kind == TICKET else days
        return Preference(article.id, Ground.ARTICLE, own is not None and other is not None and other > own)
    ranks = _rank(first.status), _rank(second.status)
    if ranks[0] != ranks[1]:
        return Preference(first.id if ranks[0] > ranks[1] else second.id, Ground.APPROVED)
    if days[0] is not None and days[1] is not None and days[0] != days[1]:
        return Preference(first.id if days[0] > days[1] else second.id, Ground.NEWER)
    if confirmations[0] != confirmations[1]:
        return Preference(first.id if confirmations[0] > confirmations[1] else second.id, Ground.CONFIRMED)
    return Preference("", Ground.NONE)


def _follows(older: str, newer: str, replaced: Mapping[str, str]) -> bool:
    """Say whether a chain of replacements leads from the older source to the newer one."""
    seen = {older}
    while (older := replaced.get(older, "")) and older not in seen:
        if older == newer:
            return True
        seen.add(older)
    return False


def _rank(status: str) -> int:
    plain = status.strip().casefold()
    return -2 if plain in REPLACED else -1 if plain in _DRAFT else 1 if plain in _APPROVED else 0


def replacements(sources: Sequence[Source]) -> tuple[dict[str, str], tuple[tuple[str, ...], ...]]:
    """Give which source replaces which (old id to new id), and the rings of sources that replace each other.

    A source of a ring, or one that names itself, replaces nothing: nobody can tell which one is the newest.
    """
    known = {source.id for source in sources}
    links = {old: source.id for source in sources for old in source.supersedes if old in known}
    rings: list[tuple[str, ...]] = []
    in_ring: set[str] = set()
    for start in links:
        path = [start]
        while (following := links.get(path[-1])) is not None and following not in path and following not in in_ring:
            path.append(following)
        if following is not None and following in path:
            ring = path[path.index(following) :]
            rings.append(tuple(sorted(ring)))
            in_ring.update(ring)
    return {old: new for old, new in links.items() if old not in in_ring}, tuple(rings)


def reason(preference: Preference, first: Source, second: Source, *, today: date) -> str:
    """Say in English why a source is preferred, with the dates of both."""
    days = {source.id: dated(source, today) for source in (first, second)}
    told = ", ".join(f"{source.id} {_kind(source)} {days[source.id] or 'without a date'}" for source in (first, second))
    other = second.id if preference.id == first.id else first.id
    sentence = {
        Ground.SUPERSEDES: f"{preference.id} says that it replaces {other}",
        Ground.ARTICLE: f"{preference.id} is an article, {other} a ticket",
        Ground.APPROVED: f"{preference.id} has the better status",
        Ground.NEWER: f"{preference.id} is newer than {other}",
        Ground.CONFIRMED: f"more other sources say what {preference.id} says",
        Ground.NONE: "nothing tells which one is right",
    }[preference.ground]
    late = f"; the ticket is newer, so {preference.id} may be out of date" if preference.is_outdated else ""
    return f"{sentence}{late} ({told})"


def _kind(source: Source) -> str:
    return TICKET if source.kind == TICKET else "article"
