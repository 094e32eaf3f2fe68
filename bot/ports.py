"""What the core needs from the outside, owned by the core. Everything textual is `RedactedText`."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from bot.lead.receipts import Receipt
from bot.messages import (
    AcceptedMessage,
    Answer,
    DraftSentence,
    Heard,
    MessageId,
    Platform,
    Reply,
    ThreadRef,
    Turn,
    Usage,
)
from retrieval.passages import GateScore, Passage, Ranking, SourceText
from retrieval.redaction import RedactedText


class PassageSource(Protocol):
    """Search and topic gate over one index."""

    async def document(self, document_id: str, *, audience: frozenset[str]) -> SourceText | None:
        """Give one source, None when it is unknown, held back, or not for this audience."""
        ...

    async def search(self, queries: Sequence[RedactedText], *, audience: frozenset[str], top_k: int = 8) -> Ranking:
        """Rank the passages for one question said in several ways; the first query is the question as asked.

        Raises:
            RetrievalError: no index, or it does not fit the model.
        """
        ...

    async def held(self, queries: Sequence[RedactedText], *, audience: frozenset[str]) -> tuple[str, ...]:
        """Name the documents that would be the first to answer and wait for a decision; never anything of their text.

        Raises:
            RetrievalError: as for `search`.
        """
        ...

    async def gate(self, text: RedactedText, previous: RedactedText | None) -> GateScore:
        """Judge whether the question belongs here; `previous` is the thread's previous question of a follow-up."""
        ...

    async def similarity(self, left: Sequence[RedactedText], right: Sequence[RedactedText]) -> list[list[float]]:
        """Give raw cosines, `len(left)` rows of `len(right)`; used to check support across languages."""
        ...

    async def ping(self) -> None:
        """Raise the typed error when questions cannot be searched now."""
        ...


@dataclass(frozen=True, slots=True)
class AnswerRequest:
    """What the model is asked. `timeout_s` bounds everything, retries included.

    `style` is how to write, beside the rules; `heard` was said around the question. `written` is told, at once, of each part
    in which a sentence may have ended, and is given what reads the answer so far, on any thread; None when nobody waits.
    """

    question: RedactedText
    language: str
    turns: tuple[Turn, ...]
    passages: tuple[Passage, ...]
    timeout_s: float
    style: str = ""
    heard: tuple[Heard, ...] = ()
    written: "Callable[[Callable[[], ModelAnswer | None]], None] | None" = None


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """What the model said, cut into sentences with the evidence it named; not yet verified."""

    sentences: tuple[DraftSentence, ...]
    usage: Usage
    model: str
    prompt: str
    is_truncated: bool = False


@dataclass(frozen=True, slots=True)
class RewriteRequest:
    """A question with its thread, to be turned into standalone search text."""

    question: RedactedText
    language: str
    turns: tuple[Turn, ...]
    index_languages: tuple[str, ...]
    is_gate_unsure: bool
    timeout_s: float


@dataclass(frozen=True, slots=True)
class ModelRewrite:
    """Standalone search texts, first the one in the asker's language; `is_off_topic` only when the gate was unsure."""

    standalone: RedactedText
    expansions: tuple[RedactedText, ...]
    is_off_topic: bool
    usage: Usage


class ChatModel(Protocol):
    """A model behind the Anthropic Messages API.

    Both calls raise a `ChatModelError`: `ChatModelUnavailable` (may be tried again later), `ChatModelRejected` (key,
    credit or model name: only the operator can help) or `ChatModelOutputInvalid`.
    """

    async def answer(self, request: AnswerRequest) -> ModelAnswer:
        """Answer from the passages only."""
        ...

    async def rewrite(self, request: RewriteRequest) -> ModelRewrite:
        """Say the question so that it stands alone."""
        ...

    async def ping(self) -> None:
        """Raise when the model is out of reach."""
        ...


@dataclass(frozen=True, slots=True)
class Place:
    """A workspace or tenant, or with a channel id one conversation in it."""

    platform: Platform
    tenant_id: str
    channel_id: str = ""

    @property
    def key(self) -> str:
        """One text that names the place in stores."""
        return "/".join(filter(None, (self.platform, self.tenant_id, self.channel_id)))


class ThreadStore(Protocol):
    """History of threads. Raises `StateUnavailable` when Redis is out of reach."""

    async def turns(self, thread: ThreadRef) -> tuple[Turn, ...]:
        """Give the kept turns, oldest first; empty for a new or expired thread."""
        ...

    async def remember(self, thread: ThreadRef, turn: Turn, *, message_id: MessageId) -> None:
        """Append a turn once: the same message id a second time changes nothing."""
        ...

    async def ping(self) -> None:
        """Raise `StateUnavailable` when out of reach."""
        ...


