"""What `triage doctor` looks at: each part is tried once, and what is wrong comes with what to do."""

import os
import stat
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.bootstrap.clock import SystemClock
from bot.bootstrap.index_parts import build_encoder, build_redactor
from bot.bootstrap.lead import lead_channel
from bot.bootstrap.model import build_model
from bot.bootstrap.platforms import slack_rules_of, teams_tokens
from bot.bootstrap.redis_checks import check_redis
from bot.bootstrap.setting_checks import idle_settings
from bot.bootstrap.slack_checks import check_slack
from bot.bootstrap.trust import audit_file
from bot.errors import BotError
from config.settings import ConfigError, Settings
from retrieval.errors import RetrievalError


@dataclass(frozen=True, slots=True)
class Finding:
    """One part: whether it works, what was seen, and what to do when it does not. Holds no secret.

    `is_warning`: it works, and something of what was seen wants to be changed.
    """

    part: str
    is_well: bool
    seen: str
    advice: str = ""
    is_warning: bool = False


async def check_all(settings: Settings, channels: Sequence[str] = ()) -> AsyncIterator[Finding]:
    """Try every part that the settings name; `channels` are further Slack channels that the bot should be in."""
    for seen, advice in idle_settings(settings):
        yield Finding("settings", False, seen, advice)
    yield _data_folder(settings)
    yield _audit(settings)
    yield _index(settings)
    async for part, is_well, seen, advice, is_warning in check_redis(settings):
        yield Finding(part, is_well, seen, advice, is_warning)
    if settings.model.is_enabled:
        advice = "check ANTHROPIC_API_KEY and ANTHROPIC_BASE_URL; until then answers are quoted"
        yield await _tried("chat model", _chat_model(settings), advice)
    else:
        yield Finding("chat model", True, "none: answers are quoted from the sources")
    if settings.slack.is_enabled:
        yield await _tried("slack", _slack(settings), "check SLACK_BOT_TOKEN and that the app is installed")
        if groups := _groups(settings):
            advice = (
                "check the ids of the groups, and that the app has the scope usergroups:read; until then nobody gets in"
            )
            yield await _tried("slack groups", _slack_groups(settings, groups), advice)
        async for part, is_well, seen, advice in check_slack(settings, channels):
            yield Finding(part, is_well, seen, advice)
    if settings.access.lead_channel:
        yield await _tried(
            "lead channel", lead_channel(settings), "check TRIAGE_LEAD_CHANNEL, and invite the bot there"
        )
    if settings.teams.is_enabled:
        yield await _tried("teams", _teams(settings), "check CLIENT_ID, CLIENT_SECRET and TENANT_ID")


async def _tried(part: str, attempt: Callable[[], Awaitable[str]], advice: str) -> Finding:
    try:
        return Finding(part, True, await attempt())
    except (BotError, RetrievalError, ConfigError) as error:
        return Finding(part, False, str(error), advice)


def without_user(url: str) -> str:
    """Give an address without the user and the password that may stand in it."""
    head, at, rest = url.rpartition("@")
    return f"{head.partition('//')[0]}//{rest}" if at else url


def _data_folder(settings: Settings) -> Finding:
    folder = settings.retrieval.data_dir
    if fault := _unwritable(folder):
        advice = "set TRIAGE_DATA_DIR to a folder that this user can write"
        return Finding("data folder", False, f"{folder} cannot be used: {fault}", advice)
    if not folder.is_dir():
        return Finding("data folder", True, f"{folder} is made at the first start")
    mode = stat.S_IMODE(folder.stat().st_mode)
    if mode & 0o077:
        return Finding("data folder", False, f"{folder} can be read by others", f"chmod 700 {folder}")
    return Finding("data folder", True, str(folder))


def _unwritable(folder: Path) -> str:
    """Say why a folder can be neither written nor made, empty when it can."""
    nearest = folder.absolute()
    while not os.path.lexists(nearest):
        nearest = nearest.parent
    if not nearest.is_dir():
        return f"{nearest} is no folder"
    return "" if os.access(nearest, os.W_OK | os.X_OK) else f"{nearest} cannot be written"


