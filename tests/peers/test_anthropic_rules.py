"""The peer refuses what version 2026-10-21 of the API refuses; without this, tests against it would prove nothing."""

import copy
from typing import Any

import pytest

from bot.adapters.model.request import ModelCall, cited_sources, history, sources_of
from tests.bot.adapters.model.chat_samples import PASSAGES, turn
from tests.peers.anthropic_rules import VERSION, Refused, check_api, check_key, check_ollama

HEADERS = {"anthropic-version": VERSION}
CITED = ModelCall(
    "claude-opus-5",
    "Rules",
    "Answer.",
    [*history((turn(),)), *cited_sources("How?", sources_of(PASSAGES))],
    100,
    is_cited=True,
).parameters(is_full_api=True)
PLAIN: dict[str, Any] = {"model": "m", "max_tokens": 10, "messages": [{"role": "user", "content": "Hi"}]}
TEXT = {"type": "text", "text": "x"}


def changed(**changes: Any) -> dict[str, Any]:
    return {**copy.deepcopy(PLAIN), **changes}


def with_results(change: Any) -> dict[str, Any]:
    """The cited request with its list of search results changed."""
    body = copy.deepcopy(CITED)
    change(body["messages"][-1]["content"][0]["content"])
    return body


def test_what_we_send_is_allowed() -> None:
    """A cited and a plain request pass."""
    check_api(HEADERS, CITED)
    check_api(HEADERS, PLAIN)
    check_ollama(PLAIN)


@pytest.mark.parametrize(
    "body",
    [
        changed(temperature=1.0), changed(top_p=0.9), changed(top_k=5), changed(wish="x"), changed(model=""),
        changed(max_tokens=0), changed(messages=[]), changed(messages=[{"role": "assistant", "content": "Hi"}]),
        changed(messages=[{"role": "user", "content": "a"}, {"role": "user", "content": "b"}]),
        changed(messages=[{"role": "user", "content": " "}]), changed(messages=[{"role": "user", "content": []}]),
        changed(system=""), changed(system=[{"type": "text", "text": ""}]), changed(tool_choice={"type": "none"}),
        changed(messages=[{"role": "user", "content": [{**TEXT, "citations": [{"type": "char_location"}]}]}]),
        changed(messages=[{"role": "user", "content": "a"}, {"role": "assistant", "content": [{"type": "document"}]},
                          {"role": "user", "content": "b"}]),
        with_results(lambda results: results[0].update(citations={"enabled": False})),
        with_results(lambda results: results.append(TEXT)),
        with_results(lambda results: results[0].update(title="")),
        with_results(lambda results: results[0].update(content=[])),
        with_results(lambda results: results[0]["content"][0].update(text=" ")),
        with_results(lambda results: results[0]["content"][0].update(citations=[{}])),
        {**CITED, "output_config": {"format": {"type": "json_schema"}}},
        {key: value for key, value in CITED.items() if key not in ("tools", "tool_choice")},
        {**CITED, "messages": [*CITED["messages"][:-1], {"role": "user", "content": "no result"}]},
        {**CITED, "system": [{**TEXT, "cache_control": {}}] * 5},
    ],
)  # fmt: skip
def test_what_the_api_refuses(body: dict[str, Any]) -> None:
    """Each broken rule is refused with 400."""
    with pytest.raises(Refused) as caught:
        check_api(HEADERS, body)
    assert caught.value.status == 400


@pytest.mark.parametrize(
    "body",
    [
        CITED,
        changed(tools=[{"name": "a"}], tool_choice={"type": "auto"}),
        changed(system=[{**TEXT, "cache_control": {"type": "ephemeral"}}]),
        changed(messages=[{"role": "user", "content": [{**TEXT, "citations": []}]}]),
        changed(messages=[{"role": "user", "content": [{"type": "search_result"}]}]),
    ],
)
def test_what_ollama_refuses(body: dict[str, Any]) -> None:
    """Citations, search results, tool choice and cache marks are refused."""
    with pytest.raises(Refused):
        check_ollama(body)


def test_credentials_and_version() -> None:
    """Both headers carry the key, `x-api-key` first; another version is refused."""
    check_key({"Authorization": "Bearer k"}, "k")
    check_key({"x-api-key": "k", "Authorization": "Bearer other"}, "k")
    for headers in ({}, {"Authorization": "Bearer other"}, {"x-api-key": "other", "Authorization": "Bearer k"}):
        with pytest.raises(Refused) as caught:
            check_key(headers, "k")
        assert caught.value.status == 401
    with pytest.raises(Refused):
        check_api({"anthropic-version": "2023-06-01"}, PLAIN)
