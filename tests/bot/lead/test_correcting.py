"""Corrections in the flow: refused, pinned and hidden, for whom, and for how long."""

from collections.abc import Sequence
from dataclasses import replace

from bot.lead.correcting import WithoutHidden
from bot.lead.corrections import Correction, CorrectionKind, RestsOn, digest_of
from bot.messages import AcceptedMessage, Answer, Outcome
from bot.pipeline import Pipeline
from retrieval.passages import Band, GateVerdict
from retrieval.redaction import RedactedText
from tests.bot.flow_kit import Conversation, card, message, ports, text
from tests.fakes import FakePassageSource, make_passage

ASKED = "How do I reset my password?"
FIRST = make_passage(card("kb-1", visibility=("public",)), ("Open the console and choose Forgot password.", 0.9))
SECOND = make_passage(card("kb-2", visibility=("public",)), ("Ask your owner for a new password.", 0.85), relevance=0.4)


class Kept:
    """A `Corrections` that gives what it was given for one question."""

    def __init__(self, *found: Correction, question: str = ASKED) -> None:
        self.found = found
        self.question = question
        self.asked: list[str] = []

    async def of(self, question: RedactedText, language: str) -> tuple[Correction, ...]:
        """Give them for the question."""
        assert language
        self.asked.append(question)
        return self.found if question == self.question else ()


def _correction(kind: CorrectionKind, *ids: str, said: str = "") -> Correction:
    passages = {"kb-1": FIRST, "kb-2": SECOND}
    sources = tuple(
        RestsOn(name, digest_of(passages[name].document.title, passages[name].sentences[0].text)) for name in ids
    )
    return Correction(kind, text(ASKED), "en", "lead", 1.0, sources=sources, answer=text(said))


async def _ask(kept: Kept, source: FakePassageSource | None = None, asked: AcceptedMessage | None = None) -> Answer:
    given = ports(source or FakePassageSource(FIRST, SECOND))
    return await Pipeline(replace(given, corrections=kept)).respond(asked or message(ASKED))


async def test_refused() -> None:
    """It ends with the words for nothing found, cites nothing, and names the correction."""
    one = _correction(CorrectionKind.REFUSE)
    answer = await _ask(Kept(one))
    assert (answer.outcome, answer.citations, answer.corrections) == (Outcome.NO_MATCH, (), (one.key,))
    assert (await _ask(Kept(one, question="another"))).outcome is Outcome.ANSWERED


async def test_pinned() -> None:
    """The approved text is the answer with its sources cited, also where the gate would have declined; foreign links go."""
    one = _correction(CorrectionKind.PIN, "kb-1", "kb-2", said="Press Forgot, see https://evil.example/x.")
    source = FakePassageSource(FIRST, SECOND, verdict=GateVerdict.DECLINE)
    answer = await _ask(Kept(one), source)
    assert answer.outcome is Outcome.ANSWERED
    assert answer.text.startswith("Press Forgot, see […]")
    assert answer.text.endswith("[1][2]")
    assert [citation.id for citation in answer.citations] == ["kb-1", "kb-2"]
    assert answer.corrections == (one.key,)
    assert not source.searched


async def test_a_pin_ends_with_its_sources() -> None:
    """A source that changed, is gone, or is not for the asker ends it: the question is answered as any other."""
    one = _correction(CorrectionKind.PIN, "kb-1", "kb-2", said="Approved.")
    changed = make_passage(SECOND.document, "Ask nobody for a new password.")
    hidden = make_passage(replace(SECOND.document, visibility=("leads",)), SECOND.sentences[0].text)
    for source in (FakePassageSource(FIRST, changed), FakePassageSource(FIRST), FakePassageSource(FIRST, hidden)):
        answer = await _ask(Kept(one), source)
        assert "Approved" not in answer.text
        assert answer.corrections == ()
        assert answer.citations[0].id == "kb-1"


async def test_hidden() -> None:
    """The document is neither found nor cited for this question; what is left is judged by itself."""
    one = _correction(CorrectionKind.HIDE, "kb-1")
    answer = await _ask(Kept(one))
    assert {hit.id for hit in answer.hits} == {"kb-2"}
    assert [citation.id for citation in answer.citations] == ["kb-2"]
    assert [str(notice.kind) for notice in answer.notices] == ["uncertain"]
    assert answer.corrections == (one.key,)
    alone = await _ask(Kept(one), FakePassageSource(FIRST))
    assert (alone.outcome, alone.hits) == (Outcome.NO_MATCH, ())


async def test_a_follow_up_is_looked_up_standing_alone() -> None:
    """Once a question, and in the words in which it stands alone."""
    kept = Kept()
    talk = Conversation(FakePassageSource(FIRST, SECOND))
    talk.ports = replace(talk.ports, corrections=kept)
    await talk.ask(ASKED)
    await talk.ask("and on mobile?")
    assert kept.asked[0] == ASKED
    assert len(kept.asked) == 2
    assert "mobile" in kept.asked[1]
    assert kept.asked[1] != "and on mobile?"


async def test_the_rest_of_a_source_is_passed_on() -> None:
    """Everything but what is hidden is asked of the source itself."""
    view = WithoutHidden(FakePassageSource(FIRST, SECOND), frozenset({"kb-1"}))
    audience = frozenset({"public"})
    assert await view.document("kb-1", audience=audience) is None
    assert await view.document("kb-2", audience=audience) is not None
    assert (await view.search([text("x")], audience=audience)).band is Band.UNCERTAIN
    asked: Sequence[RedactedText] = [text("x")]
    assert await view.similarity(asked, asked) == [[0.9]]
    assert await view.held(asked, audience=audience) == ()
    assert (await view.gate(text("x"), None)).verdict is GateVerdict.ANSWER
    await view.ping()
    other = WithoutHidden(FakePassageSource(FIRST), frozenset({"kb-9"}))
    assert (await other.search(asked, audience=audience)).band is Band.ANSWERED
