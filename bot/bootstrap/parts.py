"""Redactor, index, state, model and flow, each built from its settings."""

import logging
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from bot.audit import nobody
from bot.bootstrap.build import build_id
from bot.bootstrap.clock import SystemClock
from bot.bootstrap.redaction_key import redaction_key
from config.settings import ConfigError, RetrievalSettings, ServerSettings, Settings
from retrieval.language import language_of
from retrieval.language_tables import keep_tables
from retrieval.redaction import Redactor, contact_domains

if TYPE_CHECKING:
    # Indexing needs none of the flow: it takes half a second to import.
    from bot.adapters.anthropic_chat import AnthropicChat
    from bot.adapters.pseudonyms import Pseudonyms
    from bot.adapters.redis_client import RedisLink
    from bot.adapters.redis_state import Keyspace, RedisThreadStore
    from bot.adapters.work_queue import RedisWorkQueue
    from bot.flow import FlowLimits, Ports
    from bot.passage_source import ThreadedPassageSource
    from bot.pipeline import Pipeline
    from retrieval.index import IndexReport, Tools
    from retrieval.index.known import KnownDocuments
    from retrieval.ports import Encoder
    from retrieval.ranking import Reranker

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "config" / "sample"
SAMPLE_PATHS = (SAMPLE / "articles", SAMPLE / "tickets.jsonl")
_log = structlog.get_logger(__name__)
MAKING = "the embedding model is unpacked and compiled, once for this data folder; that takes up to some minutes"


@dataclass(frozen=True, slots=True)
class State:
    """History and work queue on one Redis."""

    link: "RedisLink"
    threads: "RedisThreadStore"
    queue: "RedisWorkQueue"
    keys: "Keyspace"
    people: "Pseudonyms"


@dataclass(frozen=True, slots=True)
class ServedIndex:
    """An index opened for answering, with what is known of it; `watch` runs until cancelled and takes newer generations."""

    source: "ThreadedPassageSource"
    languages: tuple[str, ...]
    documents: int
    hosts: frozenset[str]
    watch: Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Flow:
    """The flow with the parts of it that doors use too."""

    pipeline: "Pipeline"
    index: ServedIndex
    redactor: Redactor
    model: "AnthropicChat | None" = None
    clock: SystemClock = field(default_factory=SystemClock)


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


@asynccontextmanager
async def open_index(
    settings: RetrievalSettings,
    index_dir: Path | None = None,
    *,
    on_removed: Callable[[frozenset[str]], Awaitable[None]] | None = None,
) -> AsyncIterator[ServedIndex]:
    """Open an index for answering; `on_removed` is told which documents a newer generation lacks.

    Raises:
        IndexMissing, IndexDamaged, IndexMismatch: it cannot be served.
        ModelMissing: the embedding model, or the reranker that the settings name, is not on this machine.
    """
    from bot.bootstrap.index_age import outdated_note
    from bot.bootstrap.index_watch import IndexWatch
    from bot.passage_source import ThreadedPassageSource
    from retrieval.dense import SharedEncoder
    from retrieval.retriever import Retriever

    folder = index_dir or settings.index_dir
    # Read first: without an index there is no need to wait for the model.
    if note := outdated_note(folder, build_redactor(settings)):
        _log.warning("index is outdated", advice=note)
    # The tables of languages take half a second to unpack the first time, the model to compile every time. At the first question it would be on the loop, where
    # no lease would be renewed meanwhile.
    keep_tables(settings.data_dir)
    with ThreadPoolExecutor(1) as beside:
        beside.submit(language_of, "Which language is this?")
        encoder = SharedEncoder(build_encoder(settings))
    reranker = build_reranker(settings)
    retriever = Retriever.open(folder, encoder=encoder)
    source = ThreadedPassageSource(
        retriever, reranker=reranker, encoder=encoder, link_hosts=frozenset(settings.link_hosts)
    )
    documents = frozenset(retriever.document_ids)
    watch = IndexWatch(folder, encoder, source, documents=documents, on_removed=on_removed)
    try:
        yield ServedIndex(source, retriever.languages, retriever.document_count, retriever.hosts, watch.run)
    finally:
        await source.close()


