"""Frozen values that pass between the stages, the adapters and the stores.

Longer than other modules: it is the one vocabulary of the flow, in the order in which a question becomes an answer.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NewType

from retrieval.passages import Band, GateScore, Passage, Ranking, SourceText
from retrieval.redaction import EMPTY, RedactedText

MessageId = NewType("MessageId", str)
ThreadKey = NewType("ThreadKey", str)


class Platform(StrEnum):
    """Where a question came from."""

    SLACK = "slack"
    TEAMS = "teams"
    HTTP = "http"
    CONSOLE = "console"


class Outcome(StrEnum):
    """How a question ended; each has its own words in `texts`."""

    ANSWERED = "answered"
    NO_MATCH = "no_match"
    OFF_TOPIC = "off_topic"
    CLARIFY = "clarify"
    COURTESY = "courtesy"
    NOT_PERMITTED = "not_permitted"
    UNAVAILABLE = "unavailable"


class Mode(StrEnum):
    """Who wrote the words of an answer."""

    EXTRACTIVE = "extractive"
    MODEL = "model"


class NoticeKind(StrEnum):
    """What the reader must know beside the answer."""

    UNCERTAIN = "uncertain"
    CONFLICT = "conflict"
    STALE = "stale"
    SUPERSEDED = "superseded"
    TRUNCATED = "truncated"
    DEGRADED = "degraded"
    WITHDRAWN = "withdrawn"
    INCIDENT = "incident"


@dataclass(frozen=True, slots=True)
class ThreadRef:
    """Names one thread. Tenant is Slack's team or Teams' tenant; the thread id is the root message of the thread."""

    platform: Platform
    tenant_id: str
    channel_id: str
    thread_id: str

    @property
    def key(self) -> ThreadKey:
        """One text that names the thread in stores; never shown to people."""
        return ThreadKey(f"{self.platform}/{self.tenant_id}/{self.channel_id}/{self.thread_id}")


@dataclass(frozen=True, slots=True)
class Heard:
    """What somebody else said in the thread, or what stands in a file of it; quoted, never obeyed.

    `by` is "asker", "person 1", …, "app", or "file" with its name in `name`; `at` is seconds since the epoch.
    """

    text: RedactedText
    by: str
    at: float
    name: RedactedText = EMPTY


@dataclass(frozen=True, slots=True)
class AcceptedMessage:
    """A verified, decoded and redacted question, as it lies in the work queue.

    `routing` is the adapter's own: what it needs to post the reply (response URL, service URL, user id for an ephemeral
    post). `audience` are the visibility labels that the asker may see. `refusal` is set when the reply is decided
    already (not permitted, over the limit). `times` are seconds since the epoch. `marked` is the text with marked tokens
    (`[EMAIL#…]`), from which history numbers them; empty where nothing is to be numbered. `heard` is what a platform says of
    the thread around the question, oldest first; it is looked up when the question is answered and lies in no store.
    """

    message_id: MessageId
    thread: ThreadRef
    user_id: str
    text: RedactedText
    received_at: float
    audience: tuple[str, ...] = ("public", "internal")
    is_direct: bool = False
    is_command: bool = False
    is_truncated: bool = False
    refusal: str = ""
    routing: tuple[tuple[str, str], ...] = ()
    marked: RedactedText = EMPTY
    heard: tuple[Heard, ...] = ()

    def route(self, name: str) -> str:
        """Give one routing value, empty when absent."""
        return dict(self.routing).get(name, "")

    @property
    def task(self) -> str:
        """What is wanted instead of an answer: a draft for the customer, a person, a source; empty for a question."""
        return self.route("do")


@dataclass(frozen=True, slots=True)
class Turn:
    """One question with its reply, as history keeps it. `asked_at` is seconds since the epoch, `asker` a pseudonym.

    `withdrawn_ids` are sources that it had cited and that are no more; its answer is then only that. Tokens in both are numbered; `labels` tells which mark of the question has which number. `is_foreign`: somebody else
    asked it than who asks now; `is_heard`: nobody asked the bot, it only stands in the thread. Both are set when it is read.
    """

    question: RedactedText
    answer: RedactedText
    cited_ids: tuple[str, ...]
    language: str
    outcome: Outcome
    asked_at: float
    cost_usd: float | None = 0.0
    asker: str = ""
    labels: tuple[tuple[str, str], ...] = ()
    is_foreign: bool = False
    withdrawn_ids: tuple[str, ...] = ()
    is_heard: bool = False


@dataclass(frozen=True, slots=True)
class Usage:
    """What the model calls of one turn used. `cost_usd` is None when a price is unknown."""

    input_tokens: int = 0
    cached_input_tokens: int = 0
    output_tokens: int = 0
    calls: int = 0
    cost_usd: float | None = 0.0


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the earlier turns of its thread, oldest first.

    `text` and `turns` have plain tokens, as the index has them; `told` is what a model reads: the same with numbered ones.
    """

    message: AcceptedMessage
    text: RedactedText
    language: str
    turns: tuple[Turn, ...] = ()
    is_history_lost: bool = False
    told: "Told | None" = None

    @property
    def as_told(self) -> "Told":
        """The question and its turns as a model reads them."""
        return self.told or Told(self.text, self.turns)


