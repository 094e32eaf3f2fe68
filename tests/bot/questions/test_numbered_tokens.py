"""Equal values have equal numbers in a thread: from the door to the model, the kept turn and the posted answer."""

import json

from bot.flow import Ports
from bot.messages import AcceptedMessage, Answer, DraftSentence, Question, SentenceRef, Usage
from bot.pipeline import Pipeline
from bot.ports import AnswerRequest, ModelAnswer, ModelRewrite, RewriteRequest
from bot.questions.accepting import accept_text
from bot.questions.message_json import message_from_json, message_to_json, turn_to_json
from bot.questions.turns import remember_turn
from bot.stages.history import history_stage
from retrieval.redaction import Redactor
from tests.bot.flow_kit import NOW, RESET, THREAD, ports, text
from tests.fakes import FakePassageSource, InMemoryThreadStore, ScriptedModel

REDACTOR = Redactor(key=b"a key of the tests")
TWO = "Can I reset with pat@example.com or with kim@example.org?"


def _accepted(raw: str, *, at: float = NOW) -> AcceptedMessage:
    return accept_text(raw, thread=THREAD, redactor=REDACTOR, received_at=at, audience=frozenset({"internal"}))


async def _say(message: AcceptedMessage, given: Ports) -> Answer:
    answer = await Pipeline(given).respond(message)
    if given.threads is not None:
        await remember_turn(given.threads, message, answer)
    return answer


def _model(said: str) -> ScriptedModel:
    sentence = DraftSentence(text(said), (SentenceRef(0, 0),))
    return ScriptedModel(
        ModelAnswer((sentence,), Usage(), "m", "p"), ModelRewrite(text("How do I reset [EMAIL_2]?"), (), False, Usage())
    )


def test_the_queue_holds_neither_value_nor_number() -> None:
    """The stored question has marked tokens only, and comes back equal."""
    message = _accepted(TWO)
    stored = message_to_json(message)
    assert message.text == "Can I reset with [EMAIL] or with [EMAIL]?"
    assert "example" not in stored
    assert "[EMAIL#" in json.loads(stored)["marked"]
    assert message_from_json(stored) == message
    assert json.loads(message_to_json(_accepted("no value")))["marked"] == ""


async def test_the_model_reads_numbers_and_the_search_does_not() -> None:
    """Both requests have numbers that fit the thread; what is searched has the index's tokens."""
    store, model, source = (
        InMemoryThreadStore(),
        _model("Open the console and choose Forgot password."),
        FakePassageSource(RESET),
    )
    given = ports(source, threads=store, model=model)
    await _say(_accepted(TWO, at=NOW - 60), given)
    await _say(_accepted("And how do I reset KIM@example.org?"), given)
    rewrite, answer = model.requests[-2:]
    assert isinstance(rewrite, RewriteRequest)
    assert isinstance(answer, AnswerRequest)
    assert rewrite.question == answer.question == "And how do I reset [EMAIL_2]?"
    assert answer.turns[0].question == "Can I reset with [EMAIL_1] or with [EMAIL_2]?"
    assert [query for queries in source.searched for query in queries if "EMAIL_" in query or "#" in query] == []
    assert source.searched


async def test_the_turn_keeps_the_numbers_and_no_value() -> None:
    """History has the numbered text with the marks of its numbers."""
    store = InMemoryThreadStore()
    await _say(_accepted(TWO), ports(FakePassageSource(RESET), threads=store))
    (turn,) = await store.turns(THREAD)
    assert turn.question == "Can I reset with [EMAIL_1] or with [EMAIL_2]?"
    assert [label for _, label in turn.labels] == ["EMAIL_1", "EMAIL_2"]
    assert "example.org" not in turn_to_json(turn)


async def test_a_posted_answer_may_name_a_numbered_token() -> None:
    """A supported sentence with a numbered token is posted readable; the number counts as no fact of its own."""
    model = _model("Open the console and choose Forgot password [EMAIL_2].")
    answer = await _say(_accepted(TWO), ports(FakePassageSource(RESET), model=model))
    assert "[EMAIL_2]" in answer.text
    assert answer.told is not None
    assert all("EMAIL_" not in query for query in answer.queries)


async def test_a_message_without_marks_is_as_before() -> None:
    """Doors without a thread give plain tokens; nothing is numbered."""
    message = accept_text(
        "mail pat@example.com", thread=THREAD, redactor=Redactor(), received_at=NOW, audience=frozenset()
    )
    found = await history_stage(message, ports=ports())
    assert isinstance(found, Question)
    assert found.as_told.text == found.text == "mail [EMAIL]"
