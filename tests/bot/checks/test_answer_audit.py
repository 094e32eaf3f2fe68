"""A finished answer is checked once more: what its sources do not support is named."""

from collections.abc import Sequence
from typing import Any

import pytest

from bot.checks.answer_audit import audit
from bot.messages import Answer, Citation, Mode, Outcome
from bot.texts import say
from tests.bot.flow_kit import text
from tests.fakes import make_passage

PASSAGES = (
    make_passage(
        "kb-1", "Open Settings, then Security.", "Press Reset password.", "The link expires after 30 minutes."
    ),
    make_passage(
        "kb-2", "Refunds are made within 14 days of the payment.", "- **Fees:** they are not refunded at all."
    ),
)


def answer(said: str, *ids: str, mode: Mode = Mode.EXTRACTIVE, **fields: Any) -> Answer:
    """Give an answer that cites these documents, numbered from 1."""
    citations = tuple(
        Citation(n, id_, "article", text(id_), None, "", text("quote")) for n, id_ in enumerate(ids, start=1)
    )
    values = {"outcome": Outcome.ANSWERED, "language": "en", "request_id": "r", **fields}
    return Answer(text=text(said), citations=citations, mode=mode, **values)


async def unsupported(given: Answer, question: str = "How do I reset my password?", near: float = 0.5) -> list[str]:
    """Audit with a fixed cosine across languages."""

    async def similarity(left: Sequence[str], right: Sequence[str]) -> list[list[float]]:
        return [[near] * len(right) for _ in left]

    return list((await audit(given, PASSAGES, question, similarity=similarity, floor=0.8)).unsupported)


async def test_true_quotes_hold() -> None:
    """Neighbours of one source as one quote, a second source, and the remark on a language."""
    said = "“Press Reset password. The link expires after 30 minutes.”[1] (in English)\n“Refunds are made within 14 days of the payment.” [2]"
    assert await unsupported(answer(said, "kb-1", "kb-2")) == []


async def test_an_item_of_a_list_that_stands_alone_holds() -> None:
    """It is quoted without the mark of its list."""
    assert await unsupported(answer("“**Fees:** they are not refunded at all.” [1]", "kb-2")) == []


@pytest.mark.parametrize(
    "said",
    [
        "“Press Reset password. The link expires after 60 minutes.” [1]",
        "“Press Reset password. Then call us.” [1]",
        "“Refunds are made within 14 days of the payment.” [1]",
        "“Press Reset password.” [7]",
    ],
)
async def test_a_quote_that_its_source_lacks_is_named(said: str) -> None:
    """Another number, an added sentence, another source's words, a number that cites nothing."""
    assert len(await unsupported(answer(said, "kb-1", "kb-2"))) == 1


async def test_sentences_of_a_model_are_checked_one_by_one() -> None:
    """What the cited source says holds in other words; another number, an uncited sentence and a wrong source do not."""
    said = "Press Reset password in Security. [1] The link expires after 60 minutes. [1] Call the bank first. Refunds take 14 days. [1]"
    found = await unsupported(answer(said, "kb-1", "kb-2", mode=Mode.MODEL))
    assert found == ["The link expires after 60 minutes.", "Call the bank first.", "Refunds take 14 days."]


async def test_across_languages_the_cosine_decides() -> None:
    """A translation holds when it is near; its numbers must be the same whatever the cosine says."""
    german = answer("Der Link ist nach 30 Minuten ungültig. [1]", "kb-1", mode=Mode.MODEL)
    assert await unsupported(german, near=0.9) == []
    assert len(await unsupported(german, near=0.3)) == 1
    wrong = answer("Der Link ist nach 60 Minuten ungültig. [1]", "kb-1", mode=Mode.MODEL)
    assert len(await unsupported(wrong, near=0.9)) == 1


async def test_saying_what_is_missing_needs_no_source() -> None:
    """Where it was asked and is in no source; our own line about a part without a source is no claim."""
    absent = "Press Reset password. [1] The sources do not mention faxes."
    assert await unsupported(answer(absent, "kb-1", mode=Mode.MODEL), "How do I reset it and send faxes?") == []
    assert len(await unsupported(answer(absent, "kb-1", mode=Mode.MODEL), "How do I reset it?")) == 1
    ours = say("part_without_source", "en", part=text("send faxes"))
    assert await unsupported(answer(f"“Press Reset password.” [1]\n{ours}", "kb-1")) == []


async def test_other_ends_have_nothing_to_check() -> None:
    """Their words are fixed."""
    assert await unsupported(answer("Nothing found.", outcome=Outcome.NO_MATCH)) == []
