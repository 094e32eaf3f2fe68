"""Small stand-ins for the flow and the index, for tests of the web doors."""

from collections.abc import Sequence

from bot.messages import (
    AcceptedMessage,
    Answer,
    Citation,
    Hit,
    Mode,
    Notice,
    NoticeKind,
    Outcome,
    Provenance,
    Triage,
    Usage,
)
from retrieval.errors import IndexMissing
from retrieval.passages import Band, DocumentCard, GateScore, GateVerdict, Passage, Ranking, SourceText
from retrieval.redaction import RedactedText

sealed = RedactedText.stored
PLANTED = "<script>alert(1)</script>"


class EchoFlow:
    """Answers every question with what it got; words of the question choose the outcome."""

    def __init__(self) -> None:
        self.messages: list[AcceptedMessage] = []

    async def answer(self, message: AcceptedMessage) -> Answer:
        """Give an answer that names the question and its thread."""
        self.messages.append(message)
        if "unavailable" in message.text:
            return Answer(Outcome.UNAVAILABLE, sealed("Try again."), "en", "r0")
        if "nothing" in message.text:
            near = Hit("kb-140", "kb-140#0", sealed("Printers"), 1.0, 0.8, 0.5, 0.2, used=False)
            return Answer(Outcome.NO_MATCH, sealed("Nothing found."), "en", "r1", nearest=(near,))
        return cited_answer(sealed(f"{message.text} [1]"), turn=len(self.messages))


def cited_answer(text: RedactedText, *, turn: int) -> Answer:
    """Give an answer with everything that a page can show."""
    url = "https://help.x.example/kb-101"
    return Answer(
        Outcome.ANSWERED,
        text,
        "en",
        f"request-{turn}",
        citations=(Citation(1, "kb-101/ä", "article", sealed(f"Reset {PLANTED}"), url, "2026-01-02T00:00", text),),
        notices=(Notice(NoticeKind.STALE, ("kb-101/ä",), sealed("kb-101 was due for review.")),),
        queries=(sealed("as asked"), sealed("as rewritten")),
        hits=(Hit("kb-101/ä", "kb-101/ä#0", sealed("Reset"), 7.25, 0.861, 0.5, 0.91, used=True),),
        triage=Triage("billing", 0.8, ("t-1",), sealed("Refund it"), ("t-1",)),
        gate=GateScore(GateVerdict.ANSWER, 0.97),
        mode=Mode.MODEL,
        provenance=Provenance(index="0123456789abcdef", model="a-model"),
        usage=Usage(input_tokens=100, cached_input_tokens=20, output_tokens=30, calls=1, cost_usd=0.0125),
        thread_cost_usd=0.025,
        timings_ms=(("gate", 1.0), ("total", 12.0)),
        cut=0.5,
        uncertain_cut=0.3,
    )


class TwoSources:
    """An index of one public and one internal document."""

    def __init__(self) -> None:
        self.is_away = False
        self.audiences: list[frozenset[str]] = []

    async def search(self, queries: Sequence[RedactedText], *, audience: frozenset[str], top_k: int = 8) -> Ranking:
        """Give one passage."""
        if self.is_away:
            raise IndexMissing("none")
        self.audiences.append(audience)
        card = DocumentCard("kb-101", sealed("Reset"), visibility=("public",))
        passage = Passage("kb-101#0", card, "", (), 7.25, 0.861, 0.5, 0.91)
        return Ranking((passage,)[:top_k], Band.ANSWERED, 0.5, 0.3, "i", "c")

    async def held(self, queries: Sequence[RedactedText], *, audience: frozenset[str]) -> tuple[str, ...]:
        """Hold nothing back."""
        return ()

    async def gate(self, text: RedactedText, previous: RedactedText | None) -> GateScore:
        """Let everything through."""
        return GateScore(GateVerdict.ANSWER, 1.0)

    async def similarity(self, left: Sequence[RedactedText], right: Sequence[RedactedText]) -> list[list[float]]:
        """Nothing is like anything."""
        return [[0.0] * len(right) for _ in left]

    async def document(self, document_id: str, *, audience: frozenset[str]) -> SourceText | None:
        """Give the public one to everybody, the internal one to insiders."""
        visibility = {"kb-101/ä": "public", "t-1": "internal"}.get(document_id, "")
        if visibility not in audience:
            return None
        kind = "ticket" if document_id == "t-1" else "article"
        card = DocumentCard(document_id, sealed("Reset"), kind=kind, updated_at="2026-01-02", url="https://x.example/a")
        return SourceText(card, sealed(f"# Steps\n\n1. Open **menu**\n\n{PLANTED}\n\n![x](https://evil.example/p.png)"))

    async def ping(self) -> None:
        """Be there."""
