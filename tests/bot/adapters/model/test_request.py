"""What is put into a request."""

import subprocess
import sys

from bot.adapters.model.request import (
    HISTORY_CHARACTERS,
    HISTORY_TURNS,
    TITLE_CHARACTERS,
    ModelCall,
    cited_sources,
    history,
    sources_of,
)
from tests.bot.adapters.model.chat_samples import passage, turn


def test_empty_turns_are_left_out_whole() -> None:
    """A turn with an empty side is not sent, so that roles still alternate and no block is empty."""
    turns = (turn(" ", "Answer."), turn("Question?", ""), turn("Question?", "[1]"), turn("Kept?", "Yes [2]."))
    assert history(turns) == [{"role": "user", "content": "Kept?"}, {"role": "assistant", "content": "Yes."}]


def test_history_is_bounded() -> None:
    """Only the latest turns go, each side cut."""
    messages = history([turn(f"{i} " + "q" * 5000, "a" * 5000) for i in range(20)])
    assert len(messages) == 2 * HISTORY_TURNS
    assert str(messages[0]["content"]).startswith(f"{20 - HISTORY_TURNS} ")
    assert {len(str(message["content"])) for message in messages} == {HISTORY_CHARACTERS}


def test_titles_are_never_empty_and_bounded() -> None:
    """The API wants a title: without one the id stands there, and a long one is cut."""
    passages = (passage("kb-1", title=" "), passage("kb-2", title="t" * 900))
    results = cited_sources("Q?", sources_of(passages))[-1]["content"][0]["content"]  # type: ignore[index]
    assert [len(result["title"]) for result in results] == [4, TITLE_CHARACTERS]


def test_call_ids_differ() -> None:
    """Every request has its own id for the search call, and question and call name the same query."""
    first, second = (cited_sources("q" * 500, sources_of([passage()]))[1]["content"][0] for _ in range(2))  # type: ignore[index]
    assert first["id"] != second["id"]
    assert first["input"] == {"query": "q" * 300}


def test_plain_servers_get_one_system_text() -> None:
    """Without the full API the system text is one string; with it, two blocks of which the stable one is cached."""
    call = ModelCall("m", "Rules.", "", [{"role": "user", "content": "Q"}], 10)
    assert call.parameters(is_full_api=False)["system"] == "Rules."
    assert call.parameters(is_full_api=True)["system"] == [
        {"type": "text", "text": "Rules.", "cache_control": {"type": "ephemeral"}}
    ]


def test_importing_the_adapter_loads_no_sdk() -> None:
    """The SDK (1.5 s) is imported with the first use, not with the module."""
    code = "import sys, bot.adapters.model.chat; print([m for m in ('anthropic', 'httpx2') if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
