"""The flow over fakes: every outcome of the contract, faults included."""

import json

import pytest
import structlog

from bot.answers.answer_json import answer_as_json
from bot.messages import NoticeKind, Outcome
from bot.pipeline import STAGES, Pipeline
from retrieval.errors import IndexMissing
from retrieval.passages import GateVerdict
from tests.bot.flow_kit import RESET, Conversation, ask, message, ports
from tests.fakes import FakePassageSource, InMemoryThreadStore, make_passage

KEYS = [
    "outcome",
    "text",
    "language",
    "citations",
    "notices",
    "queries",
    "hits",
    "nearest",
    "triage",
    "gate",
    "mode",
    "provenance",
    "usage",
    "timings_ms",
    "request_id",
]


async def test_an_answer_is_quoted_and_cited() -> None:
    """A question with a source is answered by its sentences, verbatim, with its id."""
    answer = await ask("How do I reset my password?")
    assert answer.outcome is Outcome.ANSWERED
    assert answer.text.startswith("“Open the console and choose Forgot password.")
    assert "[1]" in answer.text
    assert [citation.id for citation in answer.citations] == ["kb-101"]
    assert "Billing" not in answer.text


async def test_all_keys_are_always_there() -> None:
    """Every end gives the same keys, and JSON can write them."""
    for source, question in (
        (None, "How do I reset my password?"),
        (None, ""),
        (None, "thanks!"),
        (FakePassageSource(RESET, verdict=GateVerdict.DECLINE), "Who won the cup in 1998?"),
        (FakePassageSource(), "How do I reset my password?"),
        (FakePassageSource(failure=IndexMissing("gone")), "How do I reset my password?"),
    ):
        written = json.loads(json.dumps(answer_as_json(await ask(question, source))))
        assert list(written) == KEYS
        assert {"gate", "rewrite", "retrieve", "answer", "total"} <= set(written["timings_ms"])
        assert set(written["usage"]) >= {"input_tokens", "cost_usd", "thread_cost_usd", "calls"}


@pytest.mark.parametrize(
    ("question", "outcome"),
    [
        ("", Outcome.CLARIFY),
        ("🤔", Outcome.CLARIFY),
        ("the", Outcome.CLARIFY),
        ("it is not working again, how do I do it?", Outcome.CLARIFY),
        ("thanks, that did it", Outcome.COURTESY),
        ("привіт", Outcome.COURTESY),
        ("谢谢", Outcome.COURTESY),
    ],
)
async def test_what_asks_nothing_is_not_searched(question: str, outcome: Outcome) -> None:
    """No gate, no search, no citation for small talk and empty mentions."""
    source = FakePassageSource(RESET)
    answer = await ask(question, source)
    assert answer.outcome is outcome
    assert answer.citations == ()
    assert source.searched == source.gated == []


async def test_off_topic_is_declined_in_the_askers_language() -> None:
    """The refusal says why, in the language of the question, and nothing is searched."""
    source = FakePassageSource(RESET, verdict=GateVerdict.DECLINE)
    answer = await ask("Хто виграв чемпіонат світу з футболу?", source)
    assert answer.outcome is Outcome.OFF_TOPIC
    assert answer.language == "uk"
    assert "переформулюйте" in answer.text
    assert source.searched == []


async def test_a_failing_gate_lets_the_question_through() -> None:
    """The gate's error is not the question's error."""
    answer = await ask("How do I reset my password?", FakePassageSource(RESET, gate_failure=IndexMissing("no gate")))
    assert answer.outcome is Outcome.ANSWERED
    assert answer.gate is not None
    assert answer.gate.verdict is GateVerdict.ASK


async def test_nothing_relevant_names_the_nearest_and_cites_nothing() -> None:
    """The nearest sources are named as no answer."""
    source = FakePassageSource(
        *(make_passage(f"kb-{n}", "Something else entirely here.", relevance=0.2) for n in range(5))
    )
    answer = await ask("Can I pay by cheque?", source)
    assert answer.outcome is Outcome.NO_MATCH
    assert answer.citations == ()
    assert [hit.id for hit in answer.nearest] == ["kb-0", "kb-1", "kb-2"]
    assert "kb-0" in answer.text
    assert len(source.searched) == 2


