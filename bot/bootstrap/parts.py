"""Index, state and flow, each opened from its settings."""

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
from bot.bootstrap.index_parts import build_encoder, build_redactor, build_reranker
from config.settings import RetrievalSettings, ServerSettings, Settings
from retrieval.language import language_of
from retrieval.language_tables import keep_tables
from retrieval.redaction import Redactor, contact_domains

if TYPE_CHECKING:
    # Indexing needs none of the flow: it takes half a second to import.
    from bot.adapters.model.chat import AnthropicChat
    from bot.adapters.store.client import RedisLink
    from bot.adapters.store.history import RedisThreadStore
    from bot.adapters.store.keys import Keyspace
    from bot.adapters.store.pseudonyms import Pseudonyms
    from bot.adapters.work.queue import RedisWorkQueue
    from bot.flow import FlowLimits, Ports
    from bot.passage_source import ThreadedPassageSource
    from bot.pipeline import Pipeline

_log = structlog.get_logger(__name__)


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
    from bot.adapters.store.client import RedisLink
    from bot.adapters.store.embedded import embedded_redis

    async with AsyncExitStack() as stack:
        given = settings.redis_url.get_secret_value() if settings.redis_url else ""
        link = RedisLink(given or await stack.enter_async_context(embedded_redis(data_dir)))
        stack.push_async_callback(link.close)
        yield _state_on(link, settings, posts_ttl_s)


@asynccontextmanager
async def open_beside(state: State, settings: ServerSettings, *, posts_ttl_s: int) -> AsyncIterator[State]:
    """Open history and queue once more on the same Redis, with connections of their own.

    What takes events in does not wait for a connection behind the hundreds of questions that the same process answers.
    """
    link = state.link.another()
    try:
        yield _state_on(link, settings, posts_ttl_s)
    finally:
        await link.close()


def _state_on(link: "RedisLink", settings: ServerSettings, posts_ttl_s: int) -> State:
    from bot.adapters.store.history import RedisThreadStore
    from bot.adapters.store.keys import Keyspace
    from bot.adapters.store.pseudonyms import Pseudonyms
    from bot.adapters.work.lanes import RetryPolicy
    from bot.adapters.work.queue import RedisWorkQueue

    keys = Keyspace(partitions=settings.partitions)
    threads = RedisThreadStore(link, keys, ttl_s=settings.history_ttl_s, max_turns=settings.history_turns)
    queue = RedisWorkQueue(
        link,
        keys,
        policy=RetryPolicy(concurrency=settings.concurrency, most_waiting=settings.most_waiting),
        receipt_ttl_s=posts_ttl_s,
    )
    return State(link, threads, queue, keys, Pseudonyms(link, keys))


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
        if state is not None:
            ports = replace(ports, go_on=state.queue.pace.go_on)
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
    from bot.adapters.files.corrections import FILE, CorrectionFile, FileCorrections
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
