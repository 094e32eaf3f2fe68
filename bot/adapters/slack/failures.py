"""Slack's errors turned into ours at the call, cause kept."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import aiohttp
from slack_sdk import errors as sdk

from bot.errors import PlatformError, PlatformUnavailable, ReplyRejected

# Answers that change by themselves or by an operator's hand: the reply is kept and tried again.
PASSING = frozenset(
    {
        "ratelimited", "rate_limited", "internal_error", "fatal_error", "service_unavailable", "request_timeout",
        "team_added_to_org", "invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired",
        "two_factor_setup_required", "accesslimited", "org_login_required", "ekm_access_denied",
    }
)  # fmt: skip

# Slack does not take the blocks: the same words in sections, or at last as plain text, are better than silence.
BLOCKS_REFUSED = frozenset(
    {
        "invalid_blocks", "invalid_blocks_format", "block_mismatch", "invalid_metadata_format", "msg_blocks_too_long",
        "invalid_arguments",
    }
)  # fmt: skip

# Nobody may post in this thread or channel: the asker alone can still be told.
ONLY_PRIVATELY = frozenset(
    {
        "cannot_reply_to_message", "thread_locked", "restricted_action", "restricted_action_read_only_channel",
        "restricted_action_thread_locked", "restricted_action_thread_only_channel",
        "restricted_action_non_threadable_channel", "message_limit_exceeded",
    }
)  # fmt: skip

# What a whole class means; SlackApiError is judged by its answer.
_PASSING_CLASSES = (sdk.SlackClientNotConnectedError, sdk.SlackTokenRotationError)
_FINAL_CLASSES = (
    sdk.BotUserAccessError,
    sdk.SlackRequestError,
    sdk.SlackObjectFormationError,
    sdk.SlackClientConfigurationError,
)
CLASSES: tuple[type[Exception], ...] = (*_PASSING_CLASSES, *_FINAL_CLASSES, sdk.SlackApiError)


class SlackRefused(ReplyRejected):
    """Slack's final no; `code` is its short word for why."""

    def __init__(self, code: str) -> None:
        """Keep the word: callers fall back on some of them."""
        super().__init__(f"Slack refused: {code}")
        self.code = code


@contextmanager
def slack_errors() -> Iterator[None]:
    """Turn what slack_sdk and its transport raise into `PlatformUnavailable` or `SlackRefused`."""
    try:
        yield
    except (sdk.SlackClientError, aiohttp.ClientError, TimeoutError, OSError) as error:
        raise translated(error) from error


def translated(error: Exception) -> PlatformError:
    """Give our error for one of slack_sdk's or its transport's; texts of the vendor, which may hold a body, stay out."""
    if isinstance(error, sdk.SlackApiError):
        return _api_error(error)
    if isinstance(error, _PASSING_CLASSES) or not isinstance(error, sdk.SlackClientError):
        return PlatformUnavailable(f"Slack is out of reach: {type(error).__name__}")
    return SlackRefused(type(error).__name__)


def _api_error(error: sdk.SlackApiError) -> PlatformError:
    response = error.response
    status = int(getattr(response, "status_code", None) or getattr(response, "status", None) or 200)
    code = _code(response)
    if status == 429 or status >= 500 or code in PASSING or (not code and status < 400):
        return PlatformUnavailable(f"Slack answered {status} {code}".rstrip(), retry_after_s=_retry_after(response))
    return SlackRefused(code or f"http_{status}")


def _code(response: object) -> str:
    data = getattr(response, "data", response)
    return str(data.get("error") or "") if isinstance(data, Mapping) else ""


def _retry_after(response: object) -> float | None:
    headers = getattr(response, "headers", None) or {}
    value = str(headers.get("Retry-After") or headers.get("retry-after") or "")
    return float(value) if value.isdecimal() and value.isascii() else None
