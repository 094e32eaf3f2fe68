"""Turns what the Anthropic SDK and its HTTP stack raise into our errors, and says what may be sent again.

Mid-answer faults are not API errors there: a dropped connection is an `httpx2` error and a broken body a `ValueError`.
No vendor message is passed on: it may repeat parts of the request.
"""

import re
from typing import Final

from bot.errors import ChatModelError, ChatModelOutputInvalid, ChatModelRejected, ChatModelUnavailable

# https://platform.claude.com/docs/en/api/errors; 499 and 408 are a connection that somebody on the way gave up on.
_PASSING: Final = frozenset({408, 409, 425, 429, 499})
# The SDK reports an error inside a successful answer as a status error with the status of that answer.
_ERROR_EVENT: Final = 200


def vendor_errors() -> tuple[type[Exception], ...]:
    """Give the classes to catch around a call of the SDK; imports the SDK."""
    import anthropic
    import httpx2

    return (
        anthropic.AnthropicError,
        httpx2.HTTPError,
        httpx2.InvalidURL,
        httpx2.CookieConflict,
        httpx2.StreamError,
        ValueError,
    )


def as_ours(error: Exception) -> ChatModelError:
    """Give our error for one of `vendor_errors`; the caller raises it `from` the vendor's."""
    import anthropic
    import httpx2

    if isinstance(error, anthropic.APIStatusError):
        return _of_status(error)
    if isinstance(error, anthropic.CredentialsError):
        return ChatModelRejected("the credentials for the model cannot be read")
    if isinstance(error, httpx2.InvalidURL | httpx2.UnsupportedProtocol):
        return ChatModelRejected("the base URL of the model is no valid HTTP address")
    if isinstance(error, anthropic.APIConnectionError | anthropic.RetryableError | httpx2.TransportError):
        return ChatModelUnavailable(f"the model is out of reach: {type(error).__name__}")
    return ChatModelOutputInvalid(f"the model's answer cannot be read: {type(error).__name__}")


def is_passing(error: Exception) -> bool:
    """Say whether the same request may be sent again: the fault is the server's or the network's, and no limit of money."""
    return isinstance(as_ours(error), ChatModelUnavailable)


def retry_after_s(error: Exception) -> float | None:
    """Give the seconds that the server asked us to wait, None when it did not say or said it as a date."""
    response = getattr(error, "response", None)
    value = getattr(response, "headers", {}).get("retry-after", "")
    return float(value) if re.fullmatch(r"\d{1,9}(?:\.\d{1,9})?", value) else None


def _of_status(error: Exception) -> ChatModelError:
    import anthropic

    status = getattr(error, "status_code", 0)
    spent = anthropic.ContractSpendLimitReachedError | anthropic.EnforcedSpendLimitReachedError
    if isinstance(error, spent):
        return ChatModelRejected("the spend limit of the model account is reached", status=status)
    if status in _PASSING or status >= 500 or status == _ERROR_EVENT:
        return ChatModelUnavailable(f"the model's server answered {status}")
    return ChatModelRejected(f"the model's server refused the request with {status}", status=status)
