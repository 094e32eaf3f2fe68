"""One question, one reply: whatever fails between respond, post and remember."""

from dataclasses import dataclass, field, replace

import pytest

from bot.errors import PlatformUnavailable, ReplyRejected, StateUnavailable, WorkTaken
from bot.lead.receipts import Receipt, receipt_from_json, receipt_to_json
from bot.messages import AcceptedMessage, Answer, MessageId, Outcome, Platform, Reply, ThreadRef, Turn
from bot.ports import Handler
from bot.texts import say
from bot.worker import KEPT_PROGRESS, Worker
from retrieval.redaction import RedactedText
from tests.sample_messages import answer, message


@dataclass
class Desk:
    """All four ports at once; each may be told to fail once with an error."""

    failing: dict[str, Exception] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)
    marks: dict[MessageId, tuple[str, Turn | None]] = field(default_factory=dict)
    kept: dict[MessageId, Turn] = field(default_factory=dict)
    stood: list[bool] = field(default_factory=list)
    shown: list[Answer] = field(default_factory=list)
    outcome: Outcome = Outcome.ANSWERED
    receipts: list[Receipt | None] = field(default_factory=list)
    withdrawn_after: int = -1
    waits: list[AcceptedMessage] = field(default_factory=list)

    def _step(self, name: str) -> None:
        self.said.append(name)
        if name in self.failing:
            raise self.failing.pop(name)

    async def respond(self, message: AcceptedMessage, *, is_stateless: bool = False) -> Answer:
        self._step("respond")
        return answer(f"answer to {message.text}", outcome=self.outcome)

    async def post(self, reply: Reply) -> str:
        self._step("post")
        self.stood.append(reply.may_stand)
        self.shown.append(reply.answer)
        return f"post-{reply.message.message_id}"

    async def posted(self, message_id: MessageId, thread: ThreadRef) -> str | None:
        self._step("posted")
        return self.marks[message_id][0] if message_id in self.marks else None

    async def is_post_begun(self, message_id: MessageId, thread: ThreadRef) -> bool:
        if "begun" in self.failing:
            raise self.failing.pop("begun")
        return "posted again" in self.said

    async def begin_post(self, message_id: MessageId, thread: ThreadRef) -> str | None:
        self._step("posted again")
        return self.marks[message_id][0] if message_id in self.marks else None

    async def posted_turn(self, message_id: MessageId, thread: ThreadRef) -> Turn | None:
        return self.marks[message_id][1]

    async def mark_posted(
        self,
        message_id: MessageId,
        thread: ThreadRef,
        *,
        post_id: str,
        turn: Turn | None = None,
        receipt: Receipt | None = None,
    ) -> None:
        self._step("mark")
        self.marks.setdefault(message_id, (post_id, turn))
        self.receipts.append(receipt)

    async def is_withdrawn(self, message: AcceptedMessage, *, asker: str) -> bool:
        if "asked if withdrawn" in self.failing:
            raise self.failing.pop("asked if withdrawn")
        return self.said.count("respond") == self.withdrawn_after

    async def remember(self, thread: ThreadRef, turn: Turn, *, message_id: MessageId) -> None:
        self._step("remember")
        self.kept.setdefault(message_id, turn)

    async def turns(self, thread: ThreadRef) -> tuple[Turn, ...]:
        return tuple(self.kept.values())

    async def ping(self) -> None:
        return None

    async def enqueue(self, message: AcceptedMessage, *, claims: object) -> bool:
        return True

    async def waiting(self, message: AcceptedMessage) -> None:
        self._step(f"note {message.message_id}")

    async def serve(
        self, handle: Handler, *, on_waiting: Handler | None = None, on_given_up: Handler | None = None
    ) -> None:
        assert on_waiting is not None
        for asked in self.waits:
            await on_waiting(asked)
        for name in ("m1", "m2"):
            await handle(message(name))


def worker_of(desk: Desk) -> Worker:
    """Give a worker whose every port is the desk."""
    return Worker(desk, desk, store=desk, posters={Platform.SLACK: desk})


def count(desk: Desk, step: str) -> int:
    """How often a step was begun."""
    return desk.said.count(step)


async def test_respond_then_post_then_remember() -> None:
    """The steps come in this order, once each, and the turn that was posted is kept."""
    desk = Desk()
    await worker_of(desk).run()
    assert desk.said[:6] == ["posted", "respond", "posted again", "post", "mark", "remember"]
    assert desk.marks["m1"] == ("post-m1", desk.kept[MessageId("m1")])
    assert desk.kept[MessageId("m1")].answer == "answer to question m1"


