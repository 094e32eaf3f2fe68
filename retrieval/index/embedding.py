"""Vectors of everything that an index compares with: chunks, sentences, headings, and the bundled banks."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from retrieval.dense.vector_cache import VectorCache
from retrieval.documents import CHUNKER_VERSION, Chunk
from retrieval.index.entries import Entry
from retrieval.index.known import KnownDocuments
from retrieval.index.pieces import Pieces
from retrieval.lexical import TOKENIZER_VERSION
from retrieval.ports import Encoder, Vectors
from retrieval.ranking.banks import bundled_banks
from retrieval.ranking.bundled import bundled_calibration
from retrieval.ranking.labels import BaseTexts
from retrieval.ranking.ranker import RankingParts, build_ranking
from retrieval.ranking.scope import label_of, opening_of
from retrieval.redaction import Redactor
from retrieval.screening import VERSION as SCREEN_VERSION

# Called with what is embedded ("chunks", "sentences", …), how many are done, and of how many.
Progress = Callable[[str, int, int], None]

# Raised when what `build_ranking` stores, or how it sets the gate's threshold, changes.
RANKING_VERSION = "7"
# The cache knows a text, not the prompt that it was encoded with; no text begins like this.
_AS_QUERY = "\x1equery\x1e"


@dataclass(frozen=True, slots=True)
class Tools:
    """What a build works with. Without `known` every document that is given is prepared anew."""

    encoder: Encoder
    cache: VectorCache
    redactor: Redactor
    on_progress: Progress = field(default=lambda _stage, _done, _total: None)
    known: KnownDocuments | None = None


@dataclass(frozen=True, slots=True)
class Embedded:
    """How many texts were encoded now and how many vectors came from the cache."""

    embedded: int = 0
    reused: int = 0


def ranking_version(encoder: str) -> str:
    """Name the code, the banks and the bundled numbers, 16 hex digits: an index made with others is made again."""
    banks = bundled_banks()
    text = "\n".join((RANKING_VERSION, *banks.desk, *banks.ordinary, *banks.off_topic, bundled_calibration(encoder).id))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def versions_by(tools: Tools) -> dict[str, str]:
    """Name the rules that turn documents into an index, each by its version."""
    return versions_of(tools.encoder.identity, tools.redactor.version)


def versions_of(encoder: str, redactor: str) -> dict[str, str]:
    """Name the rules by the identity of the model and the version of the redactor."""
    return {
        "tokenizer": TOKENIZER_VERSION,
        "chunker": CHUNKER_VERSION,
        "redactor": redactor,
        "screen": SCREEN_VERSION,
        "ranking": ranking_version(encoder),
    }


def embed(texts: Sequence[str], stage: str, tools: Tools) -> tuple[Vectors, Embedded]:
    """Encode texts as passages, float32, (n, dim), unit rows; known ones come from the cache."""
    return _embed(texts, stage, tools, tools.encoder.encode_passages)


def embed_queries(texts: Sequence[str], stage: str, tools: Tools) -> Vectors:
    """Encode texts as queries, float32, (n, dim), unit rows; known ones come from the cache."""
    marked = [_AS_QUERY + text for text in texts]
    encode = tools.encoder.encode_queries
    return _embed(marked, stage, tools, lambda batch: encode([text.removeprefix(_AS_QUERY) for text in batch]))[0]


def cached_texts(chunk: Chunk) -> list[str]:
    """Give every text of a chunk under which a vector may be kept."""
    parts = (label_of(chunk.title, chunk.matched, chunk.heading, chunk.text), opening_of(chunk.matched, chunk.text))
    return [chunk.search_text, *chunk.sentences, *parts, *(_AS_QUERY + part for part in parts)]


def ranking_parts(vectors: Vectors, entries: Sequence[Entry], pieces: Pieces, tools: Tools) -> RankingParts:
    """Give what ranking stores with an index: the ranking space, labels, banks, calibration."""
    base = BaseTexts(
        labels=[facts.label for facts in pieces.facts],
        languages=[entries[row].lang for row in pieces.documents],
        words=[facts.words for facts in pieces.facts],
        documents=np.asarray(pieces.documents, np.int32),
        openings=[facts.opening for facts in pieces.facts],
    )
    return build_ranking(
        base,
        vectors,
        encoder=tools.encoder.identity,
        embed_passages=lambda texts: embed(texts, "headings", tools)[0],
        embed_queries=lambda texts: embed_queries(texts, "headings as questions", tools),
    )


def _embed(
    texts: Sequence[str], stage: str, tools: Tools, encode: Callable[[Sequence[str]], Vectors]
) -> tuple[Vectors, Embedded]:
    if not texts:
        return np.zeros((0, tools.encoder.dimension), np.float32), Embedded()
    found = tools.cache.vectors_for(
        texts, encode, on_progress=lambda done, total: tools.on_progress(stage, done, total)
    )
    return found.vectors.astype(np.float32, copy=False), Embedded(found.embedded, found.reused)
