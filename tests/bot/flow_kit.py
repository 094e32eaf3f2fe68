"""What the tests of the flow share: a pipeline over fakes, and messages."""

from bot.flow import FlowLimits, Ports
from bot.messages import AcceptedMessage, Answer, MessageId, Platform, ThreadRef
from bot.pipeline import Pipeline
from bot.ports import ChatModel, ThreadStore
from bot.questions.turns import remember_turn
from retrieval.language import language_of
from retrieval.passages import DocumentCard, Passage
from retrieval.redaction import RedactedText, Redactor
from tests.fakes import FakePassageSource, FixedClock, InMemoryThreadStore, make_passage

NOW = 1_790_000_000.0  # 2026-09-21
THREAD = ThreadRef(Platform.CONSOLE, "local", "local", "t1")
REDACTOR = Redactor()


def text(raw: str) -> RedactedText:
    """Seal a test's own text."""
    return REDACTOR.redact(raw).text


def message(
    raw: str, *, number: int = 1, at: float = NOW, refusal: str = "", is_truncated: bool = False
) -> AcceptedMessage:
    """Make an accepted question."""
    return AcceptedMessage(
        message_id=MessageId(f"m{number}"),
        thread=THREAD,
        user_id="u1",
        text=text(raw),
        received_at=at,
        refusal=refusal,
        is_truncated=is_truncated,
    )


def card(id_: str, **facts: object) -> DocumentCard:
    """Make a document card."""
    title = text(str(facts.pop("title", f"About {id_}")))
    return DocumentCard(id_, title, **facts)  # type: ignore[arg-type]


RESET: Passage = make_passage(
    card("kb-101", lang="en", url="https://help.example.com/reset", updated_at="2026-09-14"),
    ("Open the console and choose Forgot password.", 0.88),
    ("The link works once and expires after 30 minutes.", 0.86),
    ("Billing is a different matter and is described elsewhere.", 0.79),
)


def ports(
    source: FakePassageSource | None = None,
    *,
    threads: ThreadStore | None = None,
    model: ChatModel | None = None,
    limits: FlowLimits | None = None,
) -> Ports:
    """Bundle fakes."""
    return Ports(
        passages=source or FakePassageSource(RESET),
        redact=lambda raw: REDACTOR.redact(raw).text,
        clock=FixedClock(NOW),
        threads=threads,
        model=model,
        language_of=language_of,
        limits=limits or FlowLimits(),
        build="test",
    )


async def ask(raw: str, source: FakePassageSource | None = None, model: ChatModel | None = None) -> Answer:
    """Ask one question without a thread."""
    return await Pipeline(ports(source, model=model)).respond(message(raw))


class Conversation:
    """A thread over fakes; every `ask` is the next message of it, ten seconds later."""

    def __init__(self, source: FakePassageSource | None = None, model: ChatModel | None = None) -> None:
        self.source = source or FakePassageSource(RESET)
        self.store = InMemoryThreadStore()
        self.ports = ports(self.source, threads=self.store, model=model)
        self.count = 0

    async def ask(self, raw: str) -> Answer:
        """Ask the next question."""
        self.count += 1
        at = NOW - 100 + 10 * self.count
        asked = message(raw, number=self.count, at=at)
        answer = await Pipeline(self.ports).respond(asked)
        await remember_turn(self.store, asked, answer)
        return answer
