"""The HTTP API: bearer token first, then size, then form; labels bound what is seen."""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from bot.adapters.web.api import ApiAccess, ApiCaller, build_api
from bot.adapters.web.listeners import private_application
from bot.messages import AcceptedMessage
from bot.questions.admission import Verdict
from retrieval.redaction import Redactor
from tests.bot.adapters.web_fakes import EchoFlow, TwoSources
from tests.fakes import FixedClock
from tests.web_server import serving

TOKEN = {"Authorization": "Bearer the-token"}


@dataclass
class Api:
    """The API with what stands behind it."""

    client: httpx.AsyncClient
    flow: EchoFlow
    source: TwoSources

    async def post(self, path: str, body: Any, headers: dict[str, str] | None = None) -> httpx.Response:
        """Post JSON, or raw bytes, with the token unless told otherwise."""
        content = body if isinstance(body, bytes) else json.dumps(body)
        return await self.client.post(path, content=content, headers=TOKEN if headers is None else headers)


async def _api(token: str) -> AsyncIterator[Api]:
    flow, source = EchoFlow(), TwoSources()
    access = ApiAccess(token, frozenset({"public", "billing"}))
    router = build_api(flow.answer, source, access=access, redactor=Redactor(), clock=FixedClock(1000.0))
    async with serving(private_application([router])) as client:
        yield Api(client, flow, source)


@pytest.fixture
async def api() -> AsyncIterator[Api]:
    """Serve the API with a token."""
    async for built in _api("the-token"):
        yield built


@pytest.fixture
async def tokenless_api() -> AsyncIterator[Api]:
    """Serve the API of an operator who set no token."""
    async for built in _api(""):
        yield built


async def test_ask_gives_the_answer_object(api: Api) -> None:
    """The whole object of the contract comes back, and the flow got redacted text with the token's labels."""
    response = await api.post("api/v1/ask", {"question": "mail pat.doe@customer.example", "thread": "t1"})
    assert response.status_code == 200
    body = response.json()
    assert body["text"] == "mail [EMAIL] [1]"
    assert body["citations"][0]["id"] == "kb-101/ä"
    assert set(body) >= {"outcome", "hits", "gate", "usage", "timings_ms", "provenance", "nearest", "triage"}
    assert api.flow.messages[0].audience == ("billing", "public")


async def test_a_thread_is_kept_and_an_unnamed_one_is_fresh(api: Api) -> None:
    """The same thread name is the same thread; without one every question stands alone."""
    for thread in ("t1", "t1", None, None):
        await api.post("api/v1/ask", {"question": "x"} | ({"thread": thread} if thread else {}))
    first, second, third, fourth = (m.thread.thread_id for m in api.flow.messages)
    assert first == second
    assert len({first, third, fourth}) == 3


@pytest.mark.parametrize("path", ["api/v1/ask", "api/v1/search"])
@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer wrong"},
        {"Authorization": "Bearer"},
        {"Authorization": "Basic the-token"},
        {"Authorization": "Bearer the-token-and-more"},
        {"Authorization": "Bearer th\u00e9"},
    ],
)
async def test_a_wrong_token_gets_401_before_the_body_is_read(api: Api, path: str, headers: dict[str, str]) -> None:
    """Nothing is parsed for a stranger."""
    encoded = {name: value.encode("latin-1") for name, value in headers.items()}
    response = await api.client.post(path, content=b"{", headers=encoded)
    assert response.status_code == 401
    assert response.headers["www-authenticate"] == "Bearer"


async def test_without_a_token_set_every_call_is_refused(tokenless_api: Api) -> None:
    """No token means no API, not an open one."""
    for headers in ({}, {"Authorization": "Bearer x"}, TOKEN):
        assert (await tokenless_api.post("api/v1/ask", {"question": "x"}, headers)).status_code == 401


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 422),
        (b"{", 422),
        (b"[1]", 422),
        (b"\xff", 422),
        (b"[" * 50_000, 422),
        ({}, 422),
        ({"question": ""}, 422),
        ({"question": 7}, 422),
        ({"question": "x", "thread": ""}, 422),
        ({"question": "x", "audience": "public"}, 422),
        ({"question": "x", "unknown": 1}, 422),
        ({"question": "я" * 9_000}, 413),
        ({"question": "x" * 50_000}, 413),
        (b'"' + b"x" * 100_000, 413),
    ],
)
async def test_bodies_that_do_not_fit_are_named(api: Api, body: Any, status: int) -> None:
    """Malformed is 422, too large is 413, and nothing is a fault."""
    response = await api.post("api/v1/ask", body)
    assert response.status_code == status
    assert response.json()["detail"]
    assert api.flow.messages == []


