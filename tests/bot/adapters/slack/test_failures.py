"""Every error class of the vendor has its meaning here."""

import inspect

import aiohttp
import pytest
from slack_sdk import errors as sdk

from bot.adapters.slack.failures import CLASSES, slack_errors, translated
from bot.errors import PlatformError, PlatformUnavailable, ReplyRejected


def _public_errors() -> list[type[Exception]]:
    return [c for _, c in inspect.getmembers(sdk, inspect.isclass) if issubclass(c, Exception)]


def test_every_vendor_class_is_mapped() -> None:
    """A new error class of slack_sdk fails here until somebody decides what it means."""
    assert set(_public_errors()) - {sdk.SlackClientError} == set(CLASSES)


@pytest.mark.parametrize("cls", [c for c in CLASSES if c is not sdk.SlackApiError])
def test_each_class_becomes_ours(cls: type[Exception]) -> None:
    """Each class turns into one of our two errors, without the vendor's words."""
    error = cls.__new__(cls)
    error.args = ("secret-word",)
    ours = translated(error)
    assert isinstance(ours, PlatformUnavailable | ReplyRejected)
    assert "secret-word" not in str(ours)


@pytest.mark.parametrize(
    "error", [aiohttp.ClientConnectionError(), TimeoutError(), OSError("x"), aiohttp.ClientPayloadError()]
)
def test_transport_failures_pass(error: Exception) -> None:
    """No connection, a time-out and a cut answer may be tried again; the cause is kept."""
    with pytest.raises(PlatformUnavailable) as caught, slack_errors():
        raise error
    assert caught.value.__cause__ is error


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        ({"ok": False, "error": "channel_not_found"}, ReplyRejected),
        ({"ok": False, "error": "ratelimited"}, PlatformUnavailable),
        ({}, PlatformUnavailable),
        (type("Raw", (), {"status": 502, "headers": {"Retry-After": "soon"}})(), PlatformUnavailable),
    ],
)
def test_answers_are_judged_by_word_and_status(response: object, expected: type[PlatformError]) -> None:
    """Also an answer without status or without a word, as slack_sdk raises for unreadable bodies, is understood."""
    ours = translated(sdk.SlackApiError("secret-word", response))
    assert type(ours).__mro__.count(expected)
    assert "secret-word" not in str(ours)
    assert getattr(ours, "retry_after_s", None) is None
