"""What an index is made with: redactor, data folder, embedding model, reranker and the documents that are known already."""

import logging
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from bot.bootstrap.redaction_key import redaction_key
from config.settings import ConfigError, RetrievalSettings
from retrieval.language_tables import keep_tables
from retrieval.redaction import Redactor

if TYPE_CHECKING:
    from retrieval.index import IndexReport, Tools
    from retrieval.index.known import KnownDocuments
    from retrieval.ports import Encoder
    from retrieval.ranking import Reranker

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "config" / "sample"
SAMPLE_PATHS = (SAMPLE / "articles", SAMPLE / "tickets.jsonl")
MAKING = "the embedding model is unpacked and compiled, once for this data folder; that takes up to some minutes"
_log = structlog.get_logger(__name__)


def build_redactor(settings: RetrievalSettings, *, with_key: bool = False) -> Redactor:
    """Build the redactor of this desk; `with_key` where people's messages come in, so that a thread can number tokens."""
    return Redactor(
        phone_regions=settings.phone_regions,
        own_domains=settings.own_domains,
        own_id_patterns=settings.kept_id_patterns,
        hidden_ids=settings.own_id_patterns,
        key=redaction_key(settings) if with_key else b"",
    )


def private_folder(settings: RetrievalSettings) -> Path:
    """Give the data folder, made with mode 0700 when it is new.

    Raises:
        ConfigError: it cannot be made.
    """
    try:
        settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(
            f"the data folder {settings.data_dir} cannot be made ({error.strerror}); set TRIAGE_DATA_DIR to a folder"
        ) from None
    return settings.data_dir


def build_encoder(settings: RetrievalSettings, model: str | None = None) -> "Encoder":
    """Load the embedding model of the settings, or another one.

    Raises:
        ModelMissing: it is not on this machine.
    """
    from retrieval.dense.early import loaded_encoder

    name = settings.embedding_model if model is None else model
    folder = private_folder(settings)
    _tell_making(settings, name)
    return loaded_encoder(name, data_dir=folder, device=settings.embedding_device)


def build_reranker(settings: RetrievalSettings) -> "Reranker | None":
    """Load the cross-encoder of the settings, None when they name none.

    Raises:
        ModelMissing: it is not on this machine.
    """
    if not settings.reranker:
        return None
    from retrieval.ranking import load_reranker

    return load_reranker(settings.reranker)


def index_tools(
    settings: RetrievalSettings, model: str | None = None, on_progress: Callable[[str, int, int], None] | None = None
) -> "Tools":
    """Build what an index is made with; the model is loaded when there is something to embed."""
    from retrieval.dense import late_encoder
    from retrieval.dense.vector_cache import VectorCache
    from retrieval.index import Tools

    folder = private_folder(settings)
    keep_tables(folder)
    name = settings.embedding_model if model is None else model
    _tell_making(settings, name)
    encoder = late_encoder(name, data_dir=folder, device=settings.embedding_device)
    cache = VectorCache(settings.data_dir / "vectors.sqlite", encoder.identity)
    tools = Tools(encoder, cache, build_redactor(settings), known=known_documents(settings))
    return tools if on_progress is None else replace(tools, on_progress=on_progress)


def _tell_making(settings: RetrievalSettings, model: str) -> None:
    """Say, at the first start on a data folder, why nothing happens for a while: on a terminal, else in the log."""
    from retrieval.dense import is_made

    if is_made(model, settings.data_dir):
        return
    # Logs that are shown on no terminal are read by programs, line by line; the console's commands log errors alone.
    is_logged = structlog.is_configured() and logging.getLogger(__name__).isEnabledFor(logging.WARNING)
    if is_logged and not sys.stderr.isatty():
        _log.warning(MAKING)
    else:
        print(f"triage: {MAKING}", file=sys.stderr, flush=True)


def known_documents(settings: RetrievalSettings) -> "KnownDocuments":
    """Give the file of documents that were prepared before, under the secret of the installation."""
    from retrieval.index.known import FILE, KnownDocuments

    return KnownDocuments(settings.data_dir / FILE, redaction_key(settings))


def index_sample(settings: RetrievalSettings, on_progress: Callable[[str, int, int], None]) -> "IndexReport":
    """Bring the bundled sample into the default index; unchanged documents are not embedded again."""
    from retrieval.documents import FieldMap, load_documents
    from retrieval.index import Update, update_index

    loaded = load_documents(SAMPLE_PATHS, field_map=FieldMap.parse([]))
    tools = index_tools(settings, on_progress=on_progress)
    return update_index(settings.index_dir, loaded.documents, tools, update=Update(may_remove_most=True))
