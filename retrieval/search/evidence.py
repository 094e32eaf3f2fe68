"""The quotable sentences of passages: their cosine to the question, which judges, and their nearness, which chooses.

Nearness is made of three parts. The cosine without what all sentences and all questions have in common; the cosine of
the chunk around the sentence; the share of the question's words that stand in the sentence. Measured as the nearest
sentence holding the answer, raw cosine → nearness: xquad 0.82 → 0.85 within a language and 0.77 → 0.78 across; sample
0.51 → 0.55 and 0.48 → 0.48.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from retrieval.passages import EvidenceSentence
from retrieval.ports import CandidateSource, Encoder, Scores, StoredPassage, Vectors
from retrieval.ranking.space import unit_rows
from retrieval.search.headed import Headed, headed
from retrieval.search.queries import PreparedQuery
from retrieval.search.surroundings import READ, Read

# Sentences that are embedded at query time when the index holds no sentence vectors.
_MOST_EMBEDDED = 8
_CHUNK_SHARE = 0.15
_WORDS_SHARE = 0.4
# Of a document the chunk that was found, the one after it, and these many others with the nearest sentences are evidence.
_OTHERS = 2
_GAP = re.compile(r"[^\w]+")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_STEM_MARK = "~"
_OVERLAP = 2


@dataclass(frozen=True, slots=True)
class _Judged:
    """Of each sentence of a chunk the largest raw cosine over the queries, and the largest nearness."""

    cosines: list[float]
    nearness: list[float]


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of one query, each as texts that a folded sentence with it holds, with its weight."""

    patterns: tuple[tuple[tuple[str, ...], float], ...]
    total: float

    @classmethod
    def of(cls, query: PreparedQuery, weights: Sequence[float]) -> "_Words":
        patterns = tuple((tuple(_forms(forms)), weight) for forms, weight in zip(query.words, weights, strict=True))
        return cls(patterns, max(sum(weights), 1e-9))

    def share(self, text: str) -> float:
        """Give the share of the words, by weight, that stand in a folded sentence with blanks around it."""
        found = 0.0
        for forms, weight in self.patterns:
            for form in forms:
                if form in text:
                    found += weight
                    break
        return found / self.total


@dataclass(frozen=True, slots=True)
class Measure:
    """What sentences are measured by: queries, (n, dim), raw and moved, and the words of each with their weights."""

    raw: Vectors
    moved: Vectors
    mean: Vectors
    words: tuple[_Words, ...]

    @classmethod
    def of(cls, source: CandidateSource, queries: Sequence[PreparedQuery]) -> "Measure":
        """Prepare everything once for all passages."""
        raw = np.stack([query.vector for query in queries])
        words = tuple(_Words.of(query, source.word_weights(query.words)) for query in queries)
        return cls(raw, unit_rows(raw - source.query_mean), source.sentence_mean, words)

    def shares(self, sentence: str) -> list[float]:
        """Give the share of each query's words, by weight, that a sentence holds."""
        text = f" {_folded(sentence)} "
        return [words.share(text) for words in self.words]

    def judge(self, chunks: Sequence[StoredPassage], around: Scores) -> dict[int, _Judged]:
        """Judge the sentences of chunks, all in one go, by the rows of the chunks; `around` has the cosine of each chunk."""
        sizes = [len(chunk.sentences) for chunk in chunks]
        vectors = np.concatenate([np.asarray(chunk.vectors, np.float32) for chunk in chunks])
        cosines = (vectors @ self.raw.T).max(axis=1, initial=-1.0)
        moved = np.where(vectors.any(axis=1, keepdims=True), unit_rows(vectors - self.mean) @ self.moved.T, -1.0)
        shares = [self.shares(text) for chunk in chunks for text in chunk.sentences]
        moved = moved + _WORDS_SHARE * np.array(shares).reshape(moved.shape)
        near = (1.0 - _CHUNK_SHARE) * moved.max(axis=1, initial=-1.0) + _CHUNK_SHARE * np.repeat(around, sizes)
        ends = np.cumsum(sizes)
        return {
            chunk.row: _Judged(cosines[end - size : end].tolist(), near[end - size : end].tolist())
            for chunk, size, end in zip(chunks, sizes, ends, strict=True)
        }


