"""Forgetting somebody or something everywhere: index, caches, Redis, its files, and the bot's own posts."""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from bot.adapters.store.forgetting import RedisForgetting
from bot.adapters.store.server_files import rewrite_files
from bot.audit import AuditTrail
from bot.bootstrap.corrections import forget_corrections
from bot.bootstrap.index_parts import index_tools, known_documents, private_folder
from bot.bootstrap.parts import State, open_state
from bot.bootstrap.platforms import teams_tokens
from bot.errors import PlatformError
from bot.lead.forgetting import SubjectKind
from bot.lead.receipts import PostEditor, PostRemover, Receipt
from bot.messages import Platform
from config.settings import Settings
from retrieval.errors import IndexMissing

# Running bots look for a newer index every two seconds and need about one to open it. What they answered from the old
# one until then is swept up afterwards.
TAKEN_AFTER_S = 4.0


@dataclass(frozen=True, slots=True)
class Wanted:
    """Who or what is to be forgotten; `deletes_posts` also deletes what the bot posted."""

    kind: SubjectKind
    id: str
    deletes_posts: bool = False
    index_dir: Path | None = None


@dataclass(frozen=True, slots=True)
class PostFate:
    """One post of the bot; `deleted` is None when it was only listed."""

    receipt: Receipt
    deleted: bool | None = None


@dataclass(frozen=True, slots=True)
class ForgetResult:
    """What was done. `files` says what became of the server's files: `rewritten`, `none` or `refused`."""

    counts: Mapping[str, int]
    files: str
    posts: tuple[PostFate, ...] = ()
    documents: tuple[str, ...] = ()
    older_generations: int = 0
    vectors: int = 0
    seconds: float = 0.0
    problems: tuple[str, ...] = field(default=())

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left to do."""
        return self.files != "refused" and not self.problems and all(post.deleted is not False for post in self.posts)


async def forget(settings: Settings, wanted: Wanted, trail: AuditTrail) -> ForgetResult:
    """Forget everywhere.

    Raises:
        StateUnavailable: Redis is out of reach; nothing was done.
        IndexBusy, IndexDamaged, IndexMismatch: the index cannot be made anew; nothing was done.
        ModelMissing: nor can it without its model.
    """
    begun = time.monotonic()
    data_dir = private_folder(settings.retrieval)
    async with open_state(settings.server, data_dir) as state:
        await state.link.ping()
        result = await _forget(settings, wanted, state)
    result = replace(result, seconds=round(time.monotonic() - begun, 1))
    _write_down(result, wanted, trail)
    return result


async def _forget(settings: Settings, wanted: Wanted, state: State) -> ForgetResult:
    forgetting = RedisForgetting(state.link, state.keys, state.people)
    subject = await forgetting.subject(wanted.kind, wanted.id)
    await forgetting.mark(subject)
    documents: tuple[str, ...] = ()
    older = vectors = 0
    if wanted.kind is SubjectKind.DOCUMENT:
        documents, older, vectors = await asyncio.to_thread(_forget_document, settings, wanted)
        await asyncio.sleep(TAKEN_AFTER_S if documents else 0)
    found = await forgetting.forget(subject)
    if corrections := await asyncio.to_thread(forget_corrections, settings.retrieval, subject):
        found.add("corrections", corrections)
    posts, problems = await _posts(settings, wanted, found.receipts)
    await forgetting.drop_receipts([post.receipt for post in posts if post.deleted])
    files = await rewrite_files(state.link)
    return ForgetResult(found.counts, files, posts, documents, older, vectors, problems=problems)


def _forget_document(settings: Settings, wanted: Wanted) -> tuple[tuple[str, ...], int, int]:
    from retrieval.index import forget_documents, read_manifest

    folder = wanted.index_dir or settings.retrieval.index_dir
    try:
        read_manifest(folder)  # without an index there is no need to wait for the model
    except IndexMissing:
        known_documents(settings.retrieval).forget([wanted.id])
        return (), 0, 0
    tools = index_tools(settings.retrieval)
    report = forget_documents(folder, [wanted.id], tools)
    return report.found, report.older_generations, tools.cache.forget(report.texts) if report.texts else 0


async def _posts(
    settings: Settings, wanted: Wanted, receipts: list[Receipt]
) -> tuple[tuple[PostFate, ...], tuple[str, ...]]:
    listed = sorted(receipts, key=lambda receipt: receipt.at)
    if not wanted.deletes_posts or not listed:
        return tuple(PostFate(receipt) for receipt in listed), ()
    problems: list[str] = []
    fates = []
    async with open_removers(settings) as removers:
        for receipt in listed:
            remover = removers.get(receipt.thread.platform)
            fates.append(PostFate(receipt, await _is_removed(remover, receipt, problems)))
    return tuple(fates), tuple(dict.fromkeys(problems))


async def _is_removed(remover: PostRemover | None, receipt: Receipt, problems: list[str]) -> bool:
    if remover is None:
        problems.append(f"no token to delete posts on {receipt.thread.platform}")
        return False
    try:
        await remover.remove(receipt)
    except PlatformError as error:
        problems.append(str(error))
        return False
    return True


@asynccontextmanager
async def open_removers(settings: Settings) -> AsyncIterator[dict[Platform, PostEditor]]:
    """Open what deletes and corrects posts on each platform whose tokens are set."""
    async with AsyncExitStack() as stack:
        removers: dict[Platform, PostEditor] = {}
        if settings.slack.bot_token is not None:
            from bot.adapters.slack import SlackRemover, build_client

            slack = settings.slack
            removers[Platform.SLACK] = SlackRemover(
                build_client(settings.slack.bot_token.get_secret_value(), base_url=slack.api_base_url)
            )
        if settings.teams.client_id and settings.teams.client_secret is not None:
            from bot.adapters.teams import TeamsPoster

            poster = TeamsPoster(teams_tokens(settings.teams))
            stack.push_async_callback(poster.close)
            removers[Platform.TEAMS] = poster
        yield removers


def _write_down(result: ForgetResult, wanted: Wanted, trail: AuditTrail) -> None:
    counts = [f"{kind}={count}" for kind, count in sorted(result.counts.items())]
    deleted = sum(post.deleted is True for post in result.posts)
    subject = None if wanted.kind is SubjectKind.USER else wanted.id
    trail.write(
        "forgotten", kind=str(wanted.kind), subject=subject, counts=counts, documents=list(result.documents),
        posts=len(result.posts), posts_deleted=deleted, files=result.files,
    )  # fmt: skip
