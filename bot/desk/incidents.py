"""Incidents: what is broken right now, told by a person, standing above every answer that it may explain."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone
from hashlib import sha256
from typing import Protocol

from bot.early import EarlySink
from bot.messages import Answer, Notice, NoticeKind, ThreadRef
from bot.texts import say
from bot.words import content_words, lexicon_of
from retrieval.redaction import RedactedText

# Raw cosines of multilingual-e5-small, both texts as passages. On the 159 questions of the sample and four made-up
# incidents with 13 questions about them: 10 of 636 pairs matched wrongly, 9 of 13 rightly; what was missed shares no word
# with its incident or is in another language.
NEAR = 0.88
NEAR_WITH_WORD = 0.82
_STEM = 5
MOST = 20  # that stand at a time


@dataclass(frozen=True, slots=True)
class Incident:
    """One incident. `until` is seconds since the epoch, `offset_s` its teller's distance from UTC, `labels` who sees it.

    `thread` is the command that told it; nobody's name is kept.
    """

    text: RedactedText
    until: float
    labels: tuple[str, ...]
    thread: ThreadRef
    offset_s: int = 0

    @property
    def id(self) -> str:
        """The short name by which it is ended."""
        return sha256(self.thread.key.encode()).hexdigest()[:5]

    def is_seen(self, audience: Sequence[str]) -> bool:
        """Tell whether somebody who sees these labels is told of it."""
        return not set(self.labels).isdisjoint(audience)

    def shown(self, language: str) -> RedactedText:
        """Give the incident with its end, in the time of who told it."""
        return say("incident", language, text=self.text, until=self.shown_end())

    def shown_end(self) -> RedactedText:
        """Give the end as "2026-12-01 14:00 UTC+02:00"."""
        zone = timezone(timedelta(seconds=self.offset_s))
        return RedactedText.stored(f"{datetime.fromtimestamp(self.until, zone):%Y-%m-%d %H:%M} {zone}")


class Incidents(Protocol):
    """The incidents that stand. Every method raises `StateUnavailable` when Redis is out of reach."""

    async def declare(self, incident: Incident) -> bool:
        """Have it stand until its end; telling it twice changes nothing. False when too many stand already."""
        ...

    async def standing(self) -> tuple[Incident, ...]:
        """Give those that have not ended, the next to end first."""
        ...

    async def end(self, incident: Incident) -> None:
        """End one now."""
        ...


class NoIncidents:
    """Where nothing is kept, nothing stands."""

    async def declare(self, incident: Incident) -> bool:  # noqa: ARG002 - the port's form
        """Keep nothing."""
        return False

    async def standing(self) -> tuple[Incident, ...]:
        """Give none."""
        return ()

    async def end(self, incident: Incident) -> None:
        """Find none."""


def is_about(question: str, incident: str, cosine: float) -> bool:
    """Tell whether an incident may explain a question: near in meaning, or a little less near with a word in common."""
    return cosine >= NEAR or (cosine >= NEAR_WITH_WORD and not _stems(question).isdisjoint(_stems(incident)))


def headed(answer: Answer, incidents: Sequence[Incident]) -> Answer:
    """Give the answer with the incidents as its first notices."""
    notices = tuple(
        Notice(NoticeKind.INCIDENT, (incident.id,), incident.shown(answer.language)) for incident in incidents
    )
    return replace(answer, notices=(*notices, *answer.notices))


class HeadedSink:
    """Shows the beginning of an answer below the incidents that may explain it, which are looked up once, before its first word."""

    def __init__(self, sink: EarlySink, explaining: Callable[[Answer], Awaitable[Sequence[Incident]]]) -> None:
        """Show in the sink."""
        self._sink = sink
        self._explaining = explaining
        self._found: Sequence[Incident] | None = None

    async def show(self, answer: Answer) -> None:
        """Show it with its head."""
        if self._found is None:
            self._found = await self._explaining(answer)
        await self._sink.show(headed(answer, self._found))


def _stems(text: str) -> set[str]:
    return {word[:_STEM] for word in content_words(text, lexicon_of(text)) if len(word) > 2}
