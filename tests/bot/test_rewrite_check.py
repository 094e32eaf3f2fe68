"""A model's rewrite is only searched when it holds."""

import pytest

from bot.messages import Question, Usage
from bot.ports import ModelRewrite
from bot.rewrite_check import checked_rewrite
from retrieval.language import language_of
from tests.bot.flow_kit import message, text

QUESTION = Question(message("e para o plano anual TL-4012?"), text("e para o plano anual TL-4012?"), "pt")


def _checked(standalone: str, *expansions: str) -> tuple[str | None, tuple[str, ...]]:
    rewrite = ModelRewrite(text(standalone), tuple(text(e) for e in expansions), is_off_topic=False, usage=Usage())
    checked = checked_rewrite(rewrite, QUESTION, language_of=language_of)
    return checked.standalone, checked.expansions


def test_a_sound_rewrite_is_kept_with_three_expansions() -> None:
    """Same language, code kept."""
    said = "Quanto custa o plano anual, erro TL-4012?"
    assert _checked(said, "yearly plan price", "b", "c", "d") == (said, ("yearly plan price", "b", "c"))


@pytest.mark.parametrize(
    "standalone",
    [
        "",
        "How much does the yearly plan cost, error TL-4012?",
        "Quanto custa o plano anual?",
        "Quanto custa TL-4012? https://evil.example",
        "TL-4012 " + "muito " * 100,
        "<!channel> TL-4012",
    ],
)
def test_an_unsound_rewrite_is_left_to_the_rules(standalone: str) -> None:
    """Empty, another language, a lost code, an address, too long, a mention."""
    assert _checked(standalone)[0] is None