@pytest.mark.parametrize("body", [b"[1]", b'"x"', b"7", b"null"])
async def test_a_body_that_is_no_object_is_told_in_words_of_json(api: Api, body: bytes) -> None:
    """Not in those of a program; at both addresses."""
    for path in ("api/v1/ask", "api/v1/search"):
        response = await api.post(path, body)
        assert (response.status_code, response.json()["detail"]) == (422, "body: must be a JSON object")


async def test_text_over_the_limit_is_cut_and_marked(api: Api) -> None:
    """Up to 16 KB are taken, 4 000 characters are read, and the message says so."""
    assert (await api.post("api/v1/ask", {"question": "word " * 1_000})).status_code == 200
    assert api.flow.messages[0].is_truncated


async def test_a_lone_surrogate_is_no_fault(api: Api) -> None:
    """JSON can carry half a character; it is refused as malformed."""
    assert (await api.post("api/v1/ask", b'{"question": "a\\ud800b"}')).status_code == 422


async def test_a_caller_narrows_its_labels_and_never_widens_them(api: Api) -> None:
    """Asking for labels that the token lacks gives none of them."""
    await api.post("api/v1/search", {"query": "x", "audience": ["public", "internal"]})
    await api.post("api/v1/search", {"query": "x", "audience": []})
    assert api.source.audiences == [frozenset({"public"}), frozenset()]


async def test_search_gives_hits_with_both_scores(api: Api) -> None:
    """A search has the query, the cut and the scores."""
    body = (await api.post("api/v1/search", {"query": "reset pat.doe@customer.example", "top_k": 3})).json()
    assert body["query"] == "reset [EMAIL]"
    assert (body["cut"], body["hits"][0]["bm25"], body["hits"][0]["cosine"]) == (0.3, 7.25, 0.861)
    assert body["hits"][0]["used"] is True


async def test_unavailable_is_503_with_retry_after(api: Api) -> None:
    """A caller is told when to come back, by both calls."""
    asked = await api.post("api/v1/ask", {"question": "unavailable"})
    api.source.is_away = True
    searched = await api.post("api/v1/search", {"query": "x"})
    for response in (asked, searched):
        assert response.status_code == 503
        assert int(response.headers["retry-after"]) > 0
    assert asked.json()["outcome"] == "unavailable"


class _Verdicts:
    """Limits that say what they were told, one after the other."""

    def __init__(self, *verdicts: Verdict) -> None:
        self.verdicts = list(verdicts)
        self.seen: list[AcceptedMessage] = []

    async def judge(self, message: AcceptedMessage) -> Verdict:
        """Say the next one."""
        self.seen.append(message)
        return self.verdicts.pop(0)


async def test_a_token_over_its_limit_gets_429() -> None:
    """The answer object with the refusal, and when to come back; a search is refused too."""
    flow, limits = EchoFlow(), _Verdicts(Verdict.WELCOME, Verdict.REFUSED, Verdict.SILENT, Verdict.SILENT)
    access = ApiAccess("the-token", frozenset({"public"}))
    router = build_api(
        flow.answer, TwoSources(), access=access, redactor=Redactor(), clock=FixedClock(1000.0), limits=limits
    )
    async with serving(private_application([router])) as client:
        asked = [await client.post("api/v1/ask", json={"question": "why?"}, headers=TOKEN) for _ in range(3)]
        searched = await client.post("api/v1/search", json={"query": "why?"}, headers=TOKEN)
    assert [r.status_code for r in (*asked, searched)] == [200, 429, 429, 429]
    assert {r.headers.get("retry-after") for r in (*asked[1:], searched)} == {"60"}
    assert "outcome" in asked[1].json()
    assert [m.refusal for m in flow.messages] == ["", "over_limit", "over_limit"]
    assert {m.user_id for m in limits.seen} == {"default"}


async def test_each_token_has_its_labels_and_its_threads() -> None:
    """Callers see the labels of their tokens; the same thread name with another token is another thread."""
    flow = EchoFlow()
    others = {"crm-token": ApiCaller("crm", frozenset({"public", "billing"}))}
    router = build_api(
        flow.answer,
        TwoSources(),
        access=ApiAccess("the-token", frozenset({"public"}), others),
        redactor=Redactor(),
        clock=FixedClock(1000.0),
    )
    async with serving(private_application([router])) as client:
        codes = [
            (await client.post("api/v1/ask", json={"question": "why?", "thread": "t1"}, headers=headers)).status_code
            for headers in (TOKEN, {"Authorization": "Bearer crm-token"}, {"Authorization": "Bearer crm-toke"})
        ]
    assert codes == [200, 200, 401]
    assert [m.audience for m in flow.messages] == [("public",), ("billing", "public")]
    assert len({m.thread.key for m in flow.messages}) == 2