Handler = Callable[[AcceptedMessage], Awaitable[None]]


class Intake(Protocol):
    """The side of the work queue that the platforms' doors see."""

    async def enqueue(self, message: AcceptedMessage, *, claims: Sequence[str]) -> bool:
        """Claim and enqueue in one step; False when any of the claims (names of one event) was taken before."""
        ...


class WorkQueue(Protocol):
    """Durable work: at least once, serial within a thread. Raises `StateUnavailable` when Redis is out of reach."""

    async def enqueue(self, message: AcceptedMessage, *, claims: Sequence[str]) -> bool:
        """Claim and enqueue in one step; False when any of the claims (names of one event) was taken before."""
        ...

    async def serve(
        self, handle: Handler, *, on_waiting: Handler | None = None, on_given_up: Handler | None = None
    ) -> None:
        """Take messages and handle them until cancelled; reclaims what a dead worker left.

        `on_waiting` is told of questions that wait long, one by one, `on_given_up` of those that are given up.
        """
        ...

    async def posted(self, message_id: MessageId, thread: ThreadRef) -> str | None:
        """Give the platform's id of the reply already posted for this message, None when there is none.

        Raises:
            WorkTaken: this process handled the message, but another worker has taken it over.
        """
        ...

    async def is_post_begun(self, message_id: MessageId, thread: ThreadRef) -> bool:
        """Tell whether an attempt to post the reply has begun before, whatever became of it."""
        ...

    async def begin_post(self, message_id: MessageId, thread: ThreadRef) -> str | None:
        """Look right before posting, and leave a note that a post begins; give the id of a reply that stands already.

        Another worker's note without its mark is waited for a little: that worker may be alive and about to mark.

        Raises:
            WorkTaken: as for `posted`.
        """
        ...

    async def posted_turn(self, message_id: MessageId, thread: ThreadRef) -> Turn | None:
        """Give the turn kept with the posted mark, so that a run that died after it can still store it."""
        ...

    async def mark_posted(
        self,
        message_id: MessageId,
        thread: ThreadRef,
        *,
        post_id: str,
        turn: Turn | None = None,
        receipt: Receipt | None = None,
    ) -> None:
        """Remember the reply's platform id and its turn, so that a second delivery posts nothing, and its receipt."""
        ...

    async def is_withdrawn(self, message: AcceptedMessage, *, asker: str) -> bool:
        """Tell whether the message was deleted, or its thread, place or asker forgotten, since it was asked."""
        ...


class Withdrawals(Protocol):
    """What the platforms' doors say of messages and places that are gone. Raises `StateUnavailable` without Redis."""

    async def withdraw(self, message_id: MessageId, thread: ThreadRef) -> None:
        """Take a deleted message out: its turn leaves the history, and it is not answered any more."""
        ...

    async def leave(self, place: Place) -> None:
        """Have everything of a workspace or conversation forgotten that the bot was removed from; soon, not now."""
        ...


class Poster(Protocol):
    """Posts replies on one platform."""

    async def post(self, reply: Reply) -> str:
        """Post into the asking thread and give the platform's ids of the parts, first to last, with spaces between.

        Raises:
            PlatformUnavailable: may be tried again.
            ReplyRejected: never will be taken.
        """
        ...


@runtime_checkable
class Leaves(Protocol):
    """A `Poster` that is told when a question ends with nothing posted."""

    async def left(self, message: AcceptedMessage) -> None:
        """Take away what says that its answer is on the way; never raises for a platform that is away."""
        ...


class Notes(Protocol):
    """Small notes beside replies, on one platform."""

    async def waiting(self, message: AcceptedMessage) -> None:
        """Tell the asker alone that there is a queue and that the answer will come.

        Raises:
            PlatformError: the platform did not take it; nothing depends on it.
        """
        ...


class Responder(Protocol):
    """The whole flow: what every adapter calls and `bot.pipeline.Pipeline` is."""

    async def respond(self, message: AcceptedMessage, *, is_stateless: bool = False) -> Answer:
        """Give the answer of one question. Never raises for a question: faults become outcome `unavailable`.

        History is read, never written: whoever gave the reply stores the turn with `bot.questions.turns.remember_turn`.
        `is_stateless`: history is not even read (Redis away).
        """
        ...


class Clock(Protocol):
    """Time, so that tests can move it."""

    def now(self) -> float:
        """Seconds since the epoch."""
        ...
