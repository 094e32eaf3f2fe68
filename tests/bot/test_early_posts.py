"""What comes before the first word of an answer that is shown while it is written, seen from the worker."""

from dataclasses import dataclass, field, replace

import pytest

from bot.early import offered
from bot.errors import PlatformUnavailable, StateUnavailable, WorkTaken
from bot.messages import AcceptedMessage, Answer, MessageId, Reply, ThreadRef
from bot.worker import Worker
from tests.bot.test_worker import Desk, count, worker_of
from tests.sample_messages import answer, message


@dataclass
class EarlyDesk(Desk):
    """A desk that shows two beginnings of every answer; what ends them is kept in `ends`."""

    is_shown: bool = True
    is_more_wanted: bool = True
    ends: list[str] = field(default_factory=list)
    deleted_at: str = ""

    def may_show(self, message: AcceptedMessage) -> bool:
        return self.is_shown

    async def show(self, reply: Reply) -> bool:
        self._step("show")
        return self.is_more_wanted

    async def left(self, message: AcceptedMessage) -> None:
        self._step("left")

    async def is_withdrawn(self, message: AcceptedMessage, *, asker: str) -> bool:
        self.said.append("withdrawn?")
        return self.deleted_at in self.said or await super().is_withdrawn(message, asker=asker)

    async def respond(self, message: AcceptedMessage, *, is_stateless: bool = False) -> Answer:
        sink = offered()
        self.said.append("sink" if sink else "no sink")
        for _ in range(2 if sink else 0):
            assert sink is not None
            try:
                await sink.show(answer("answer"))
            except Exception as error:
                self.ends.append(type(error).__name__)
                break
        return await super().respond(message, is_stateless=is_stateless)


async def test_the_note_comes_before_the_first_word() -> None:
    """Withdrawn? Then the note that a post begins, then the words; a run that shows its own words does not look for others'."""
    desk = EarlyDesk()
    await worker_of(desk).handle(message())
    first = ["withdrawn?", "sink", "withdrawn?", "posted again", "show", "withdrawn?", "posted again", "show"]
    assert desk.said == ["posted", *first, "respond", "withdrawn?", "posted again", "post", "mark", "remember"]
    assert (desk.stood, desk.ends) == ([False], [])


async def test_where_something_may_stand_nothing_is_shown_early() -> None:
    """A run before this one had begun to post: the answer is posted whole, by looking first."""
    desk = EarlyDesk(said=["posted again"])
    await worker_of(desk).handle(message())
    assert ("no sink" in desk.said, count(desk, "show"), desk.stood) == (True, 0, [True])


async def test_a_second_try_in_this_process_shows_nothing() -> None:
    """The answer is there already; only its post is tried again."""
    desk = EarlyDesk({"post": PlatformUnavailable("away")})
    worker = worker_of(desk)
    with pytest.raises(PlatformUnavailable):
        await worker.handle(message())
    await worker.handle(message())
    assert (count(desk, "show"), count(desk, "respond"), desk.stood) == (2, 1, [True])


async def test_a_question_deleted_in_the_middle() -> None:
    """After the first words no more are shown, nothing is posted, and the poster is told to take them away."""
    desk = EarlyDesk(deleted_at="show")
    await worker_of(desk).handle(message())
    assert (count(desk, "show"), count(desk, "post"), desk.said[-1], desk.marks) == (1, 0, "left", {})
    assert desk.ends == ["EarlyOver"]


async def test_a_poster_that_wants_no_more_gets_the_whole() -> None:
    """Refused by the platform: the post follows, and nobody else can have posted."""
    desk = EarlyDesk(is_more_wanted=False)
    await worker_of(desk).handle(message())
    assert (count(desk, "show"), desk.stood, desk.ends) == (1, [False], ["EarlyOver"])


@pytest.mark.parametrize(
    ("failing", "shown", "ends"),
    [
        ({"posted again": StateUnavailable("away")}, 0, ["StateUnavailable"]),
        ({"asked if withdrawn": StateUnavailable("away")}, 2, []),
        ({"show": PlatformUnavailable("away")}, 1, ["PlatformUnavailable"]),
    ],
)
async def test_faults_before_a_word(failing: dict[str, Exception], shown: int, ends: list[str]) -> None:
    """Without the durable note no word is shown; the answer comes in any case."""
    desk = EarlyDesk(dict(failing))
    await worker_of(desk).handle(message())
    assert (count(desk, "show"), count(desk, "post"), desk.ends) == (shown, 1, ends)


async def test_a_message_taken_over_is_left_alone() -> None:
    """Another worker has it: no word, no post."""

    class Taken(EarlyDesk):
        async def begin_post(self, message_id: MessageId, thread: ThreadRef) -> str | None:
            raise WorkTaken("taken")

    desk = Taken()
    with pytest.raises(WorkTaken):
        await worker_of(desk).handle(message())
    assert (count(desk, "show"), count(desk, "post"), desk.ends) == (0, 0, ["WorkTaken"])


async def test_an_answer_that_stands_already() -> None:
    """Found at the look before the first word: it is the reply."""
    desk = EarlyDesk()
    other = EarlyDesk()

    class Meanwhile(EarlyDesk):
        async def respond(self, message: AcceptedMessage, *, is_stateless: bool = False) -> Answer:
            desk.marks[message.message_id] = ("theirs", None)
            return await desk.respond(message)

    worker = Worker(desk, Meanwhile(), store=desk, posters={message().thread.platform: other})
    await worker.handle(replace(message()))
    assert (count(other, "show"), count(other, "post"), desk.ends) == (0, 0, ["EarlyOver"])