async def test_a_posted_message_is_neither_answered_nor_posted_again() -> None:
    """A second delivery after the reply only keeps the turn, which lies with the mark."""
    desk = Desk()
    await worker_of(desk).handle(message())
    desk.kept.clear()
    desk.said.clear()
    await worker_of(desk).handle(message())
    assert desk.said == ["posted", "remember"]
    assert desk.kept[MessageId("m1")].answer == "answer to question m1"


async def test_a_reply_without_a_turn_is_marked_all_the_same() -> None:
    """A greeting leaves no history, and is still answered once."""
    desk = Desk(outcome=Outcome.COURTESY)
    for _ in range(2):
        await worker_of(desk).handle(message())
    assert (count(desk, "post"), count(desk, "remember"), desk.marks["m1"]) == (1, 0, ("post-m1", None))


FAILURES = [
    ("posted", StateUnavailable("away")),
    ("post", PlatformUnavailable("slow down", retry_after_s=1.0)),
    ("mark", StateUnavailable("away")),
    ("remember", StateUnavailable("away")),
]


@pytest.mark.parametrize(("step", "error"), FAILURES)
async def test_a_failed_attempt_repeats_nothing_that_was_done(step: str, error: Exception) -> None:
    """Tried again after any failing step, the model is asked once, the post that succeeded is made once."""
    desk = Desk(failing={step: error})
    worker = worker_of(desk)
    with pytest.raises(type(error)):
        await worker.handle(message())
    await worker.handle(message())
    assert count(desk, "respond") == 1
    assert count(desk, "post") == (2 if step == "post" else 1)
    assert (set(desk.marks), set(desk.kept)) == ({"m1"}, {"m1"})


@pytest.mark.parametrize(
    ("failing", "stood"),
    [
        ({}, [False]),
        ({"post": PlatformUnavailable("cut off")}, [True]),
        ({"begun": StateUnavailable("away")}, [True]),
    ],
)
async def test_the_poster_is_told_of_an_unclear_attempt(failing: dict[str, Exception], stood: list[bool]) -> None:
    """After an attempt to post that did not end, or when nobody knows, the poster is told to look first."""
    desk = Desk(failing=dict(failing))
    worker = worker_of(desk)
    if "post" in failing:
        with pytest.raises(PlatformUnavailable):
            await worker.handle(message())
    await worker.handle(message())
    assert desk.stood == stood


async def test_redis_lost_after_pick_up_still_gives_the_answer() -> None:
    """The look right before posting may fail: the asker is answered and told of it, and the mark is made up for later."""
    desk = Desk(failing={"posted again": StateUnavailable("away")})
    await worker_of(desk).handle(message())
    assert (count(desk, "post"), desk.marks["m1"][0]) == (1, "post-m1")
    assert [notice.text for notice in desk.shown[0].notices] == [say("turn_lost", "en")]


async def test_a_reply_tried_again_with_redis_there_says_nothing_of_it() -> None:
    """The notice belongs to the attempt, not to the answer that is kept for the next one."""
    desk = Desk(failing={"posted again": StateUnavailable("full"), "post": PlatformUnavailable("503")})
    worker = worker_of(desk)
    with pytest.raises(PlatformUnavailable):
        await worker.handle(message())
    await worker.handle(message())
    assert [shown.notices for shown in desk.shown] == [()]


async def test_a_message_taken_over_is_not_posted_here() -> None:
    """Told that another worker has the message, this one posts nothing and forgets what it had."""
    desk = Desk(failing={"posted again": WorkTaken("taken")})
    worker = worker_of(desk)
    with pytest.raises(WorkTaken):
        await worker.handle(message())
    assert (count(desk, "post"), desk.marks) == (0, {})
    desk.marks[MessageId("m1")] = ("theirs", None)
    await worker.handle(message())
    assert count(desk, "post") == 0


async def test_an_answer_posted_meanwhile_is_not_posted_again() -> None:
    """When another worker posted while this one was answering, its post is the reply."""
    desk = Desk()

    class Meanwhile(Desk):
        async def respond(self, message: AcceptedMessage, *, is_stateless: bool = False) -> Answer:
            desk.marks[message.message_id] = ("theirs", None)
            return await desk.respond(message)

    await Worker(desk, Meanwhile(), store=desk, posters={Platform.SLACK: desk}).handle(message())
    assert (count(desk, "post"), desk.marks["m1"][0]) == (0, "theirs")


