"""`triage gaps`: questions that nobody could answer, grouped by what they mean."""

import argparse
import asyncio
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from bot.bootstrap.gaps import read_gaps
from bot.lead.gaps import Gap, GapReason
from config.settings import load_settings
from scripts.output import counted, json_line
from scripts.since import seconds_since

if TYPE_CHECKING:
    from retrieval.passages import Passage

_EXAMPLES = 3
_NEAREST = 3
_WORDS = 6


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--since", default="", metavar="TIME", help="a date, a time, or an age such as 7d, 12h or 2w")
    parser.add_argument("--index", type=Path, metavar="DIR", help="index folder (default: TRIAGE_DATA_DIR/index)")
    parser.add_argument(
        "--reason", action="append", choices=[str(r) for r in GapReason], help="only these (default: all)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Read, group and print."""
    since = seconds_since(arguments.since)
    settings = load_settings()
    wanted = {GapReason(name) for name in arguments.reason or GapReason}
    gaps = [gap for gap in asyncio.run(read_gaps(settings, since=since)) if gap.reason in wanted]
    groups = group_gaps(gaps, arguments.index or settings.retrieval.index_dir) if gaps else Grouped((), 0)
    if groups.left_out:
        print(f"triage: the oldest {counted(groups.left_out, 'question')} left out", file=sys.stderr)
    print(json_line(_values(since, groups)) if arguments.json else _text(groups))
    return 0


@dataclass(frozen=True, slots=True)
class Near:
    """A document near a group of questions.

    `answers`: it would be used for an answer now, to somebody who may see it; `for_askers`: at least one of who asked may.
    """

    id: str
    title: str
    relevance: float
    answers: bool
    for_askers: bool = True

    @property
    def told(self) -> str:
        """Say what it is to the questions."""
        if not self.answers:
            return "nearest"
        return "answers now" if self.for_askers else "answers now, but not for who asked:"


@dataclass(frozen=True, slots=True)
class GapGroup:
    """Questions that ask for the same, the most typical first, with their words by language."""

    gaps: tuple[Gap, ...]
    words: dict[str, list[str]]
    nearest: tuple[Near, ...]


@dataclass(frozen=True, slots=True)
class Grouped:
    """All groups, the largest first; `left_out` counts the oldest questions beyond what can be grouped at once."""

    groups: tuple[GapGroup, ...]
    left_out: int


def group_gaps(gaps: Sequence[Gap], folder: Path) -> Grouped:
    """Group questions by meaning and say which documents are near them now.

    Raises:
        RetrievalError: the index cannot be read.
    """
    from retrieval.dense.groups import MOST, group_rows, without_language
    from scripts.search import open_retriever

    kept = list(gaps[-MOST:])
    retriever = open_retriever(folder)
    try:
        rows = without_language(
            retriever.query_vectors([gap.query for gap in kept]),
            [gap.language for gap in kept],
            retriever.query_mean,
        )
        members = [tuple(kept[row] for row in group) for group in group_rows(rows)]
        words = language_words(members)
        nearest = []
        for group in members:
            ranking = retriever.search([group[0].query], top_k=_NEAREST)
            passages = sorted(ranking.passages, key=lambda p: -p.relevance)
            nearest.append(tuple(_near(passage, ranking.cut, group) for passage in passages))
    finally:
        retriever.close()
    groups = tuple(GapGroup(*parts) for parts in zip(members, words, nearest, strict=True))
    return Grouped(groups, len(gaps) - len(kept))


def _near(passage: "Passage", cut: float, asked: Sequence[Gap]) -> Near:
    card = passage.document
    is_visible = any(gap.may_see(card.visibility) for gap in asked)
    return Near(card.id, str(card.title), round(passage.relevance, 4), passage.relevance >= cut, is_visible)


def language_words(groups: Sequence[Sequence[Gap]]) -> list[dict[str, list[str]]]:
    """Give for each group the content words that say what it is about, by language, the most telling first."""
    from bot.lexicon import lexicon
    from bot.words import content_words

    spoken = [
        [(gap.language, set(content_words(gap.query, lexicon(gap.language)))) for gap in group] for group in groups
    ]
    everywhere = Counter((language, word) for group in spoken for language, said in group for word in said)
    found = []
    for group in spoken:
        here = Counter((language, word) for language, said in group for word in said)
        # How often a word is said here, weighed by how much of all its uses that is.
        order = sorted(here, key=lambda key: (-here[key] * here[key] / everywhere[key], key))
        by_language: dict[str, list[str]] = {}
        for language, word in order:
            told = by_language.setdefault(language, [])
            if len(told) < _WORDS:
                told.append(word)
        found.append(by_language)
    return found


def group_values(group: GapGroup) -> dict[str, object]:
    """Give a group in the public form."""
    times = [gap.asked_at for gap in group.gaps]
    return {
        "count": len(group.gaps),
        "reasons": dict(sorted(Counter(str(gap.reason) for gap in group.gaps).items())),
        "languages": dict(sorted(Counter(gap.language for gap in group.gaps).items())),
        "first": _iso(min(times)),
        "last": _iso(max(times)),
        "words": group.words,
        "examples": [{**_example(gap), "count": count} for gap, count in _wordings(group.gaps)],
        "nearest": [
            {
                "id": near.id,
                "title": near.title,
                "relevance": near.relevance,
                "answers": near.answers,
                "for_askers": near.for_askers,
            }
            for near in group.nearest
        ],
        "ids": [gap.message_id for gap in group.gaps],
    }


def _wordings(gaps: Sequence[Gap]) -> list[tuple[Gap, int]]:
    """Give the first few wordings, each once with how often it was asked."""
    said = [" ".join(gap.question.casefold().split()) for gap in gaps]
    counts, firsts = Counter(said), dict(zip(reversed(said), reversed(gaps), strict=True))
    return [(firsts[wording], counts[wording]) for wording in list(dict.fromkeys(said))[:_EXAMPLES]]


def _example(gap: Gap) -> dict[str, object]:
    values: dict[str, object] = {
        "question": str(gap.question),
        "language": gap.language,
        "reason": str(gap.reason),
        "platform": str(gap.thread.platform),
        "at": _iso(gap.asked_at),
    }
    return values if gap.query == gap.question else {**values, "query": str(gap.query)}


def _values(since: float, grouped: Grouped) -> dict[str, object]:
    return {
        "since": _iso(since) if since else None,
        "questions": sum(len(group.gaps) for group in grouped.groups),
        "left_out": grouped.left_out,
        "groups": [group_values(group) for group in grouped.groups],
    }


def _text(grouped: Grouped) -> str:
    if not grouped.groups:
        return "no question was left without an answer"
    total = sum(len(group.gaps) for group in grouped.groups)
    lines = [f"{counted(total, 'question')} without an answer, in {counted(len(grouped.groups), 'group')}"]
    for group in grouped.groups:
        lines += ["", *group_text(group)]
    return "\n".join(lines)


def group_text(group: GapGroup) -> list[str]:
    """Give a group as a person reads it, a line each."""
    reasons = Counter(str(gap.reason).replace("_", " ") for gap in group.gaps)
    told = ", ".join(f"{count} {reason}" for reason, count in reasons.most_common())
    words = "; ".join(f"{language}: {', '.join(said)}" for language, said in sorted(group.words.items()))
    lines = [f"{len(group.gaps):3}  {told}  ({words})"]
    for gap, count in _wordings(group.gaps):
        lines.append(f"     “{gap.question}”" + (f" × {count}" if count > 1 else ""))
    return [*lines, *(f"     {near.told} {near.relevance:.2f} {near.id}  {near.title}" for near in group.nearest)]


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
