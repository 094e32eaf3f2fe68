"""A whole index of synthetic chunks, written array by array, so that `triage bench` serves what a real base would be served from."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast, overload

import numpy as np

from retrieval.dense import MODEL_NAME
from retrieval.documents import Chunk, Document
from retrieval.index.arrays import AnyArray, posting_arrays, write_arrays
from retrieval.index.folder import keep_file, scratch_file, swap, writing
from retrieval.index.intake import Prepared
from retrieval.index.manifest import Counts, FileEntry, Manifest, read_manifest
from retrieval.index.texts import chunk_row, document_row, write_texts
from retrieval.lexical import Postings, build_postings
from retrieval.ports import Vectors
from retrieval.ranking.labels import BaseTexts
from retrieval.ranking.ranker import DOCUMENT_MEANS, RANKING, RankingParts, build_ranking
from retrieval.ranking.space import document_means
from retrieval.screening import Screening
from scripts.bench_data import DIMENSION, SyntheticBase, write_vectors

ENCODER = f"{MODEL_NAME}@bench"
QUERIES, QUERY_VECTORS = "queries.json", "query_vectors.npy"
_PER_DOCUMENT = 4
_SENTENCES = 2
_SAMPLE = 2_000


def write_index(base: SyntheticBase, folder: Path) -> None:
    """Write an index of the base, and beside it the queries with their vectors."""
    with writing(folder):
        files = _write_vectors(base.chunks, folder)
        ranking = _ranking(np.load(folder / files["vectors.npy"].name, mmap_mode="r")[:_SAMPLE])
        arrays = {role: rows for role, rows in ranking.arrays.items() if role not in files}
        files |= write_arrays(
            folder, arrays | posting_arrays(_with_stems(build_postings(base.tokens()))) | _tables(base)
        )
        documents = _Documents(base)
        chunks = ((document, chunk_row(chunk)) for document, chunk in _chunks(base))
        write_texts(scratch_file(folder, "texts.sqlite"), map(document_row, documents), chunks)
        files["texts.sqlite"] = keep_file(folder, "texts.sqlite")
        swap(folder, _manifest(base, files, ranking))
    (folder / QUERIES).write_text(json.dumps([" ".join(words) for words in base.queries]), encoding="utf-8")
    np.save(folder / QUERY_VECTORS, base.query_vectors)


def open_vectors(folder: Path) -> Vectors:
    """Map the vectors of an index that was written here, float32, (chunks, 384)."""
    path = folder / read_manifest(folder).files[RANKING].name
    return cast("Vectors", np.asarray(np.load(path, mmap_mode="r")))


def _write_vectors(chunks: int, folder: Path) -> dict[str, FileEntry]:
    entries = {}
    for role, seed in (("vectors.npy", 11), (RANKING, 11)):
        write_vectors(chunks, scratch_file(folder, role), seed=seed)
        entries[role] = keep_file(folder, role)
    vectors = np.load(folder / entries["vectors.npy"].name, mmap_mode="r")
    shapes = {
        "sentences.npy": (np.float16, chunks * _SENTENCES),
        DOCUMENT_MEANS: (np.float32, -(-chunks // _PER_DOCUMENT)),
    }
    sentences, means = (
        np.lib.format.open_memmap(scratch_file(folder, role), "w+", dtype, (count, DIMENSION), version=(1, 0))
        for role, (dtype, count) in shapes.items()
    )
    for start in range(0, chunks, _SAMPLE):  # a multiple of the chunks of a document
        rows = vectors[start : start + _SAMPLE]
        of_documents = document_means(rows, np.arange(len(rows), dtype=np.int32) // _PER_DOCUMENT)
        sentences[start * _SENTENCES : (start + len(rows)) * _SENTENCES] = np.repeat(rows, _SENTENCES, axis=0)
        means[start // _PER_DOCUMENT : start // _PER_DOCUMENT + len(of_documents)] = of_documents
    for role, written in zip(shapes, (sentences, means), strict=True):
        written.flush()
        entries[role] = keep_file(folder, role)
    return entries


def _ranking(sample: Vectors) -> RankingParts:
    """Give labels, banks and a calibration as a real index has them; random vectors make them meaningless and no quicker."""
    rng = np.random.default_rng(5)

    def embed(texts: Sequence[str]) -> Vectors:
        rows = rng.standard_normal((len(texts), DIMENSION), dtype=np.float32)
        unit: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit

    count = len(sample)
    base = BaseTexts(
        [f"title {row}" for row in range(count)], [""] * count, [60] * count, np.arange(count, dtype=np.int32)
    )
    return build_ranking(base, np.array(sample), encoder=ENCODER, embed_passages=embed, embed_queries=embed)


def _with_stems(postings: Postings) -> Postings:
    """Give every word a stem of the same documents, as the tokenizer does; the mark sorts behind all letters."""
    words = [postings.token(position).encode() for position in range(postings.n_tokens)]
    stems = [b"~" + word for word in words]
    return Postings(
        blob=np.frombuffer(b"".join((*words, *stems)), np.uint8),
        bounds=np.cumsum([0, *map(len, words), *map(len, stems)], dtype=np.int64),
        offsets=np.concatenate((postings.offsets, postings.offsets[1:] + postings.offsets[-1])),
        rows=np.tile(postings.rows, 2),
        counts=np.tile(postings.counts, 2),
        lengths=postings.lengths * 2,
    )


def _tables(base: SyntheticBase) -> dict[str, AnyArray]:
    rows = np.arange(base.chunks, dtype=np.int32)
    documents = np.zeros((_count(base), 2), np.int32)
    return {"documents.npy": documents, "chunks.npy": np.stack((rows // _PER_DOCUMENT, 0 * rows, rows), axis=1)}


def _count(base: SyntheticBase) -> int:
    return -(-base.chunks // _PER_DOCUMENT)


@dataclass(frozen=True, slots=True)
class _Documents(Sequence[Prepared]):
    """The documents, each made when it is written."""

    base: SyntheticBase

    def __len__(self) -> int:
        return _count(self.base)

    @overload
    def __getitem__(self, place: int) -> Prepared: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Prepared]: ...
    def __getitem__(self, place: int | slice) -> Prepared | Sequence[Prepared]:
        if isinstance(place, slice):
            return [self[number] for number in range(len(self))[place]]
        if place >= len(self):
            raise IndexError(place)
        document = Document(f"kb-{place}", f"Title {place}", "See the chunks.", visibility=("public",))
        return Prepared(document, Screening(False, 0.0, ()), 0)


def _chunks(base: SyntheticBase) -> Iterator[tuple[int, Chunk]]:
    for row, words in enumerate(base.tokens()):
        document, index = divmod(row, _PER_DOCUMENT)
        half = len(words) // _SENTENCES
        sentences = (f"{' '.join(words[:half])}.", f"{' '.join(words[half:])}.")
        name = f"kb-{document}"
        yield (
            document,
            Chunk(f"{name}#{index}", name, index, f"Title {document}", "", "", " ".join(sentences), sentences),
        )


def _manifest(base: SyntheticBase, files: dict[str, FileEntry], ranking: RankingParts) -> Manifest:
    count = _count(base)
    return Manifest(
        encoder=ENCODER,
        dimension=DIMENSION,
        versions={},
        counts=Counts(documents=count, chunks=base.chunks, sentences=base.chunks * _SENTENCES),
        languages=("",),
        visibilities=(("public",),),
        files=files,
        documents={f"kb-{number}": f"{number:016x}" for number in range(count)},
        calibration=ranking.calibration.to_json(),
    )
