"""Where corrections meet the flow: right after the question is known, or for a follow-up once it stands alone."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.answers.compose import cited, visible
from bot.checks.closed_output import hosts_of
from bot.ends import Ended, Progress, answer_of_end, partial_answer
from bot.flow import Ports
from bot.lead.corrections import Correction, CorrectionKind, digest_of
from bot.messages import Answer, Outcome, Queries, Question
from bot.ports import PassageSource
from retrieval.passages import Band, GateScore, Ranking, SourceText
from retrieval.redaction import RedactedText

_QUOTE_CHARACTERS = 300


@dataclass(frozen=True, slots=True)
class Corrected:
    """What corrections made of a question: its answer when they decide it, the ports for what follows, and their keys."""

    ports: Ports
    answer: Answer | None = None
    keys: tuple[str, ...] = ()


async def corrected(reached: Progress, ports: Ports) -> Corrected:
    """Give the answer that the lead decided on, and the ports for what follows, which find nothing that is hidden.

    Of refusing and pinning the newer one counts. A pin is skipped when one of its sources is gone, says something else than then,
    or is not for this asker: the question is answered as any other.

    Raises:
        RetrievalError: the index cannot be read.
    """
    asked = _asked(reached)
    if asked is None or ports.corrections is None:
        return Corrected(ports)
    question, text = asked
    found = await ports.corrections.of(text, question.language)
    for one in found:
        if one.kind is CorrectionKind.REFUSE:
            return Corrected(ports, answer_of_end(Ended(Outcome.NO_MATCH, "no_match", reached)), (one.key,))
        if one.kind is CorrectionKind.PIN and (
            sources := await standing(one, ports.passages, question.message.audience)
        ):
            return Corrected(ports, _pinned(one, sources, reached), (one.key,))
    hiding = [one for one in found if one.kind is CorrectionKind.HIDE]
    if not hiding:
        return Corrected(ports)
    passages = WithoutHidden(ports.passages, frozenset(name for one in hiding for name in one.ids))
    return Corrected(replace(ports, passages=passages), keys=tuple(one.key for one in hiding))


async def standing(pin: Correction, passages: PassageSource, audience: Sequence[str]) -> tuple[SourceText, ...]:
    """Give the sources of a pin; none unless all are there, for this audience, and say what they said when it was made."""
    found = []
    for rests in pin.sources:
        source = await passages.document(rests.id, audience=frozenset(audience))
        if source is None or digest_of(source.card.title, source.text) != rests.digest:
            return ()
        found.append(source)
    return tuple(found)


def _asked(reached: Progress) -> tuple[Question, RedactedText] | None:
    """Give the question with the words in which it stands alone; None where it is not known yet, or was looked up before."""
    match reached:
        case Question(turns=()):
            return reached, reached.text
        case Queries() if reached.gated.question.turns:
            return reached.gated.question, reached.standalone
        case _:
            return None


def _pinned(pin: Correction, sources: Sequence[SourceText], reached: Progress) -> Answer:
    hosts = hosts_of(source.card.url for source in sources).union(*(source.hosts for source in sources))
    marks = RedactedText.stored("".join(f"[{n}]" for n in range(1, len(sources) + 1)))
    citations = (
        cited(n, source.card, visible(source.text.cut(_QUOTE_CHARACTERS), hosts)) for n, source in enumerate(sources, 1)
    )
    text = RedactedText.joined((visible(pin.answer, hosts), marks), " ")
    return replace(partial_answer(reached, Outcome.ANSWERED), text=text, citations=tuple(citations), nearest=())


@dataclass(frozen=True, slots=True)
class WithoutHidden:
    """A `PassageSource` that finds everything but some documents. What was left out as their copy says the same, and stays out."""

    passages: PassageSource
    hidden: frozenset[str]

    async def search(self, queries: Sequence[RedactedText], *, audience: frozenset[str], top_k: int = 8) -> Ranking:
        """Rank what is left, judged by its own best passage."""
        ranking = await self.passages.search(queries, audience=audience, top_k=top_k + len(self.hidden))
        kept = tuple(one for one in ranking.passages if one.document.id not in self.hidden)
        if len(kept) == len(ranking.passages):
            return replace(ranking, passages=kept[:top_k])
        best = max((one.relevance for one in kept), default=-1.0)
        judged = (
            Band.ANSWERED if best >= ranking.cut else Band.UNCERTAIN if best >= ranking.uncertain_cut else Band.NONE
        )
        return replace(ranking, passages=kept[:top_k], band=judged)

    async def document(self, document_id: str, *, audience: frozenset[str]) -> SourceText | None:
        """Give one source, None also when it is hidden."""
        return None if document_id in self.hidden else await self.passages.document(document_id, audience=audience)

    async def held(self, queries: Sequence[RedactedText], *, audience: frozenset[str]) -> tuple[str, ...]:
        """Name what waits for a decision."""
        return await self.passages.held(queries, audience=audience)

    async def gate(self, text: RedactedText, previous: RedactedText | None) -> GateScore:
        """Judge the topic."""
        return await self.passages.gate(text, previous)

    async def similarity(self, left: Sequence[RedactedText], right: Sequence[RedactedText]) -> list[list[float]]:
        """Give raw cosines."""
        return await self.passages.similarity(left, right)

    async def ping(self) -> None:
        """Raise the typed error when questions cannot be searched now."""
        await self.passages.ping()
