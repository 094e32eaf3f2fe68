"""Taking back what rests on a source: posts corrected or deleted, kept turns cleaned; and the same when the index loses a source."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

import structlog

from bot.audit import AuditTrail
from bot.bootstrap.forgetting import open_removers
from bot.bootstrap.index_parts import private_folder
from bot.bootstrap.parts import State, open_state
from bot.errors import PlatformError, StateUnavailable
from bot.lead.receipts import PostEditor, Receipt
from bot.texts import say
from config.settings import Settings
from retrieval.redaction import RedactedText

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class RecallWanted:
    """Which source is taken back; posts are corrected, deleted, or only listed."""

    document: str
    deletes: bool = False
    is_dry: bool = False


@dataclass(frozen=True, slots=True)
class RecalledPost:
    """One post of the bot; `done` is None when it was only listed."""

    receipt: Receipt
    done: bool | None = None


@dataclass(frozen=True, slots=True)
class RecallResult:
    """What was done: posts, and what was changed in Redis, by kind."""

    posts: tuple[RecalledPost, ...]
    counts: Mapping[str, int]
    problems: tuple[str, ...] = field(default=())

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left to do."""
        return all(post.done is not False for post in self.posts)


async def recall(settings: Settings, wanted: RecallWanted, trail: AuditTrail) -> RecallResult:
    """Take back every post that cites a document, and take it out of kept turns.

    Raises:
        StateUnavailable: Redis is out of reach; nothing was done.
    """
    from bot.adapters.store.withdrawing import RedisSourceWithdrawals

    async with open_state(settings.server, private_folder(settings.retrieval)) as state:
        await state.link.ping()
        withdrawals = RedisSourceWithdrawals(state.link, state.keys)
        receipts = await withdrawals.receipts(wanted.document)
        if wanted.is_dry:
            return RecallResult(tuple(RecalledPost(receipt) for receipt in receipts), {})
        counts = await withdrawals.withdraw([wanted.document])
        problems: list[str] = []
        posts = []
        async with open_removers(settings) as editors:
            for receipt in receipts:
                editor = editors.get(receipt.thread.platform)
                is_done = await _is_taken_back(editor, receipt, wanted, problems)
                posts.append(RecalledPost(receipt, is_done))
                if is_done and wanted.deletes:
                    await withdrawals.drop_receipt(receipt)
                elif is_done:
                    left = tuple(name for name in receipt.cited if name != wanted.document)
                    await withdrawals.keep_receipt(replace(receipt, cited=left))
    result = RecallResult(tuple(posts), counts, tuple(dict.fromkeys(problems)))
    done = sum(post.done is True for post in posts)
    trail.write("recalled", document=wanted.document, posts=len(posts), done=done, deleted=wanted.deletes)
    return result


async def _is_taken_back(
    editor: PostEditor | None, receipt: Receipt, wanted: RecallWanted, problems: list[str]
) -> bool:
    if editor is None:
        problems.append(f"no token to change posts on {receipt.thread.platform}")
        return False
    try:
        if wanted.deletes:
            await editor.remove(receipt)
        else:
            text = say("recalled", receipt.language or "en", id=RedactedText.stored(wanted.document))
            await editor.correct(receipt, text)
    except PlatformError as error:
        problems.append(str(error))
        return False
    return True


async def withdraw_sources(state: State, ids: Collection[str]) -> Mapping[str, int]:
    """Take sources that the index has lost out of everything that is kept of answers; without Redis that is only logged."""
    from bot.adapters.store.withdrawing import RedisSourceWithdrawals

    try:
        counts = await RedisSourceWithdrawals(state.link, state.keys).withdraw(ids)
    except StateUnavailable as error:
        _log.warning("withdrawn sources are still in kept turns", error=type(error).__name__, sources=len(ids))
        return {}
    _log.info("sources withdrawn", sources=len(ids), **counts)
    return counts


async def withdraw_removed(settings: Settings, ids: Collection[str]) -> Mapping[str, int]:
    """Do the same for a command that has taken sources out of the index; where no Redis has ever been there is nothing to do."""
    data_dir = private_folder(settings.retrieval)
    if not ids or (settings.server.redis_url is None and not (data_dir / "redis").is_dir()):
        return {}
    async with open_state(settings.server, data_dir) as state:
        return await withdraw_sources(state, ids)
