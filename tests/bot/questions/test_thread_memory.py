"""Turns of one run of a command."""

from bot.messages import MessageId, Outcome, Platform, Turn
from bot.questions.accepting import local_thread
from bot.questions.thread_memory import ThreadMemory
from tests.bot.flow_kit import text


async def test_a_turn_is_kept_once_in_its_thread() -> None:
    """In order, one a message, and apart from other threads."""
    memory = ThreadMemory()
    one, other = (local_thread(Platform.CONSOLE, name) for name in ("one", "other"))
    for name in ("a", "b", "a"):
        turn = Turn(text(name), text("yes"), (), "en", Outcome.ANSWERED, 1.0)
        await memory.remember(one, turn, message_id=MessageId(name))
    assert [str(turn.question) for turn in await memory.turns(one)] == ["a", "b"]
    assert await memory.turns(other) == ()
    await memory.ping()
