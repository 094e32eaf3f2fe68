"""What a search gives back: passages with their scores, ready to be quoted or cited."""

from dataclasses import dataclass
from enum import StrEnum

from retrieval.redaction.redacted_text import RedactedText


class Band(StrEnum):
    """Three bands of calibrated relevance."""

    ANSWERED = "answered"
    UNCERTAIN = "uncertain"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class DocumentCard:
    """What is known of a source beside its text. Dates are ISO 8601 text as given, empty when unknown."""

    id: str
    title: RedactedText
    kind: str = "article"
    url: str | None = None
    lang: str = ""
    updated_at: str = ""
    created_at: str = ""
    status: str = ""
    supersedes: tuple[str, ...] = ()
    valid_until: str = ""
    review_by: str = ""
    visibility: tuple[str, ...] = ("internal",)
    product: str = ""
    queue: str = ""
    owner: str = ""
    quarantined: bool = False


@dataclass(frozen=True, slots=True)
class EvidenceSentence:
    """One quotable sentence of a passage and its raw cosine with the query (−1 to 1).

    `nearness` orders the sentences of all passages for quoting (larger is nearer, no fixed range); it judges nothing.
    Sentences of one `part` follow each other in the text; between two parts something was left out. `heading` has the headings
    above it, for choosing only; sentences of one `section` stand under the same ones, and sections never reach over parts.
    """

    index: int
    text: RedactedText
    similarity: float
    nearness: float = 0.0
    part: int = 0
    heading: str = ""
    section: int = 0


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk returned for a query: the best one of its document.

    `sentences` is the evidence: what may be quoted or sent to a model, in the order of the text. Of a ticket it is the
    agents' resolution only; what the customer wrote was matched against and is not here.
    `copies` are ids of documents that say the same in their best passage and were left out for it.
    `bm25` is 0 and upward, `cosine` raw (−1 to 1), `fused` only orders, `relevance` is calibrated (0 to 1).
    """

    chunk_id: str
    document: DocumentCard
    heading: str
    sentences: tuple[EvidenceSentence, ...]
    bm25: float
    cosine: float
    fused: float
    relevance: float
    copies: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ranking:
    """Passages best first, one a document, with the cut that judged them.

    `hosts` are those of the addresses that the documents of the base have; links to others are not shown. `size` is how many
    documents the base has, 0 when unknown.
    """

    passages: tuple[Passage, ...]
    band: Band
    cut: float
    uncertain_cut: float
    index_id: str
    calibration_id: str
    hosts: frozenset[str] = frozenset()
    size: int = 0


@dataclass(frozen=True, slots=True)
class SourceText:
    """One source as its own page shows it; of a ticket only the agents' resolution. Links lead to `hosts`, as of a ranking."""

    card: DocumentCard
    text: RedactedText
    hosts: frozenset[str] = frozenset()


class GateVerdict(StrEnum):
    """What the topic gate says of a question; ASK means unsure."""

    ANSWER = "answer"
    ASK = "ask"
    DECLINE = "decline"


@dataclass(frozen=True, slots=True)
class GateScore:
    """The gate's decision and its score (0 off-topic to 1 on-topic)."""

    verdict: GateVerdict
    score: float
