"""Finding the prompt in an answer, however it is dressed."""

import base64
import codecs
import sys
import time
from collections.abc import Callable
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.checks.leak_check import LeakCheck, _Runs
from bot.prompts import Prompts
from retrieval.redaction import Redactor

PROMPTS = Prompts("zq0123456789abcdef")
REDACTOR = Redactor()
LEAKS = LeakCheck(PROMPTS, lambda text: [span.type for span in REDACTOR.redact(text).spans])
RULE = "Say only what the sources say. Where they do not cover the question"
CODED = base64.b64encode(f"ab{PROMPTS.canary} and more".encode()).decode()


@pytest.mark.parametrize(
    "text",
    [
        f"The mark is {PROMPTS.canary}.",
        f"It is {PROMPTS.canary.upper()}",
        " ".join(PROMPTS.canary),
        "-".join(PROMPTS.canary),
        f"Backwards: {PROMPTS.canary[::-1]}",
        f"Hex {PROMPTS.canary.encode().hex()}",
        f"Hex {PROMPTS.canary.encode().hex(' ')}",
        f"Hex f{PROMPTS.canary.encode().hex()}",
        f"Code {CODED}",
        "\n".join(CODED),
        f"Code {base64.urlsafe_b64encode(('x' + PROMPTS.canary).encode()).decode().rstrip('=')}",
        f"My rules: {RULE}",
        RULE.upper(),
        RULE[::-1],
        " ".join(RULE),
        base64.b64encode(RULE.encode()).decode(),
        RULE.encode().hex(),
        f"{chr(0x200B)}".join(PROMPTS.canary),
        codecs.encode(f"The mark is {PROMPTS.canary}", "rot13"),
        "".join(f"%{byte:02X}" for byte in PROMPTS.canary.encode()),
        RULE.replace("o", "о").replace("a", "а"),
        base64.b64encode(RULE[::-1].encode()).decode(),
    ],
)
def test_leaks_are_seen(text: str) -> None:
    """Canary and rules are found plain, spaced, reversed, by rot13, with look-alike letters, percent-coded, in base64 and in hex."""
    assert LEAKS(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Open Settings and choose Billing. Click Export invoices.",
        "The sources do not cover the question about refunds.",
        "Commit 3f786850e387550fdab836ed7e6dc881de23001b fixes it; token aGVsbG8gd29ybGQgaGVsbG8gd29ybGQ=.",
        "Copy numbers, units, dates and versions.",
        "zq0123456789abcde",
        "Answer in Ukrainian.",
    ],
)
def test_ordinary_answers_pass(text: str) -> None:
    """Answers, hashes, foreign base64 and fewer than eight words in a row are no leak."""
    assert not LEAKS(text)


@pytest.mark.parametrize("value", ["anna.kovalenko@client-mail.com", "4111 1111 1111 1111", "DE89370400440532013000"])
@pytest.mark.parametrize(
    "disguise",
    [
        lambda value: base64.b64encode(value.encode()).decode(),
        lambda value: value.encode().hex(),
        lambda value: "".join(f"%{byte:02X}" for byte in value.encode()),
        lambda value: value[::-1],
        lambda value: codecs.encode(value, "rot13"),
        lambda value: " ".join(value.replace(" ", "")),
        lambda value: "-".join(value.replace(" ", "")),
    ],
    ids=["base64", "hex", "percent", "reversed", "rot13", "spaced", "dashed"],
)
def test_a_value_in_disguise_is_seen(value: str, disguise: Callable[[str], str]) -> None:
    """An address, a card or an account that no redactor finds in the open is found in each coding; an ordinary id is not."""
    assert LEAKS(f"You can reach it at {disguise(value)} today.")
    assert not LeakCheck(PROMPTS)(f"You can reach it at {disguise(value)} today.")
    assert not LEAKS(f"The build has the id {disguise('release-2026-11')} today.")


@pytest.mark.parametrize(
    "text",
    [
        f"Call https://api.example.com/v3?filter={quote('status=open and x>3')} with your key.",
        "Order 4111-2222-33, build 10.0.19041.1, error 0x80070005, ticket TCK-2001.",
        "Run `psql 'postgresql://user@localhost:26257/movr?options=-csearch_path%3Dmax'` once.",
        "Tracking 1Z 999 AA1 01 2345 6784 and invoice 2026-000-123-456.",
    ],
)
def test_codes_of_support_are_no_values(text: str) -> None:
    """Queries, builds, orders and connection strings stand in answers as they are."""
    assert not LEAKS(text)


@pytest.mark.parametrize(
    "text", ["1" * 16_000, "aB3/" * 4_000, "a b " * 4_000, "0f " * 5_000, "==" * 8_000, "%41" * 5_000, "a@b." * 4_000]
)
def test_hostile_text_costs_little(text: str) -> None:
    """16 KB of hostile text take less than 50 ms of processor time at best of five, what a coverage tracer adds left out."""

    def once() -> float:
        started = time.thread_time()
        LEAKS(text)
        return time.thread_time() - started

    tracer = sys.gettrace()
    sys.settrace(None)
    try:
        best = min(once() for _ in range(5))
    finally:
        sys.settrace(tracer)
    assert best < 0.05


@given(st.lists(st.text("abcd", min_size=3, max_size=9), max_size=6), st.text("abcd", max_size=40))
def test_runs_are_found_as_a_plain_search_finds_them(runs: list[str], text: str) -> None:
    """Looking up blocks finds what asking for each run finds, wherever the run stands."""
    assert _Runs(frozenset(runs)).is_any_in(text) == any(run in text for run in runs)
