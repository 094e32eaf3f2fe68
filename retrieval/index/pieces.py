"""The chunks of a generation in columns: cut from what is new, taken over from the generation before where nothing changed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from retrieval.documents import Chunk, chunk_document
from retrieval.documents.blocks import count_words
from retrieval.index.arrays import fingerprint
from retrieval.index.entries import NEW, Entry
from retrieval.index.generation_before import Base
from retrieval.index.texts import ChunkFacts, ChunkRow, chunk_row
from retrieval.lexical.postings import Ints
from retrieval.ranking.scope import label_of, opening_of, says_more


@dataclass
class Pieces:
    """One entry a chunk, in the order of their documents; filled by `of` and read afterwards.

    Attributes:
        documents: row of each chunk's document.
        rows: what is stored of each.
        facts: what ranking and the next build need of each.
        sources: row of each in the generation before, `NEW` for one that was cut now.
        sentences: the sentences of the new ones, in order.
    """

    documents: list[int] = field(default_factory=list)
    rows: list[ChunkRow] = field(default_factory=list)
    facts: list[ChunkFacts] = field(default_factory=list)
    sources: list[int] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, entries: Sequence[Entry], base: Base | None) -> "Pieces":
        """Cut and take over."""
        made = cls()
        firsts = base.firsts.tolist() if base is not None else []
        for row, entry in enumerate(entries):
            if base is not None and entry.row != NEW:
                start, end = firsts[entry.row], firsts[entry.row + 1]
                made.documents.extend([row] * (end - start))
                made.rows.extend(base.chunk_rows[start:end])
                made.facts.extend(base.chunk_facts[start:end])
                made.sources.extend(range(start, end))
            elif entry.item is not None:
                for chunk in chunk_document(entry.item.document):
                    made._add(row, chunk)
        return made

    def _add(self, document: int, chunk: Chunk) -> None:
        self.documents.append(document)
        self.rows.append(chunk_row(chunk))
        self.facts.append(_facts_of(chunk))
        self.sources.append(NEW)
        self.sentences.extend(chunk.sentences)

    def __len__(self) -> int:
        """Number of chunks."""
        return len(self.rows)

    @cached_property
    def origin(self) -> Ints:
        """Give `sources` as int32, (n,); once for vectors, postings and sentences."""
        return np.asarray(self.sources, np.int32)

    def sentence_rows(self, base: Base | None) -> Ints:
        """Give the row of each sentence in the generation before, `NEW` for those of new chunks, int32, (n_sentences,)."""
        counts = np.asarray([row.sentence_count for row in self.rows], np.int64)
        before = np.asarray([row.sentence_count for row in base.chunk_rows] if base is not None else [], np.int64)
        firsts = np.concatenate([np.zeros(1, np.int64), np.cumsum(before)])
        is_new, sources = self.origin == NEW, np.maximum(self.origin, 0)
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        places = np.repeat(firsts[np.minimum(sources, len(firsts) - 1)], counts) + within
        return np.where(np.repeat(is_new, counts), NEW, places).astype(np.int32)

    def fresh(self) -> Iterator[tuple[int, ChunkRow]]:
        """Give the new chunks, each with its row."""
        return ((row, self.rows[row]) for row, source in enumerate(self.sources) if source == NEW)


def _facts_of(chunk: Chunk) -> ChunkFacts:
    label = label_of(chunk.title, chunk.matched, chunk.heading, chunk.text)
    opening = opening_of(chunk.matched, chunk.text)
    return ChunkFacts(label, opening if says_more(label, opening) else "", count_words(chunk.text), fingerprint(chunk))
