"""What tests with the real model share: the model and the vectors of runs before, and one index of the sample a process."""

import atexit
import fcntl
import shutil
import sqlite3
import tempfile
from collections.abc import Sequence
from contextlib import closing
from functools import cache
from pathlib import Path

from retrieval.dense.vector_cache import VectorCache
from retrieval.index import Tools
from retrieval.index.embedding import embed, embed_queries
from retrieval.ports import Encoder, Vectors
from retrieval.ranking.bank_vectors import BankVectors, bank_vectors
from retrieval.redaction import Redactor

# Kept between runs: the model's export and compilation take 15 s, the vectors of the sample 16 s of processor.
MODELS = Path(__file__).parent.parent / ".triage" / "tests"


@cache
def sample_index_folder() -> Path:
    """Build the index of the bundled sample; where several processes begin, one embeds and the others take its vectors."""
    from bot.bootstrap import SAMPLE, index_tools
    from config.settings import RetrievalSettings
    from retrieval.documents import FieldMap, load_documents
    from retrieval.index import Update, update_index

    folder = Path(tempfile.mkdtemp(prefix="triage-sample-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    documents = load_documents((SAMPLE / "articles", SAMPLE / "tickets.jsonl"), field_map=FieldMap.parse([])).documents
    MODELS.mkdir(parents=True, exist_ok=True)
    with (MODELS / "sample.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # released by the kernel when the process dies
        tools = index_tools(RetrievalSettings(TRIAGE_DATA_DIR=MODELS))
        update_index(folder / "index", documents, tools, update=Update())
    return folder / "index"


def copy_vectors(folder: Path) -> None:
    """Give a data folder the vectors of the sample, which are 16 s of processor."""
    sample_index_folder()
    with (
        closing(sqlite3.connect(MODELS / "vectors.sqlite")) as kept,
        closing(sqlite3.connect(folder / "vectors.sqlite")) as own,
    ):
        kept.backup(own)


def bank_of(encoder: Encoder) -> BankVectors:
    """Give the vectors of the bundled banks, which are encoded for another model than the bundled one alone."""
    return bank_vectors(encoder.identity, embed_passages=encoder.encode_passages, embed_queries=encoder.encode_queries)


class KeptEncoder:
    """The real encoder for tests of what is made of its vectors: a text is encoded once in all runs, as an index does it."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._tools = Tools(encoder, VectorCache(MODELS / "vectors.sqlite", encoder.identity), Redactor())

    @property
    def identity(self) -> str:
        """That of the encoder."""
        return self._encoder.identity

    @property
    def dimension(self) -> int:
        """That of the encoder."""
        return self._encoder.dimension

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """Give unit rows, float32."""
        return embed_queries(texts, "", self._tools)

    def encode_passages(self, texts: Sequence[str]) -> Vectors:
        """Give unit rows, float32."""
        return embed(texts, "", self._tools)[0]
