"""How many true sentences the checks keep and how many with one value changed they remove, on public texts in parallel.

`TRIAGE_EVAL_DATA=… pytest tests/bot/test_support_figures.py -m eval_data -s -q` prints the figures of RESULTS.md.
"""

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest

from bot.messages import (
    DraftAnswer,
    DraftSentence,
    GatedQuestion,
    Mode,
    Queries,
    Question,
    Retrieved,
    SentenceRef,
)
from bot.stages.verify import verify_stage
from bot.words import words
from retrieval.documents import Document, chunk_document, split_sentences
from retrieval.passages import Band, EvidenceSentence, GateScore, GateVerdict, Passage, Ranking
from retrieval.ports import Encoder
from retrieval.redaction import RedactedText
from tests.bot.changed_values import changed
from tests.bot.flow_kit import card, message, ports
from tests.fakes import FakePassageSource
from tests.public_data import public_rows

pytestmark = pytest.mark.eval_data
PAGES, PAIRS = 90, 60  # pages of a set, sentence pairs of a set and language pair
HELD_OUT = 29  # of the seed; the rules were written with pairs drawn by another one


@dataclass(frozen=True, slots=True)
class Pair:
    """A sentence of a page, its counterpart in the same or another language, and the chunk that the first stands in."""

    source: str
    target: str
    said: str
    place: int
    sentences: tuple[str, ...]
    heading: str


def _pages() -> Iterator[list[dict[str, str]]]:
    """Give the same page in all of its languages."""
    for name, cut in (("gnome_help_multilingual", 1), ("letsencrypt_faq_multilingual", -1)):
        pages: dict[str, list[dict[str, str]]] = defaultdict(list)
        for row in public_rows(f"{name}/corpus.jsonl"):
            pages[row["id"].split("-", 1)[1] if cut == 1 else row["id"].rsplit("-", 1)[1]].append(row)
        chosen = random.Random(HELD_OUT).sample(sorted(pages), min(PAGES, len(pages)))
        yield from (pages[key] for key in chosen)


def _pairs() -> dict[tuple[str, str], list[Pair]]:
    found: dict[tuple[str, str], list[Pair]] = defaultdict(list)
    for versions in _pages():
        for source in versions:
            for target in versions:
                if "en" in (source["lang"], target["lang"]) or source is target:
                    found[source["lang"], target["lang"]] += _aligned(source, target)
    return found


def _aligned(source: dict[str, str], target: dict[str, str]) -> Iterator[Pair]:
    document = Document(id=source["id"], title=source.get("title", ""), text=source["text"], lang=source["lang"])
    chunks = chunk_document(document)
    left, right = ([split_sentences(line) for line in row["text"].split("\n")] for row in (source, target))
    lines = zip(left, right, strict=True) if len(left) == len(right) else ()
    for named, said in (
        pair for one, other in lines if len(one) == len(other) for pair in zip(one, other, strict=True)
    ):
        if min(_length(named), _length(said)) < 5 or (source is not target and named == said):
            continue
        for chunk in chunks:
            if named in chunk.sentences:
                place = chunk.sentences.index(named)
                yield Pair(source["lang"], target["lang"], said, place, chunk.sentences, chunk.heading)
                break


def _length(text: str) -> float:
    return len(words(text)) + len(re.findall("[\u3400-\u9fff]", text)) / 2


class Cosines(FakePassageSource):
    """A source that compares by the real model, each text encoded once."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.encoder = encoder
        self.vectors: dict[str, np.ndarray] = {}

    def learn(self, texts: Iterable[str]) -> None:
        """Encode texts that are not known yet, all at once."""
        missing = sorted((text for text in dict.fromkeys(texts) if text not in self.vectors), key=len)
        if missing:
            self.vectors |= dict(zip(missing, self.encoder.encode_passages(missing), strict=True))

    async def similarity(self, left: Sequence[RedactedText], right: Sequence[RedactedText]) -> list[list[float]]:
        """Give raw cosines."""
        self.learn((*left, *right))
        return (np.stack([self.vectors[t] for t in left]) @ np.stack([self.vectors[t] for t in right]).T).tolist()


def _draft(pair: Pair, said: str) -> tuple[DraftAnswer, Passage]:
    evidence = tuple(EvidenceSentence(i, RedactedText.stored(t), 0.8) for i, t in enumerate(pair.sentences))
    passage = Passage("d#0", card("d", lang=pair.source[:2], title=""), pair.heading, evidence, 1, 1, 1, 1)
    asked = message("Which value is it?")
    question = Question(asked, asked.text, pair.target[:2])
    queries = Queries(GatedQuestion(question, GateScore(GateVerdict.ANSWER, 1.0)), asked.text, asked.text)
    ranking = Ranking((passage,), Band.ANSWERED, 0.5, 0.3, "i", "c")
    sentence = DraftSentence(RedactedText.stored(said), (SentenceRef(0, pair.place),))
    return DraftAnswer(Retrieved(queries, ranking), (passage,), (sentence,), Mode.MODEL), passage


async def _is_kept(pair: Pair, said: str, source: Cosines) -> bool:
    draft, passage = _draft(pair, said)
    source.passages = (passage,)
    answer = await verify_stage(draft, ports=replace(ports(source)))
    return getattr(answer, "mode", None) is Mode.MODEL


@pytest.mark.no_cover  # thousands of equal judgments
async def test_figures_on_parallel_pages(kept_encoder: Encoder) -> None:
    """True sentences are kept, those with one value changed are removed, within a language and across two."""
    source, total, kept = Cosines(kept_encoder), Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    chosen = {key: random.Random(HELD_OUT).sample(pairs, min(PAIRS, len(pairs))) for key, pairs in _pairs().items()}
    across = [pair for (left, right), pairs in chosen.items() if left != right for pair in pairs]
    source.learn(text for pair in across for text in (pair.said, *pair.sentences))
    for (left, right), pairs in sorted(chosen.items()):
        side = "within" if left == right else "across"
        for pair in pairs:
            is_true_kept = await _is_kept(pair, pair.said, source)
            total[side, "true"] += 1
            kept[side, "true"] += is_true_kept
            if not is_true_kept:  # a pair that is taken for unlike shows nothing about a change
                continue
            for other in changed(pair.said, right[:2]):
                total[side, other.kind] += 1
                kept[side, other.kind] += await _is_kept(pair, other.text, source)
    for key in sorted(total):
        print(f"\n{' '.join(key)}: {kept[key]} of {total[key]} kept ({kept[key] / total[key]:.3f})", end="")
    for side, least in (("within", 0.95), ("across", 0.90)):
        values = [key for key in total if key[0] == side and key[1] != "true"]
        removed = 1 - sum(kept[k] for k in values) / sum(total[k] for k in values)
        print(f"\n{side}: values changed {sum(total[k] for k in values)}, removed {removed:.4f}", end="")
        assert kept[side, "true"] >= least * total[side, "true"]
        assert removed >= 0.98