async def test_a_rejected_reply_is_an_end(caplog: pytest.LogCaptureFixture) -> None:
    """What the platform will never take is logged without its words and not tried again; nothing becomes history."""
    desk = Desk(failing={"post": ReplyRejected("planted-secret")})
    await worker_of(desk).handle(message())
    assert (desk.marks, desk.kept) == ({}, {})
    assert "reply rejected" in caplog.text
    assert "planted-secret" not in caplog.text


async def test_a_platform_without_a_poster_is_kept_for_one_that_has() -> None:
    """A process that does not serve the platform loses nothing: the message stays in the queue."""
    desk = Desk()
    with pytest.raises(PlatformUnavailable):
        await Worker(desk, desk, store=desk, posters={}).handle(message())
    assert count(desk, "respond") == 0


async def test_names_are_redacted_before_anything_is_answered_or_stored() -> None:
    """What `prepare` gives is what is answered, posted and remembered; a retry does not prepare again."""
    desk = Desk(failing={"post": PlatformUnavailable("away")})
    calls = []

    async def prepare(asked: AcceptedMessage) -> AcceptedMessage:
        calls.append(asked)
        return replace(asked, text=RedactedText.stored("[NAME] asks"))

    worker = Worker(desk, desk, store=desk, posters={Platform.SLACK: desk}, prepare={Platform.SLACK: prepare})
    with pytest.raises(PlatformUnavailable):
        await worker.handle(message())
    await worker.handle(message())
    assert len(calls) == 1
    kept = desk.kept[MessageId("m1")]
    assert (kept.question, kept.answer) == ("[NAME] asks", "answer to [NAME] asks")


async def test_messages_given_up_do_not_pile_up() -> None:
    """What never comes to an end is forgotten, oldest first, once there is too much of it."""
    desk = Desk()
    worker = Worker(desk, desk, store=desk, posters={})
    for n in range(KEPT_PROGRESS + 5):
        with pytest.raises(PlatformUnavailable):
            await worker.handle(message(f"m{n}"))
    assert len(worker._progress) == KEPT_PROGRESS


@pytest.mark.parametrize(("after", "answers"), [(0, 0), (1, 1)])
async def test_a_withdrawn_message_is_not_answered(after: int, answers: int) -> None:
    """Deleted or forgotten before it was begun, or while it was answered: nothing is posted and nothing kept."""
    desk = Desk(withdrawn_after=after)
    await worker_of(desk).handle(message())
    assert (count(desk, "respond"), count(desk, "post"), desk.kept, desk.marks) == (answers, 0, {}, {})


async def test_without_redis_a_message_that_was_picked_up_is_answered() -> None:
    """Nobody can say whether it was withdrawn: the asker gets the answer."""
    desk = Desk({"asked if withdrawn": StateUnavailable("away")}, withdrawn_after=-1)
    await worker_of(desk).handle(message())
    assert count(desk, "post") == 1


async def test_the_turn_and_the_receipt_name_the_asker_by_a_pseudonym() -> None:
    """What is kept knows who asked only by a hash; the receipt says where the reply stands and what it cites."""

    async def name_of(user_id: str) -> str:
        return f"hash of {user_id}"

    desk = Desk()
    worker = Worker(desk, desk, store=desk, posters={Platform.SLACK: desk}, name_of=name_of)
    await worker.handle(message())
    (receipt,) = desk.receipts
    assert receipt is not None
    assert (receipt.asker, receipt.post_ids, receipt.cited) == ("hash of U1", ("post-m1",), ("kb-101",))
    assert desk.kept[MessageId("m1")].asker == "hash of U1"
    assert receipt_from_json(receipt_to_json(receipt)) == receipt
    assert receipt_from_json("{}") is None


async def test_who_waits_is_told_where_the_platform_can() -> None:
    """A note goes out through the platform's notes; a refused question gets its refusal soon enough."""
    desk = Desk(waits=[message("m1"), replace(message("m2"), refusal="over_limit")])
    await worker_of(desk).run(notes={Platform.SLACK: desk})
    await worker_of(desk).run()
    assert [step for step in desk.said if step.startswith("note")] == ["note m1"]


async def test_given_up_says_so_unless_a_reply_stands() -> None:
    """The asker of a question that is given up gets one word, which is not marked, so that a retry may replace it."""
    desk = Desk()
    await worker_of(desk).give_up(message("m1"))
    assert (desk.said, desk.stood, desk.marks) == (["posted", "post"], [True], {})
    desk.marks[MessageId("m1")] = ("post-m1", None)
    await worker_of(desk).give_up(message("m1"))
    await Worker(desk, desk, store=desk, posters={}).give_up(message("m1"))
    assert count(desk, "post") == 1