async def test_an_uncertain_band_is_said() -> None:
    """Between the cuts the answer carries a notice."""
    answer = await ask(
        "How do I reset my password?",
        FakePassageSource(make_passage("kb-1", "Choose Forgot password there.", relevance=0.4)),
    )
    assert answer.outcome is Outcome.ANSWERED
    assert [notice.kind for notice in answer.notices] == [NoticeKind.UNCERTAIN]


async def test_a_missing_index_is_unavailable_without_its_text() -> None:
    """The fault's words never reach the reader."""
    answer = await ask("How do I reset my password?", FakePassageSource(failure=IndexMissing("/secret/path")))
    assert answer.outcome is Outcome.UNAVAILABLE
    assert "secret" not in json.dumps(answer_as_json(answer))


async def test_an_unexpected_fault_is_unavailable_too() -> None:
    """Even a bug in a port ends in words, with the language of the question."""
    answer = await ask("Як скинути пароль?", FakePassageSource(failure=ZeroDivisionError("x")))
    assert answer.outcome is Outcome.UNAVAILABLE
    assert answer.language == "uk"


async def test_lost_history_is_said() -> None:
    """With Redis away the question is answered alone, with a notice."""
    store = InMemoryThreadStore()
    store.is_away = True
    answer = await Pipeline(ports(threads=store)).respond(message("How do I reset my password?"))
    assert answer.outcome is Outcome.ANSWERED
    assert [notice.kind for notice in answer.notices] == [NoticeKind.DEGRADED]


async def test_stateless_touches_no_history() -> None:
    """Nothing is read or stored, so nothing is lost either."""
    store = InMemoryThreadStore()
    store.is_away = True
    answer = await Pipeline(ports(threads=store)).respond(message("How do I reset my password?"), is_stateless=True)
    assert answer.notices == ()


async def test_a_truncated_question_is_said() -> None:
    """A question that was cut carries the notice."""
    answer = await Pipeline(ports()).respond(message("How do I reset my password? " * 100, is_truncated=True))
    assert NoticeKind.TRUNCATED in [notice.kind for notice in answer.notices]


async def test_a_refusal_is_worded_and_not_searched() -> None:
    """A message refused at the door is answered with the reason only."""
    source = FakePassageSource(RESET)
    answer = await Pipeline(ports(source)).respond(message("How do I reset my password?", refusal="over_limit"))
    assert answer.outcome is Outcome.NOT_PERMITTED
    assert "minute" in answer.text
    assert source.searched == []


async def test_a_follow_up_is_searched_standing_alone() -> None:
    """The second question carries the first one's words; the raw one is searched first, both as one text last."""
    thread = Conversation()
    await thread.ask("How do I reset two-factor authentication?")
    answer = await thread.ask("and on Android?")
    assert thread.source.searched[-1] == (
        "and on Android?",
        "reset two-factor authentication and on Android?",
        "How do I reset two-factor authentication? and on Android?",
    )
    assert thread.source.gated[-1] == ("and on Android?", "How do I reset two-factor authentication?")
    assert answer.queries == thread.source.searched[-1]


async def test_logs_hold_no_text() -> None:
    """One event a stage with counts; neither question nor passage is in it."""
    with structlog.testing.capture_logs() as events:
        await ask("How do I reset my zanzibar password?")
    assert [event["event"] for event in events] == [stage.__name__.removesuffix("_stage") for stage in STAGES]
    assert all("ms" in event and event["request_id"] for event in events)
    assert "zanzibar" not in repr(events)
    assert "Forgot" not in repr(events)


async def test_the_cost_of_a_thread_adds_up() -> None:
    """Without a model nothing costs anything."""
    thread = Conversation()
    await thread.ask("How do I reset my password?")
    assert (await thread.ask("Where is my invoice kept?")).thread_cost_usd == 0.0
