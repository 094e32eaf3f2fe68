"""What stands of a draft: what was permitted when it was searched must be permitted when it is posted."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from bot.messages import DraftSentence, Outcome, SentenceRef, Usage
from bot.pipeline import Pipeline
from bot.ports import ModelAnswer
from retrieval.passages import Passage, Ranking, SourceText
from retrieval.redaction import RedactedText
from tests.bot.flow_kit import RESET, card, message, ports, text
from tests.fakes import FakePassageSource, ScriptedModel, make_passage

OTHER = make_passage(card("kb-102", lang="en"), ("Owners choose Reset password in the console for others.", 0.87))
QUESTION = "How do I reset my password?"


class Changing(FakePassageSource):
    """A base that holds a document back, or changes who may see it, between the search and the post."""

    def __init__(self, *passages: Passage, gone: frozenset[str]) -> None:
        super().__init__(*passages)
        self.gone = gone

    async def document(self, document_id: str, *, audience: frozenset[str]) -> SourceText | None:
        """Give what is not gone."""
        return None if document_id in self.gone else await super().document(document_id, audience=audience)


class Careless(FakePassageSource):
    """A search that gives what the audience may not see."""

    async def search(self, queries: Sequence[RedactedText], *, audience: frozenset[str], top_k: int = 8) -> Ranking:
        """Ignore the audience."""
        found = await super().search(queries, audience=frozenset({"leads", *audience}), top_k=top_k)
        return replace(found, passages=self.passages)


def said(*rows: tuple[str, tuple[int, int]]) -> ScriptedModel:
    """Give a model that says these sentences with these references."""
    sentences = tuple(DraftSentence(text(raw), (SentenceRef(*ref),)) for raw, ref in rows)
    return ScriptedModel(ModelAnswer(sentences, Usage(), "m", "p"))


BOTH = (("Choose Forgot password in the console.", (0, 0)), ("Owners choose Reset password in the console.", (1, 0)))


async def test_a_source_that_went_meanwhile_is_not_cited() -> None:
    """Its sentence goes, the other one stays; what fell out of the base leaves no quote either."""
    for gone, ids in ((frozenset(), ["kb-101", "kb-102"]), (frozenset({"kb-102"}), ["kb-101"])):
        source = Changing(RESET, OTHER, gone=gone)
        answer = await Pipeline(ports(source, model=said(*BOTH))).respond(message(QUESTION))
        assert [citation.id for citation in answer.citations] == ids
    nothing = Changing(RESET, gone=frozenset({"kb-101"}))
    answer = await Pipeline(ports(nothing)).respond(message(QUESTION))
    assert (answer.outcome, answer.citations) == (Outcome.NO_MATCH, ())


@pytest.mark.parametrize("hidden", [{"visibility": ("leads",)}, {"quarantined": True}])
async def test_a_search_that_gives_too_much_is_caught(hidden: dict[str, object]) -> None:
    """A document for others, or one that is held back, is neither cited nor quoted, whatever found it."""
    secret = replace(OTHER, document=replace(OTHER.document, **hidden))  # type: ignore[arg-type]
    source = Careless(RESET, secret)
    answer = await Pipeline(ports(source, model=said(*BOTH))).respond(message(QUESTION))
    assert [citation.id for citation in answer.citations] == ["kb-101"]
    assert "Owners" not in answer.text


async def test_a_step_with_another_number_than_its_source() -> None:
    """A list may be numbered anew; a single step that takes another one's number is removed."""
    steps = make_passage(card("kb-103", lang="en"), "3. Press Reset password there.", "4. Confirm it with your code.")
    renumbered = said(("1. Press Reset password there.", (0, 0)), ("2. Confirm it with your code.", (0, 1)))
    wrong = said(("3. Press Reset password there.", (0, 0)), ("7. Confirm it with your code.", (0, 1)))
    for model, count in ((renumbered, 2), (wrong, 1)):
        answer = await Pipeline(ports(FakePassageSource(steps), model=model)).respond(message(QUESTION))
        assert answer.text.count("[1]") == count
