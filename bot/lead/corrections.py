"""What the lead set right after a complaint: for one question a source is hidden, an answer is pinned, or none is to be given."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from bot.checks.negation import denials
from bot.words import content_words, entities, folded, lexicon_of, words
from retrieval.redaction import EMPTY, RedactedText

# Of another wording of the question; see RESULTS.md for how often another question is touched.
LEAST_COSINE = 0.96
_NUMBER = re.compile(r"\d+")
_STEM = 5
# First of these in a question; one without any may ask the same ("is it possible to").
_ASKS = frozenset(
    (
        "how",
        "why",
        "when",
        "where",
        "who",
        "what",
        "which",
        "wie",
        "warum",
        "wann",
        "wo",
        "wer",
        "was",
        "welche",
        "comment",
        "pourquoi",
        "quand",
        "où",
        "qui",
        "quoi",
        "quel",
        "cómo",
        "qué",
        "cuándo",
        "dónde",
        "quién",
        "cuál",
    )
)
# Small words that turn a question round.
_ORDER = frozenset(
    (
        "before",
        "after",
        "without",
        "until",
        "since",
        "vor",
        "nach",
        "ohne",
        "bis",
        "seit",
        "avant",
        "après",
        "sans",
        "depuis",
        "antes",
        "después",
        "sin",
        "hasta",
        "desde",
        "depois",
        "sem",
        "até",
        "przed",
        "bez",
        "до",
        "после",
        "після",
        "без",
    )
)


class CorrectionKind(StrEnum):
    """What is to become of the question."""

    HIDE = "hide"
    PIN = "pin"
    REFUSE = "refuse"


@dataclass(frozen=True, slots=True)
class Complaint:
    """A question that was not answered as it should be, standing alone; the rest as in `Correction`."""

    question: RedactedText
    language: str
    by: str
    asker: str = ""
    thread: str = ""
    message_id: str = ""


@dataclass(frozen=True, slots=True)
class RestsOn:
    """A source and the name of what it said then."""

    id: str
    digest: str


@dataclass(frozen=True, slots=True)
class Correction:
    """One decision about one question.

    `question` stands alone; `sources` are what is hidden, or what the pinned `answer` rests on. `by` is who decided, `asker` the
    pseudonym of who asked, `thread` the key of the thread, `message_id` that of the question; empty where the lead typed the question. `at`: seconds since the epoch.
    """

    kind: CorrectionKind
    question: RedactedText
    language: str
    by: str
    at: float
    sources: tuple[RestsOn, ...] = ()
    answer: RedactedText = EMPTY
    asker: str = ""
    thread: str = ""
    message_id: str = ""

    @property
    def key(self) -> str:
        """Name of the correction, 16 hex digits: a second one of the same kind for the same question and sources has the same."""
        names = [source.id for source in self.sources] if self.kind is CorrectionKind.HIDE else []
        text = "\n".join((self.kind, " ".join(words(self.question)), *names))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    @property
    def ids(self) -> tuple[str, ...]:
        """The documents that it names."""
        return tuple(source.id for source in self.sources)


class Corrections(Protocol):
    """Knows the corrections that a question falls under; those that are made or undone are known at the next question."""

    async def of(self, question: RedactedText, language: str) -> tuple[Correction, ...]:
        """Give them, the newest first.

        Raises:
            RetrievalError: the encoder is closed.
        """
        ...


def digest_of(title: str, evidence: str) -> str:
    """Name what a source says, 16 hex digits; of a ticket only the resolution is evidence."""
    return hashlib.sha256(f"{title}\n{evidence}".encode("utf-8", "surrogatepass")).hexdigest()[:16]


def is_same_wording(left: str, right: str) -> bool:
    """Say whether two questions are the same words, whatever their case and marks."""
    return words(left) == words(right) or folded(left).split() == folded(right).split()


def _asks(text: str) -> str:
    return next((word for word in words(text) if word in _ASKS), "")


def may_mean_the_same(left: str, right: str, language: str) -> bool:
    """Say whether nothing speaks against two questions of one language meaning the same.

    Numbers, codes and names are the same, so are denials, the words of order (before, after) and what is asked (how, why), and not each of them has a word
    that the other lacks: "enable" for "disable" leaves a cosine of 0.97.
    """
    if _marks(left) != _marks(right) or len(denials(left, language) or ()) != len(denials(right, language) or ()):
        return False
    asks = {_asks(left), _asks(right)} - {""}
    if len(asks) > 1:
        return False
    stems = _stems(left), _stems(right)
    return stems[0] <= stems[1] or stems[1] <= stems[0]


def _marks(text: str) -> frozenset[str]:
    names = frozenset(folded(name) for name in entities(text))
    return names | frozenset(_NUMBER.findall(text)) | _ORDER.intersection(words(text))


def _stems(text: str) -> frozenset[str]:
    return frozenset(word[:_STEM] for word in content_words(text, lexicon_of(text), keep_vague=True))


def correction_values(correction: Correction) -> dict[str, Any]:
    """Give what is stored."""
    return {
        "kind": str(correction.kind),
        "question": str(correction.question),
        "language": correction.language,
        "by": correction.by,
        "at": correction.at,
        "sources": [{"id": one.id, "digest": one.digest} for one in correction.sources],
        "answer": str(correction.answer),
        "asker": correction.asker,
        "thread": correction.thread,
        "message_id": correction.message_id,
    }


def correction_from(values: Any) -> Correction | None:
    """Read a correction back; None when another version wrote it."""
    try:
        return Correction(
            CorrectionKind(values["kind"]),
            RedactedText.stored(str(values["question"])),
            str(values["language"]),
            str(values["by"]),
            float(values["at"]),
            sources=tuple(RestsOn(str(one["id"]), str(one["digest"])) for one in values["sources"]),
            answer=RedactedText.stored(str(values["answer"])),
            asker=str(values["asker"]),
            thread=str(values["thread"]),
            message_id=str(values["message_id"]),
        )
    except (KeyError, TypeError, ValueError):
        return None


def correction_rows(corrections: Sequence[Correction]) -> Iterator[dict[str, object]]:
    """Give the labelled questions that corrections are worth, oldest first, in the form of `triage eval`.

    A pinned answer makes its sources relevant, a refusal is a question without an answer. What was hidden says only what is wrong:
    such a row has `rejected` and neither `relevant` nor `answerable`.
    """
    for one in sorted(corrections, key=lambda correction: correction.at):
        row: dict[str, object] = {"id": f"correction-{one.key}", "query": str(one.question), "lang": one.language}
        match one.kind:
            case CorrectionKind.PIN:
                yield {**row, "relevant": list(one.ids), "answerable": True, "reference_answer": str(one.answer)}
            case CorrectionKind.REFUSE:
                yield {**row, "relevant": [], "answerable": False}
            case CorrectionKind.HIDE:
                yield {**row, "rejected": list(one.ids)}