def evidence_of(
    source: CandidateSource, read: Sequence[Read], queries: Sequence[PreparedQuery], encoder: Encoder
) -> list[tuple[EvidenceSentence, ...]]:
    """Give the evidence of each passage in the order of the text.

    Of a document that was read whole that is the chunk that was found, the one after it, and the two with the nearest
    sentences; sentences that two chunks hold (overlap) come once.
    """
    if not read:
        return []
    measure = Measure.of(source, queries)
    if any(chunk.vectors is None for one in read for chunk in one.chunks):
        read = _embedded([one.chunks[one.found] for one in read], measure, encoder)
    chunks = list({chunk.row: chunk for one in read for chunk in one.chunks}.values())
    rows = np.asarray([chunk.row for chunk in chunks], np.int32)
    around = np.max([source.ranking_cosines(query.vector, rows) for query in queries], axis=0, initial=-1.0)
    judged = measure.judge(chunks, around)
    return [_evidence(one, [judged[chunk.row] for chunk in one.chunks]) for one in read]


def _evidence(read: Read, judged: Sequence[_Judged]) -> tuple[EvidenceSentence, ...]:
    sentences: list[EvidenceSentence] = []
    part, section, last = 0, 0, -1
    before: Headed | None = None
    for place in _kept(read, judged):
        chunk = read.chunks[place]
        skipped = 0
        if last >= 0 and place == last + 1:
            skipped = _repeated(read.chunks[last], chunk)
        elif last >= 0:
            part, section, before = part + 1, section + 1, None
        heads = headed(chunk, before)
        rows = zip(chunk.sentences, judged[place].cosines, judged[place].nearness, heads, strict=True)
        for text, cosine, near, head in list(rows)[skipped:]:
            section += before is not None and not head.is_same(before)
            before = head
            sentences.append(EvidenceSentence(len(sentences), text, cosine, near, part, head.text, section))
        last = place
    return tuple(sentences)


def _kept(read: Read, judged: Sequence[_Judged]) -> list[int]:
    """Give the places of the chunks that are evidence, in the order of the text."""
    kept = {read.found, min(read.found + 1, len(read.chunks) - 1)}
    others = (place for place in range(len(read.chunks)) if place not in kept)
    nearest = sorted(others, key=lambda place: -max(judged[place].nearness, default=-1.0))
    return sorted(kept | set(nearest[:_OTHERS]))


def _repeated(before: StoredPassage, chunk: StoredPassage) -> int:
    """Give how many sentences at the head of a chunk are the last ones of the chunk before it."""
    for count in range(min(_OVERLAP, len(before.sentences), len(chunk.sentences)), 0, -1):
        if before.sentences[-count:] == chunk.sentences[:count]:
            return count
    return 0


def _forms(forms: Sequence[str]) -> Iterator[str]:
    for form in forms:
        text = _folded(form.removeprefix(_STEM_MARK))
        if _UNSPACED.search(text):
            yield text
        elif text:
            yield f" {text}" if form.startswith(_STEM_MARK) and len(text) > 3 else f" {text} "


@lru_cache(maxsize=8_192)
def _folded(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.casefold())
    if not plain.isascii():
        plain = "".join(char for char in plain if not unicodedata.combining(char))
    return _GAP.sub(" ", plain).strip()


def _embedded(passages: Sequence[StoredPassage], measure: Measure, encoder: Encoder) -> list[Read]:
    """Embed a few sentences of the best passages, first those that hold words of the question; the others get zeros."""
    ranked: list[tuple[int, int, int]] = []
    for p, passage in enumerate(passages[:READ]):
        shares = [max(measure.shares(text)) for text in passage.sentences]
        order = sorted(range(len(shares)), key=lambda s: (-shares[s], s))
        ranked += [(rank, p, s) for rank, s in enumerate(order)]
    places = [(p, s) for _, p, s in sorted(ranked)[:_MOST_EMBEDDED]]
    vectors = [np.zeros((len(passage.sentences), measure.raw.shape[1]), np.float32) for passage in passages]
    found = encoder.encode_passages([passages[p].sentences[s] for p, s in places])
    for (p, s), vector in zip(places, found, strict=True):
        vectors[p][s] = vector
    return [Read((replace(passage, vectors=rows),)) for passage, rows in zip(passages, vectors, strict=True)]
