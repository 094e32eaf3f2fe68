"""Every public error of the SDK and of its HTTP stack becomes one of ours."""

import inspect
import json
from collections.abc import Callable

import anthropic
import httpx2
import pytest

from bot.adapters.model.errors import as_ours, is_passing, retry_after_s, vendor_errors
from bot.errors import ChatModelOutputInvalid, ChatModelRejected, ChatModelUnavailable

REQUEST = httpx2.Request("POST", "http://127.0.0.1/v1/messages")
OURS = (ChatModelOutputInvalid, ChatModelRejected, ChatModelUnavailable)


def errors_of(module: object, names: list[str]) -> list[type[Exception]]:
    found = (getattr(module, name, None) for name in names)
    return list({c: None for c in found if inspect.isclass(c) and issubclass(c, Exception)})


ANTHROPIC = errors_of(anthropic, list(anthropic.__all__))
HTTPX2 = errors_of(httpx2, dir(httpx2))


def made(kind: type[Exception], status: int = 418, headers: dict[str, str] | None = None) -> Exception:
    """Build a vendor error the way the vendor does."""
    if issubclass(kind, anthropic.APIStatusError):
        code = getattr(kind, "status_code", None) or status
        response = httpx2.Response(code, request=REQUEST, headers=headers or {})
        return kind("secret words", response=response, body={"error": {"message": "secret words"}})
    forms: list[Callable[[], Exception]] = [
        lambda: kind(httpx2.Response(200, request=REQUEST), None),
        lambda: kind(REQUEST),
        lambda: kind(message="secret words", request=REQUEST),
        lambda: kind("secret words", REQUEST, body=None),
        lambda: kind("secret words", request=REQUEST, response=httpx2.Response(500, request=REQUEST)),
        lambda: kind("secret words"),
        kind,
    ]
    takes = [
        issubclass(kind, anthropic.APIResponseValidationError),
        issubclass(kind, anthropic.APITimeoutError),
        issubclass(kind, anthropic.APIConnectionError),
        issubclass(kind, anthropic.APIError),
        issubclass(kind, httpx2.HTTPStatusError),
        kind not in (httpx2.StreamConsumed, httpx2.StreamClosed, httpx2.ResponseNotRead, httpx2.RequestNotRead),
        True,
    ]
    return forms[takes.index(True)]()


@pytest.mark.parametrize("kind", ANTHROPIC + HTTPX2, ids=lambda kind: f"{kind.__module__}.{kind.__name__}")
def test_every_public_error_is_caught_and_mapped(kind: type[Exception]) -> None:
    """Each class is among those caught, maps to one of ours, and none of its words are passed on."""
    if issubclass(kind, Warning):
        pytest.skip("a warning, not an error")
    assert issubclass(kind, vendor_errors())
    ours = as_ours(made(kind))
    assert isinstance(ours, OURS)
    assert "secret words" not in str(ours)


def test_the_walk_sees_the_classes() -> None:
    """The lists that the walk rests on are not empty by accident."""
    assert len(ANTHROPIC) > 35
    assert len(HTTPX2) > 20


@pytest.mark.parametrize(
    ("kind", "ours", "passing"),
    [
        (anthropic.RateLimitError, ChatModelUnavailable, True),
        (anthropic.OverloadedError, ChatModelUnavailable, True),
        (anthropic.GatewayTimeoutError, ChatModelUnavailable, True),
        (anthropic.AuthenticationError, ChatModelRejected, False),
        (anthropic.PaymentRequiredError, ChatModelRejected, False),
        (anthropic.EnforcedSpendLimitReachedError, ChatModelRejected, False),
        (anthropic.ContentTooLargeError, ChatModelRejected, False),
        (anthropic.APITimeoutError, ChatModelUnavailable, True),
        (httpx2.RemoteProtocolError, ChatModelUnavailable, True),
        (httpx2.UnsupportedProtocol, ChatModelRejected, False),
        (httpx2.DecodingError, ChatModelOutputInvalid, False),
    ],
)
def test_what_may_be_sent_again(kind: type[Exception], ours: type[Exception], passing: bool) -> None:
    """Faults of server and network pass; key, credit, size and unreadable answers do not."""
    assert type(as_ours(made(kind))) is ours
    assert is_passing(made(kind)) is passing


def test_broken_json_is_unreadable() -> None:
    """The decoder's error is a `ValueError` and means an answer that cannot be read."""
    with pytest.raises(vendor_errors()) as caught:
        json.loads("{")
    assert isinstance(as_ours(caught.value), ChatModelOutputInvalid)


def test_error_event_with_status_200_is_an_outage() -> None:
    """The SDK reports an error event as a status error with 200."""
    assert isinstance(as_ours(made(anthropic.APIStatusError, 200)), ChatModelUnavailable)


@pytest.mark.parametrize(
    ("value", "seconds"), [("16", 16.0), ("0.5", 0.5), ("-3", None), ("inf", None), ("soon", None), ("nan", None)]
)
def test_retry_after(value: str, seconds: float | None) -> None:
    """Seconds are read, anything else is not."""
    assert retry_after_s(made(anthropic.RateLimitError, headers={"retry-after": value})) == seconds
    assert retry_after_s(ValueError()) is None
