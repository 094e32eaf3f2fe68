"""Finding the prompt in an answer, however it is dressed."""

import base64
import time

import pytest

from bot.leak_check import LeakCheck
from bot.prompts import Prompts

PROMPTS = Prompts("zq0123456789abcdef")
LEAKS = LeakCheck(PROMPTS)
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
    ],
)
def test_leaks_are_seen(text: str) -> None:
    """Canary and rules are found plain, spaced, reversed, in base64 and in hex."""
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


@pytest.mark.parametrize("text", ["1" * 16_000, "aB3/" * 4_000, "a b " * 4_000, "0f " * 5_000, "==" * 8_000])
def test_hostile_text_costs_little(text: str) -> None:
    """16 KB of hostile text take less than 50 ms of processor time at best of five."""

    def once() -> float:
        started = time.thread_time()
        LEAKS(text)
        return time.thread_time() - started

    assert min(once() for _ in range(5)) < 0.05
