"""History: what is asked, in which language, with which turns."""

from dataclasses import replace

import pytest

from bot.ends import Ended
from bot.flow import DAY_S
from bot.messages import Outcome, Question, Turn
from bot.stages.history import history_stage
from tests.bot.flow_kit import NOW, Conversation, message, ports, text
from tests.fakes import InMemoryThreadStore


async def _stored(*questions: str, language: str = "en", at: float = NOW - 60) -> InMemoryThreadStore:
    store = InMemoryThreadStore()
    for number, question in enumerate(questions):
        turn = Turn(text(question), text("An answer."), ("kb-1",), language, Outcome.ANSWERED, at)
        asked = message(question, number=100 + number)
        await store.remember(asked.thread, turn, message_id=asked.message_id)
    return store


async def _question(raw: str, store: InMemoryThreadStore | None = None) -> Question | Ended:
    return await history_stage(message(raw), ports=ports(threads=store))


async def test_a_bare_mention_asks_the_last_question_again() -> None:
    """In a thread it is the thread's question, at top level a request for one."""
    found = await _question("", await _stored("Where is my invoice kept?", "How do I reset my password?"))
    assert isinstance(found, Question)
    assert found.text == "How do I reset my password?"
    assert [turn.question for turn in found.turns] == ["Where is my invoice kept?"]
    alone = await _question("")
    assert isinstance(alone, Ended)
    assert (alone.outcome, alone.said) == (Outcome.CLARIFY, "clarify_empty")


async def test_a_vague_opener_is_a_question_only_in_a_thread_with_a_subject() -> None:
    """With history "it is not working" leans on it; without, one clarifying question is asked."""
    found = await _question("it is not working", await _stored("How do I reset my password?"))
    assert isinstance(found, Question)
    again = await _question("it is not working", await _stored("please help me"))
    assert isinstance(again, Ended)
    assert again.said == "clarify_vague"


async def test_old_business_does_not_count() -> None:
    """A turn beyond the limit is not context."""
    store = await _stored("How do I reset my password?", at=NOW - 40 * DAY_S)
    found = await _question("and on Android?", store)
    assert isinstance(found, Question)
    assert found.turns == ()


@pytest.mark.parametrize(
    ("raw", "language"),
    [
        ("B1", "pt"),
        ("e para o plano anual?", "pt"),
        ("How do I export all invoices of a year?", "en"),
        ("TL-4012", "pt"),
    ],
)
async def test_a_short_turn_speaks_the_threads_language(raw: str, language: str) -> None:
    """A code or two letters say nothing about a language, a whole sentence does."""
    found = await _question(raw, await _stored("Quanto custa o plano mensal?", language="pt"))
    assert isinstance(found, Question)
    assert found.language == language


async def test_without_a_thread_the_default_is_english() -> None:
    """Nothing to tell the language by."""
    found = await _question("TL-4012")
    assert isinstance(found, Question)
    assert found.language == "en"


async def test_a_message_delivered_twice_does_not_follow_itself() -> None:
    """Its own stored turn is not its history."""
    asked = message("How do I reset my password?")
    store = InMemoryThreadStore()
    turn = Turn(asked.text, text("An answer."), (), "en", Outcome.ANSWERED, asked.received_at)
    await store.remember(asked.thread, turn, message_id=asked.message_id)
    found = await history_stage(asked, ports=ports(threads=store))
    assert isinstance(found, Question)
    assert found.turns == ()


async def test_an_unknown_refusal_is_worded_too() -> None:
    """A reason without a text of its own is "not permitted"."""
    for refusal, said in (("refused_guest", "refused_guest"), ("something new", "not_permitted")):
        ended = await history_stage(replace(message("Where is it?"), refusal=refusal), ports=ports())
        assert isinstance(ended, Ended)
        assert (ended.outcome, ended.said) == (Outcome.NOT_PERMITTED, said)


async def test_after_a_clarifying_question_the_next_reply_is_the_question() -> None:
    """An empty mention leaves no turn that would be dragged along."""
    thread = Conversation()
    assert (await thread.ask("")).outcome is Outcome.CLARIFY
    assert (await thread.ask("How do I reset my password?")).outcome is Outcome.ANSWERED
    assert thread.source.searched == [("How do I reset my password?",)]


@pytest.mark.parametrize("emoji", ["😀😀🎉", "👍", ":thumbsup:", "🤔"])
async def test_emoji_thank_only_for_an_answer(emoji: str) -> None:
    """At top level an emoji asks nothing and is asked back; under an answer a friendly one is thanks."""
    alone = await _question(emoji)
    assert isinstance(alone, Ended)
    assert alone.outcome is Outcome.CLARIFY
    after = await _question(emoji, await _stored("How do I reset my password?"))
    assert isinstance(after, Ended)
    assert after.outcome is (Outcome.CLARIFY if emoji == "🤔" else Outcome.COURTESY)


async def test_the_language_is_asked_with_that_of_the_thread() -> None:
    """Where a port knows the base it is asked, with the thread's language; what it cannot tell is the thread's."""
    asked: list[tuple[str, str]] = []

    def asked_in(raw: str, spoken: str) -> str:
        asked.append((raw, spoken))
        return "uk" if "api" in raw else ""

    own = replace(ports(threads=await _stored("Wie kündige ich?", language="de")), asked_in=asked_in)
    for raw, language in (("api rate limit team", "uk"), ("plan limit rate team", "de")):
        found = await history_stage(message(raw), ports=own)
        assert isinstance(found, Question)
        assert found.language == language
    assert asked == [("api rate limit team", "de"), ("plan limit rate team", "de")]
