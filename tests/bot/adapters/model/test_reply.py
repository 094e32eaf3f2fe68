"""Reading replies whose shape cannot be trusted."""

import json
from typing import Any

import pytest

from bot.adapters.model.cost import TokenCounts
from bot.adapters.model.reply import BlockCitation, TextBlock, marked_text, read_reply
from bot.adapters.model.request import sources_of
from bot.errors import ChatModelOutputInvalid, ChatModelUnavailable
from bot.messages import SentenceRef
from tests.bot.adapters.model.chat_samples import PASSAGES

LOCATION = {
    "type": "search_result_location", "source": "kb-101", "search_result_index": 0, "start_block_index": 0, "end_block_index": 2,
}  # fmt: skip


def body(**changes: Any) -> bytes:
    given = {"type": "message", "model": "m", "content": [{"type": "text", "text": "Hi."}], "stop_reason": "end_turn"}
    return json.dumps(given | changes).encode()


@pytest.mark.parametrize(
    ("content", "texts"),
    [
        (None, []), ("text", []), ([], []), ([None, 3, {"type": "text"}], [""]), ([{"type": "text", "text": 7}], [""]),
        ([{"type": "thinking", "thinking": "x"}, {"type": "text", "text": "a"}, {"type": "later"}], ["a"]),
    ],
)  # fmt: skip
def test_odd_content(content: object, texts: list[str]) -> None:
    """Whatever stands in `content`, only the texts of text blocks are taken."""
    assert [block.text for block in read_reply(body(content=content)).blocks] == texts


@pytest.mark.parametrize(
    "citations",
    [
        None,
        "x",
        [3],
        [{"type": "char_location"}],
        [{**LOCATION, "start_block_index": None}],
        [{"type": LOCATION["type"]}],
    ],
)
def test_odd_citations(citations: object) -> None:
    """A citation that is not whole, or of another kind, is none."""
    content = [{"type": "text", "text": "a", "citations": citations}]
    assert read_reply(body(content=content)).blocks == (TextBlock("a"),)


def test_range_of_blocks_is_read() -> None:
    """A citation of two blocks names two sentences, one beyond the end only those that exist."""
    content = [{"type": "text", "text": "A.", "citations": [LOCATION]}]
    reply = read_reply(body(content=content))
    assert reply.blocks[0].citations == (BlockCitation("kb-101", 0, 0, 2),)
    assert marked_text(reply, sources_of(PASSAGES))[1] == (SentenceRef(0, 0), SentenceRef(0, 1))
    wide = [{"type": "text", "text": "A.", "citations": [{**LOCATION, "start_block_index": -4, "end_block_index": 99}]}]
    assert len(marked_text(read_reply(body(content=wide)), sources_of(PASSAGES))[1]) == 3


@pytest.mark.parametrize("usage", [None, [], {"input_tokens": "9"}, {"input_tokens": -1, "output_tokens": None}])
def test_odd_usage_counts_nothing(usage: object) -> None:
    """Missing or senseless counts are zero."""
    assert read_reply(body(usage=usage)).tokens == TokenCounts()


@pytest.mark.parametrize(
    "raw", [b"", b"{", b"\xff", b"[" * 200_000, b"[]", b"3", b"null", body(stop_reason=None), body(stop_reason="")]
)
def test_unreadable_bodies(raw: bytes) -> None:
    """No JSON, no message or no stop reason: an answer that broke off."""
    with pytest.raises(ChatModelOutputInvalid):
        read_reply(raw)


def test_error_in_a_good_status_is_an_outage() -> None:
    """An error body under a 200 is the server's fault."""
    with pytest.raises(ChatModelUnavailable):
        read_reply(b'{"type": "error", "error": {"type": "overloaded_error"}}')


@pytest.mark.parametrize(
    ("stop", "is_answer", "is_cut"),
    [
        ("end_turn", True, False), ("stop", True, False), ("max_tokens", True, True), ("refusal", False, False),
        ("model_context_window_exceeded", True, True), ("tool_use", False, False), ("pause_turn", False, False),
    ],
)  # fmt: skip
def test_stop_reasons(stop: str, is_answer: bool, is_cut: bool) -> None:
    """Refusals and tool calls are no answers; the two limits cut; unknown reasons of other servers end normally."""
    reply = read_reply(body(stop_reason=stop))
    assert (reply.is_answer, reply.is_cut) == (is_answer, is_cut)