@asynccontextmanager
async def open_state(
    settings: ServerSettings, data_dir: Path, *, posts_ttl_s: int = 30 * 86_400
) -> AsyncIterator[State]:
    """Open history and queue: on `REDIS_URL`, else on an embedded server in the data folder.

    A Redis that is away is no error here; the calls raise `StateUnavailable` until it is back. `posts_ttl_s`: how long
    it is known where the bot posted.
    """
    from bot.adapters.embedded_redis import embedded_redis
    from bot.adapters.pseudonyms import Pseudonyms
    from bot.adapters.redis_client import RedisLink
    from bot.adapters.redis_state import Keyspace, RedisThreadStore
    from bot.adapters.work_lanes import RetryPolicy
    from bot.adapters.work_queue import RedisWorkQueue

    async with AsyncExitStack() as stack:
        given = settings.redis_url.get_secret_value() if settings.redis_url else ""
        link = RedisLink(given or await stack.enter_async_context(embedded_redis(data_dir)))
        stack.push_async_callback(link.close)
        keys = Keyspace(partitions=settings.partitions)
        threads = RedisThreadStore(link, keys, ttl_s=settings.history_ttl_s, max_turns=settings.history_turns)
        queue = RedisWorkQueue(
            link,
            keys,
            policy=RetryPolicy(concurrency=settings.concurrency, most_waiting=settings.most_waiting),
            receipt_ttl_s=posts_ttl_s,
        )
        yield State(link, threads, queue, keys, Pseudonyms(link, keys))


@asynccontextmanager
async def open_flow(
    settings: Settings,
    *,
    index_dir: Path | None = None,
    state: State | None = None,
    on_model_error: Callable[[str, str], None] | None = None,
) -> AsyncIterator[Flow]:
    """Open the flow over an index; without a state no history is read. Failed calls of the model are shown.

    Raises:
        RetrievalError: the index cannot be served.
    """
    from bot.bootstrap.model import asked_model, build_model
    from bot.pipeline import Pipeline

    redactor = build_redactor(settings.retrieval, with_key=True)

    async def on_removed(ids: frozenset[str]) -> None:
        if state is not None:
            from bot.bootstrap.recall import withdraw_sources  # with all of Redis: not for one question on the console

            await withdraw_sources(state, ids)

    async with open_index(settings.retrieval, index_dir, on_removed=on_removed) as index:
        answers = redactor.beside(contact_domains(index.hosts))  # as the articles were redacted
        model = build_model(settings.model, answers)
        ports = _ports(settings, index, state, answers)
        if model is not None:
            ports = replace(ports, model=asked_model(model, settings, state, on_model_error), is_leak=model.leaks)
        try:
            if model is not None:
                await model.warm()
            yield Flow(Pipeline(ports), index, redactor, model)
        finally:
            if model is not None:
                await model.close()


def _ports(settings: Settings, index: ServedIndex, state: State | None, answers: Redactor) -> "Ports":
    """Give all that answering needs but a model."""
    from bot.adapters.lead_corrections import FILE, CorrectionFile, FileCorrections
    from bot.flow import Ports
    from bot.lexicon import LANGUAGES
    from retrieval.asked_language import asked_language

    return Ports(
        passages=index.source,
        redact=lambda text: answers.redact(text).text,
        clock=SystemClock(),
        threads=state.threads if state else None,
        language_of=language_of,
        asked_in=lambda text, spoken: asked_language(
            text, answers=LANGUAGES, base=index.languages, speakers=index.source.speakers, spoken=spoken
        ),
        speakers=index.source.speakers,
        name_of=state.people.of if state else nobody,
        limits=_limits(settings),
        build=build_id(),
        index_languages=index.languages or ("en",),
        corrections=FileCorrections(CorrectionFile(settings.retrieval.data_dir / FILE), index.source.nearness),
    )


def _limits(settings: Settings) -> "FlowLimits":
    """Bound rewrite and answer together by the setting: an answer that waits for a dead model is quoted in time."""
    from bot.flow import KEPT_BACK_S, FlowLimits

    history_s, timeout_s = settings.server.history_ttl_s, settings.model.timeout_s
    return FlowLimits(history_s, model_timeout_s=timeout_s, answer_within_s=timeout_s + KEPT_BACK_S)


@asynccontextmanager
async def open_pipeline(settings: Settings, *, index_dir: Path | None = None) -> AsyncIterator["Pipeline"]:
    """Open the flow for questions without a thread: no Redis is started.

    Raises:
        RetrievalError: the index cannot be served.
    """
    async with open_flow(settings, index_dir=index_dir) as flow:
        yield flow.pipeline
