"""Drafts for customers: the house style around what was verified, and only what customers may see."""

import pytest

from bot.answers.answer_tasks import Handover
from bot.answers.drafting import Drafter, DraftStyle
from bot.lexicon import LANGUAGES
from bot.messages import Outcome
from bot.pipeline import Pipeline
from bot.prompts import draft_line
from retrieval.redaction import RedactedText
from tests.bot.flow_kit import card, message, ports
from tests.fakes import FakePassageSource, make_passage

sealed = RedactedText.stored
PUBLIC = make_passage(
    card("kb-1", lang="en", visibility=("public",)),
    ("Open the console and choose Forgot password.", 0.88),
    ("The link works once and expires after 30 minutes.", 0.86),
)


async def drafted(question: str, source: FakePassageSource | None = None, style: DraftStyle | None = None) -> str:
    """Draft a reply."""
    given = style or DraftStyle()
    return (await Drafter(Pipeline(ports(source or FakePassageSource(PUBLIC))), given).draft(message(question))).text


async def test_formal_and_informal() -> None:
    """Greeting, closing line and sign-off follow the style; the numbers and marks of quotes do not go to a customer."""
    question = "How do I reset a password in the console?"
    formal = await drafted(question, style=DraftStyle(sign_off=sealed("The Team")))
    assert formal.partition("\n\n")[2].startswith("Dear customer,\n\nOpen the console and choose Forgot password.")
    assert formal.endswith("Kind regards\nThe Team")
    assert not {"[1]", "“", "”"} & set(formal.split())
    informal = await drafted(question, style=DraftStyle(is_formal=False))
    assert "\n\nHi,\n\n" in informal
    assert "“" not in informal
    assert informal.rstrip().endswith("Best wishes")


async def test_the_customers_language_wins() -> None:
    """A set language words the greeting; the agent is told that quotes of another one are to be translated."""
    text = await drafted("Wie setze ich mein Passwort in der Konsole zurück?", style=DraftStyle(language="fr"))
    assert "Madame, Monsieur," in text
    assert "quoted in" not in text
    assert "Zitat auf" not in text


async def test_quotes_in_another_language_are_named() -> None:
    """Without a model nobody translates: the draft says so above itself, not inside."""
    text = await drafted("Wie setze ich mein Passwort in der Konsole zurück?")
    above, _, below = text.partition("Guten Tag,")
    assert "Der zitierte Text ist auf Englisch" in above
    assert "Zitat" not in below


async def test_internal_sources_are_not_even_searched() -> None:
    """The draft's search has the audience of a customer."""
    secret = make_passage(card("int-1", lang="en", visibility=("internal",)), ("Refund without asking anybody.", 0.9))
    source = FakePassageSource(secret)
    answer = await Drafter(Pipeline(ports(source)), DraftStyle()).draft(message("How do I get a refund here?"))
    assert (answer.outcome, answer.citations) == (Outcome.NO_MATCH, ())
    assert "there is no draft" in answer.text


async def test_a_failure_stays_a_failure() -> None:
    """When nothing can be looked up there is no word about drafts."""
    from retrieval.errors import IndexMissing

    source = FakePassageSource(failure=IndexMissing("gone"))
    answer = await Drafter(Pipeline(ports(source)), DraftStyle()).draft(message("How do I reset a password?"))
    assert answer.outcome is Outcome.UNAVAILABLE


@pytest.mark.parametrize("language", LANGUAGES)
async def test_every_language_greets_and_closes(language: str) -> None:
    """Ten languages, two forms."""
    for is_formal in (True, False):
        style = DraftStyle(is_formal=is_formal, language=language)
        text = await drafted("How do I reset a password in the console?", style=style)
        assert text.count("\n\n") >= 3


def test_a_model_is_told_how_to_write() -> None:
    """Address and tone go into the request; nothing about colleagues or sources belongs into a reply."""
    line = draft_line(is_formal=False, tone="calm")
    assert "informally. Tone: calm." in line
    assert "Tone" not in draft_line(is_formal=True, tone="")


def test_groups_by_queue() -> None:
    """A queue without a group of its own has the one for every other; none when none is named."""
    handover = Handover({"*": "S1", "billing": "S2"})
    assert [handover.group_of(queue) for queue in ("billing", "login", "")] == ["S2", "S1", "S1"]
    assert Handover().group_of("billing") == ""
