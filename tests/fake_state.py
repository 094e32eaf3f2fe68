"""Fakes of the ports that hold state: queue, thread store and clock, in memory, with the promises of the real ones."""

from collections.abc import Sequence

from bot.errors import StateUnavailable
from bot.lead.receipts import Receipt
from bot.messages import AcceptedMessage, Answer, MessageId, Outcome, ThreadRef, Turn
from bot.ports import Handler
from retrieval.redaction import RedactedText


class FakeClock:
    """A clock that tests move."""

    def __init__(self, now: float = 1_800_000_000.0) -> None:
        self.time = now

    def now(self) -> float:
        return self.time


class FakeWorkQueue:
    """Claims and queues in memory; `is_down` makes every call fail as without Redis."""

    def __init__(self) -> None:
        self.messages: list[AcceptedMessage] = []
        self.claims: set[str] = set()
        self.posts: dict[str, str] = {}
        self.turns: dict[str, Turn | None] = {}
        self.receipts: dict[str, Receipt | None] = {}
        self.withdrawn: set[str] = set()
        self.is_down = False
        self.attempts = 0

    async def enqueue(self, message: AcceptedMessage, *, claims: Sequence[str]) -> bool:
        self.attempts += 1
        if self.is_down:
            raise StateUnavailable("Redis is out of reach")
        is_new = self.claims.isdisjoint(claims)
        self.claims.update(claims)
        if is_new:
            self.messages.append(message)
        return is_new

    async def serve(
        self, handle: Handler, *, on_waiting: Handler | None = None, on_given_up: Handler | None = None
    ) -> None:
        while self.messages:
            await handle(self.messages.pop(0))

    async def posted(self, message_id: MessageId, thread: ThreadRef) -> str | None:
        return self.posts.get(message_id)

    async def is_post_begun(self, message_id: MessageId, thread: ThreadRef) -> bool:
        return False

    async def begin_post(self, message_id: MessageId, thread: ThreadRef) -> str | None:
        return self.posts.get(message_id)

    async def posted_turn(self, message_id: MessageId, thread: ThreadRef) -> Turn | None:
        return self.turns.get(message_id)

    async def is_withdrawn(self, message: AcceptedMessage, *, asker: str) -> bool:
        return message.message_id in self.withdrawn

    async def mark_posted(
        self,
        message_id: MessageId,
        thread: ThreadRef,
        *,
        post_id: str,
        turn: Turn | None = None,
        receipt: Receipt | None = None,
    ) -> None:
        self.receipts[message_id] = receipt
        self.posts.setdefault(message_id, post_id)
        self.turns.setdefault(message_id, turn)

    async def ping(self) -> None:
        if self.is_down:
            raise StateUnavailable("Redis is out of reach")


class FakeThreadStore:
    """Turns in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, list[tuple[MessageId, Turn]]] = {}
        self.is_down = False

    async def turns(self, thread: ThreadRef) -> tuple[Turn, ...]:
        if self.is_down:
            raise StateUnavailable("Redis is out of reach")
        return tuple(turn for _, turn in self.kept.get(thread.key, ()))

    async def remember(self, thread: ThreadRef, turn: Turn, *, message_id: MessageId) -> None:
        kept = self.kept.setdefault(thread.key, [])
        if all(known != message_id for known, _ in kept):
            kept.append((message_id, turn))

    async def ping(self) -> None:
        if self.is_down:
            raise StateUnavailable("Redis is out of reach")


class EchoResponder:
    """Answers every question with itself; an empty one by asking for it, a refused one by refusing."""

    async def respond(self, message: AcceptedMessage, *, is_stateless: bool = False) -> Answer:
        outcome = Outcome.ANSWERED if message.text else Outcome.CLARIFY
        outcome = Outcome.NOT_PERMITTED if message.refusal else outcome
        text = RedactedText.joined((RedactedText.stored("Answer to:"), message.text))
        return Answer(outcome=outcome, text=text, language="en", request_id="r1")