def _audit(settings: Settings) -> Finding:
    if settings.retention.audit != "file":
        return Finding("audit log", True, settings.retention.audit)
    folder = settings.retrieval.data_dir
    if not folder.is_dir():
        if fault := _unwritable(folder):
            return Finding("audit log", False, f"in {folder}, which cannot be made: {fault}", "see the data folder")
        return Finding("audit log", True, f"in {folder}, which is made at the first start")
    try:
        audit_file(settings.retention, folder).check()
    except OSError as error:
        return Finding(
            "audit log",
            False,
            f"{folder / 'audit.jsonl'}: {error.strerror}",
            "see who owns the file, or set TRIAGE_AUDIT",
        )
    return Finding("audit log", True, str(folder / "audit.jsonl"))


def _index(settings: Settings) -> Finding:
    from bot.bootstrap.index_age import outdated_note
    from retrieval.index import read_manifest, verify_files
    from retrieval.retriever import Retriever

    folder = settings.retrieval.index_dir
    try:
        manifest = read_manifest(folder)
        verify_files(folder, manifest.files)
        Retriever.open(folder, encoder=build_encoder(settings.retrieval)).close()
    except (RetrievalError, ConfigError) as error:
        return Finding("index", False, str(error), f"triage index PATH… --out {folder}")
    if note := outdated_note(folder, build_redactor(settings.retrieval)):
        return Finding("index", False, note, f"triage index PATH… --out {folder}")
    counts = manifest.counts
    held = ", ".join(
        f"{n} {what}" + "s" * (n != 1) for n, what in ((counts.documents, "document"), (counts.chunks, "chunk"))
    )
    seen = f"{held}, {counts.quarantined} quarantined, model {manifest.encoder}"
    return Finding("index", bool(counts.documents), seen, "" if counts.documents else "triage index PATH…")


def _chat_model(settings: Settings) -> Callable[[], Awaitable[str]]:
    async def attempt() -> str:
        model = build_model(settings.model, build_redactor(settings.retrieval))
        assert model is not None
        try:
            await model.ping()
        finally:
            await model.close()
        return without_user(settings.model.base_url) if settings.model.base_url else "the Anthropic API"

    return attempt


def _slack(settings: Settings) -> Callable[[], Awaitable[str]]:
    async def attempt() -> str:
        from bot.adapters.slack import build_client
        from bot.adapters.slack.identity import IdentityBook

        assert settings.slack.bot_token is not None
        client = build_client(settings.slack.bot_token.get_secret_value(), base_url=settings.slack.api_base_url)
        identity = await IdentityBook(client).ask()
        ways = [name for name, is_set in _slack_ways(settings) if is_set]
        return f"bot {identity.user_id} in workspace {identity.team_id}, by {' and '.join(ways)}"

    return attempt


def _groups(settings: Settings) -> tuple[str, ...]:
    return slack_rules_of(settings).all_groups


def _slack_groups(settings: Settings, groups: tuple[str, ...]) -> Callable[[], Awaitable[str]]:
    async def attempt() -> str:
        from bot.adapters.slack import build_client
        from bot.adapters.slack.lookups import SlackLookups

        assert settings.slack.bot_token is not None
        client = build_client(settings.slack.bot_token.get_secret_value(), base_url=settings.slack.api_base_url)
        lookups = SlackLookups(client, SystemClock())
        sizes = [len(await lookups.members(group)) for group in groups]
        return ", ".join(f"{group} has {size} members" for group, size in zip(groups, sizes, strict=True))

    return attempt


def _slack_ways(settings: Settings) -> tuple[tuple[str, bool], ...]:
    return ("Socket Mode", settings.slack.app_token is not None), (
        "signed HTTP",
        settings.slack.signing_secret is not None,
    )


def _teams(settings: Settings) -> Callable[[], Awaitable[str]]:
    async def attempt() -> str:
        await teams_tokens(settings.teams).get_app_token()
        return f"bot {settings.teams.client_id} has a token"

    return attempt
