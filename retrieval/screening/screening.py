"""The score of one document and the decision that follows from it."""

import codecs
from collections.abc import Iterator
from dataclasses import dataclass, replace

from retrieval.redaction.canonical import canonical
from retrieval.screening.decisions import Verdict
from retrieval.screening.markup import (
    Found,
    decoded_texts,
    hidden_texts,
    image_signals,
    invisible_signals,
    role_signals,
)
from retrieval.screening.phrases import LATIN_SIGNALS, OTHER_SIGNALS, Signal
from retrieval.screening.provenance import Provenance
from retrieval.screening.skeleton import mixed_words, skeleton

VERSION = "2"
QUARANTINE_FROM = 0.6  # one strong signal, or two that are weak alone
_MOST_READ = 200_000  # code points; a longer document is judged by its beginning and its end
_HIDDEN_BONUS = 0.5  # an order that no reader can see was not written for readers


@dataclass(frozen=True, slots=True)
class Screening:
    """Whether a document is held back, how risky it looks (0 to 1), and why (names of signals, most severe first).

    `verdict` is what a person decided, empty before that. `unseen` tells of a held document what its reader does not see and what
    the stored text does not have, in words (`unseen.py`).
    """

    quarantined: bool
    score: float
    reasons: tuple[str, ...]
    verdict: str = ""
    unseen: tuple[str, ...] = ()

    @property
    def is_waiting(self) -> bool:
        """Whether somebody should look at the document."""
        return self.quarantined and not self.verdict

    def decided(self, verdict: Verdict) -> "Screening":
        """Give the screening with a person's decision, which overrules the score."""
        return replace(self, quarantined=verdict is Verdict.REJECTED, verdict=str(verdict))

    def undecided(self) -> "Screening":
        """Give what the score alone says."""
        return replace(self, quarantined=self.score >= QUARANTINE_FROM, verdict="")


def screen_document(title: str, text: str, provenance: Provenance | None = None) -> Screening:
    """Judge a document before it is indexed.

    Args:
        title: title, raw.
        text: text, raw: characters that redaction removes are signals here.
        provenance: where it comes from; counts only beside signals of the text.

    Returns:
        The verdict. Signals add up as independent evidence: score = 1 − Π(1 − weight), each reason once.
    """
    raw = f"{title}\n{text}"
    if len(raw) > _MOST_READ:
        raw = raw[: _MOST_READ // 2] + "\n" + raw[-_MOST_READ // 2 :]
    weights: dict[str, float] = {}
    for reason, weight in _signals(raw):
        weights[reason] = max(weight, weights.get(reason, 0.0))
    if weights and provenance is not None:
        weights |= dict(provenance.signals())
    missing = 1.0
    for weight in weights.values():
        missing *= 1.0 - weight
    score = round(1.0 - missing, 4)
    reasons = sorted(weights, key=lambda reason: (-weights[reason], reason))
    return Screening(score >= QUARANTINE_FROM, score, tuple(reasons))


def _signals(raw: str) -> Iterator[Found]:
    plain, _ = canonical(raw)
    yield from invisible_signals(raw)
    yield from role_signals(plain)
    yield from image_signals(plain)
    said = dict(_phrases(plain))
    yield from said.items()
    yield from _disguises(raw, plain, said)
    for hidden in hidden_texts(plain):
        yield "hidden_html", 0.2
        if any(_phrases(hidden)):
            yield "hidden_html", 0.2 + _HIDDEN_BONUS
    for decoded in decoded_texts(plain):
        yield "encoded_text", 0.35
        if any(_phrases(decoded)):
            yield "encoded_instruction", 0.9


def _disguises(raw: str, plain: str, said: dict[str, float]) -> Iterator[Found]:
    """Judge what was done so that a filter would not read it: letters swapped, words split, everything shifted by 13."""
    if said and plain != raw:
        visible = dict(_phrases(raw))
        if set(said) - set(visible):
            yield "split_words", 0.6
    if mixed := mixed_words(plain):
        open_words = dict(_latin(plain.lower()))
        yield "look_alike_letters", 0.62 if set(said) - set(open_words) else 0.1 if mixed < 3 else 0.3
    if "override" not in said and _first(LATIN_SIGNALS, "override").pattern.search(
        codecs.encode(plain.lower(), "rot13")
    ):
        yield "encoded_instruction", 0.9


def _phrases(text: str) -> Iterator[Found]:
    yield from _latin(skeleton(text))
    lowered = text.lower()
    if not lowered.isascii():
        yield from ((signal.reason, signal.weight) for signal in OTHER_SIGNALS if signal.pattern.search(lowered))


def _latin(text: str) -> Iterator[Found]:
    yield from ((signal.reason, signal.weight) for signal in LATIN_SIGNALS if signal.pattern.search(text))


def _first(signals: tuple[Signal, ...], reason: str) -> Signal:
    return next(signal for signal in signals if signal.reason == reason)