@dataclass(frozen=True, slots=True)
class Told:
    """A question, the earlier turns with numbered tokens, what else was said around it; `labels` of the question's marks.

    `given` are the answers that its thread has already, where the message names no subject of its own ("more", "and then?").
    """

    text: RedactedText
    turns: tuple[Turn, ...]
    labels: tuple[tuple[str, str], ...] = ()
    heard: tuple[Heard, ...] = ()
    given: tuple[RedactedText, ...] = ()


@dataclass(frozen=True, slots=True)
class GatedQuestion:
    """A question that the gate let through, or was unsure of; `named` are the sources that it names by their ids."""

    question: Question
    gate: GateScore
    named: tuple[SourceText, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """One of several questions in a message: as asked, and standing alone."""

    asked: RedactedText
    standalone: RedactedText


@dataclass(frozen=True, slots=True)
class Queries:
    """What is searched: the question as asked, and standing alone (the same when it already does).

    `parts` are the questions in it when it holds more than one; none otherwise. `context` is the question with what its
    thread was about, searched for the fourth and fifth place only, so that answers do not list it among their queries.
    """

    gated: GatedQuestion
    as_asked: RedactedText
    standalone: RedactedText
    expansions: tuple[RedactedText, ...] = ()
    usage: Usage = field(default_factory=Usage)
    parts: tuple[Part, ...] = ()
    context: tuple[RedactedText, ...] = ()


@dataclass(frozen=True, slots=True)
class Retrieved:
    """Passages for the queries; `parts` are the rankings of the question's parts, each searched alone."""

    queries: Queries
    ranking: Ranking
    parts: tuple[Ranking, ...] = ()

    @property
    def missing(self) -> tuple[Part, ...]:
        """The parts that have no source."""
        found = zip(self.queries.parts, self.parts, strict=True) if self.parts else ()
        return tuple(part for part, ranking in found if ranking.band is Band.NONE)


@dataclass(frozen=True, slots=True)
class SentenceRef:
    """Points at one evidence sentence: index of the passage given to the answer stage, index of its sentence."""

    passage: int
    sentence: int


@dataclass(frozen=True, slots=True)
class DraftSentence:
    """A sentence of an answer and the evidence it names; `is_quote` when it is the evidence itself.

    `item` is the sign that a model put before it in a list ("2.", "-"); `begins_line`: it wrote it on a line of its own.
    """

    text: RedactedText
    refs: tuple[SentenceRef, ...]
    is_quote: bool = False
    item: str = ""
    begins_line: bool = False


@dataclass(frozen=True, slots=True)
class Notice:
    """A remark beside the answer, in the asker's language."""

    kind: NoticeKind
    ids: tuple[str, ...]
    text: RedactedText


@dataclass(frozen=True, slots=True)
class DraftAnswer:
    """Sentences before verification; `passages` is what `SentenceRef.passage` counts in.

    `is_partial`: a model is still writing, and more may follow.
    """

    retrieved: Retrieved
    passages: tuple[Passage, ...]
    sentences: tuple[DraftSentence, ...]
    mode: Mode
    usage: Usage = field(default_factory=Usage)
    notices: tuple[Notice, ...] = ()
    model: str | None = None
    prompt: str | None = None
    is_partial: bool = False


@dataclass(frozen=True, slots=True)
class Citation:
    """One cited source, numbered as in the text."""

    n: int
    id: str
    kind: str
    title: RedactedText
    url: str | None
    updated_at: str
    quote: RedactedText


@dataclass(frozen=True, slots=True)
class Hit:
    """One searched document with its scores, as `--explain` and "why this answer" show it."""

    id: str
    chunk: str
    title: RedactedText
    bm25: float
    cosine: float
    fused: float
    relevance: float
    used: bool


@dataclass(frozen=True, slots=True)
class Triage:
    """Where such cases went and what to do next; voted by retrieved tickets."""

    queue: str
    confidence: float
    basis: tuple[str, ...]
    next_step: RedactedText
    similar: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Provenance:
    """What made this answer."""

    index: str = ""
    calibration: str = ""
    model: str | None = None
    prompt: str | None = None
    build: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """The whole answer; `bot.answers.answer_json` gives the object of the public contract.

    `cut` and `uncertain_cut` are the relevances (0 to 1) from which a source counts as answering, or as uncertain; None
    when nothing was searched. `held` are ids of documents that would answer and wait for a decision; they are not shown.
    `told` is the question as history keeps it; `corrections` are the keys of what the lead set right that made this answer.
    """

    outcome: Outcome
    text: RedactedText
    language: str
    request_id: str
    citations: tuple[Citation, ...] = ()
    notices: tuple[Notice, ...] = ()
    queries: tuple[RedactedText, ...] = ()
    hits: tuple[Hit, ...] = ()
    nearest: tuple[Hit, ...] = ()
    triage: Triage | None = None
    gate: GateScore | None = None
    mode: Mode = Mode.EXTRACTIVE
    provenance: Provenance = field(default_factory=Provenance)
    usage: Usage = field(default_factory=Usage)
    thread_cost_usd: float | None = 0.0
    timings_ms: tuple[tuple[str, float], ...] = ()
    cut: float | None = None
    uncertain_cut: float | None = None
    held: tuple[str, ...] = ()
    told: Told | None = None
    corrections: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer on its way to the thread that asked.

    `may_stand`: an earlier attempt had begun to post it and never said how that ended; a poster that can looks first.
    """

    message: AcceptedMessage
    answer: Answer
    may_stand: bool = False
