"""A true source that holds a ping is quoted, and pings nobody: through every door, with every model and without one."""

from dataclasses import replace

import pytest

from bot.answers.drafting import Drafter, DraftStyle
from bot.answers.kept_answers import KeptAnswer
from bot.desk.incidents import NoIncidents
from bot.desk.requests import DO, DeskResponder, Task
from bot.messages import MessageId, Reply, ThreadRef
from bot.pipeline import Pipeline
from retrieval.passages import DocumentCard
from tests.attacks.fixed_source import FixedSource, passage_of, sealed
from tests.attacks.invariants import violations
from tests.attacks.world import Asked, known_of, message_of, posted_forms, run
from tests.bot.flow_kit import ports
from tests.fakes import InMemoryThreadStore
from tests.peers.anthropic_stubs import Ask, Blocks, Stub, honest, parrot

Z = "\u200b"
HELP = "https://help.example.com"
QUESTION = "Why does the cash hub stay offline after the update?"
# What a source says, as it is written on Slack and Teams, and as the answer object has it.
FORMS = {
    "everybody": ("<!channel>", "&lt;!channel&gt;", f"<{Z}!channel>"),
    "those who are here": ("<!here|here>", "&lt;!here|here&gt;", f"<{Z}!here|here>"),
    "a person": ("<@U0BEN>", "&lt;@U0BEN&gt;", f"<{Z}@U0BEN>"),
    "a group": ("<!subteam^S0X|@ops>", "&lt;!subteam^S0X|@ops&gt;", f"<{Z}!subteam^S0X|@ops>"),
    "a group's id": ("<!subteam^S0X>", "&lt;!subteam^S0X&gt;", f"<{Z}!subteam^S0X>"),
    "a channel": ("<#C0OPS|ops>", "&lt;#C0OPS|ops&gt;", f"<{Z}#C0OPS|ops>"),
    "Teams": ("<at>Ben Fox</at>", "&lt;at&gt;Ben Fox&lt;/at&gt;", f"<{Z}at>Ben Fox<{Z}/at>"),
    "a bare word": ("@channel", f"@{Z}channel", f"@{Z}channel"),
    "another bare word": ("@here", f"@{Z}here", f"@{Z}here"),
    "code": ("List<@NonNull Row>", "List&lt;@NonNull Row&gt;", f"List<{Z}@NonNull Row>"),
    "a comment": ("<!-- hub -->", "&lt;!-- hub --&gt;", f"<{Z}!-- hub -->"),
    "a labelled link": (f"<{HELP}/hub|the hub page>", f"the hub page ({HELP}/hub)", f"the hub page ({HELP}/hub)"),
    "a spoofed target": (f"{HELP}/hub|fake.example", "[…]", "[…]"),
}
MODELS: dict[str, Stub | None] = {"no model": None, "honest": honest, "parrot": parrot}


def _bare(ask: Ask) -> Blocks:
    """Copy the best source as a model that drops invisible characters."""
    return [ask.cite(ask.best, ask.best.text.replace(Z, ""))]


class NoAnswers:
    """An `AnswerStore` that keeps nothing."""

    async def keep(self, kept: KeptAnswer) -> None:
        """Keep nothing."""

    async def find(self, thread: ThreadRef, message_id: MessageId) -> KeptAnswer | None:
        """Find nothing."""


def given(form: str) -> Asked:
    """Ask about a subject whose only source holds the form."""
    card = DocumentCard("t-77", sealed("Cash hub stays offline after the update"), kind="ticket", url=f"{HELP}/hub")
    text = f"The cash hub stays offline after the update until {form} is told and the hub was off for 7 minutes."
    return Asked((passage_of(card, text, relevance=0.9),), message_of(QUESTION))


@pytest.mark.parametrize("name", [*MODELS, "without invisible characters"])
@pytest.mark.parametrize("form", FORMS)
async def test_the_source_is_quoted_and_pings_nobody(form: str, name: str) -> None:
    """The right source is cited with its words, whatever reads it; no invariant breaks in any form that is posted."""
    raw, _, said = FORMS[form]
    for is_cited in (False, True):
        result = await run(given(raw), MODELS.get(name, _bare), good=("t-77", "off for 7 minutes"), is_cited=is_cited)
        assert result.broken == []
        assert result.is_useful
        assert said in result.answer.text
        assert (result.answer.mode == "model") == (name != "no model")


@pytest.mark.parametrize("form", FORMS)
async def test_platforms_show_it_as_it_was_written(form: str) -> None:
    """Slack and Teams escape the brackets, so that no invisible character stands in what is copied from there."""
    raw, escaped, _ = FORMS[form]
    result = await run(given(raw), None, good=("t-77", "7 minutes"))
    posted = posted_forms(Reply(given(raw).message, result.answer), InMemoryThreadStore())
    shown = [text.replace("\\|", "|").replace("&gt;", ">") for text in (*posted.slack, *posted.teams)]
    assert all(escaped.replace("&gt;", ">") in text for text in shown)


@pytest.mark.parametrize("task", ["draft", Task.SHOW, Task.SIMILAR])
@pytest.mark.parametrize("form", FORMS)
async def test_drafts_and_sources_show_it_too(form: str, task: str) -> None:
    """A draft for the customer, `/kb show` and `/kb similar` hold the words and ping nobody."""
    raw, _, said = FORMS[form]
    asked, source = given(raw), FixedSource(*given(raw).passages)
    flow = replace(ports(), passages=source)
    if task == "draft":
        (seen,) = source.passages
        source.passages = (replace(seen, document=replace(seen.document, visibility=("public",))),)
        answer = await Drafter(Pipeline(flow), DraftStyle()).draft(asked.message)
    else:
        desk = DeskResponder(Pipeline(flow), flow, NoIncidents(), answers=NoAnswers())
        text = sealed("t-77" if task == Task.SHOW else QUESTION)
        answer = await desk.respond(replace(asked.message, text=text, routing=((DO, task),)))
    assert said in answer.text
    posted = posted_forms(Reply(asked.message, answer), InMemoryThreadStore())
    # A draft's own words are no source's, so claims are not judged here.
    assert [one for one in violations(posted, known_of(asked)) if not one.startswith("I8")] == []
