"""A search that knows only some kinds of sources: a channel for articles alone, or for tickets alone."""

from collections.abc import Sequence
from dataclasses import replace

from bot.ports import PassageSource
from retrieval.passages import Band, GateScore, Ranking, SourceText
from retrieval.redaction import RedactedText

_WIDER = 4  # times as many are searched, since some of them fall out


class OfKinds:
    """A `PassageSource` over another one; no kinds means all."""

    def __init__(self, source: PassageSource, kinds: frozenset[str]) -> None:
        """Search `source` for these kinds of documents."""
        self._source = source
        self._kinds = kinds

    async def document(self, document_id: str, *, audience: frozenset[str]) -> SourceText | None:
        """Give one source, None when it is of another kind, too."""
        found = await self._source.document(document_id, audience=audience)
        return found if found is not None and self._is_known(found.card.kind) else None

    async def search(self, queries: Sequence[RedactedText], *, audience: frozenset[str], top_k: int = 8) -> Ranking:
        """Rank the passages of these kinds; whether anything is relevant is judged by them alone."""
        if not self._kinds:
            return await self._source.search(queries, audience=audience, top_k=top_k)
        found = await self._source.search(queries, audience=audience, top_k=top_k * _WIDER)
        passages = tuple(passage for passage in found.passages if self._is_known(passage.document.kind))[:top_k]
        best = max((passage.relevance for passage in passages), default=-1.0)
        band = Band.ANSWERED if best >= found.cut else Band.UNCERTAIN if best >= found.uncertain_cut else Band.NONE
        return replace(found, passages=passages, band=band)

    async def held(self, queries: Sequence[RedactedText], *, audience: frozenset[str]) -> tuple[str, ...]:
        """Name none where only some kinds count: what waits may be of another."""
        return () if self._kinds else await self._source.held(queries, audience=audience)

    async def gate(self, text: RedactedText, previous: RedactedText | None) -> GateScore:
        """Judge whether the question belongs here."""
        return await self._source.gate(text, previous)

    async def similarity(self, left: Sequence[RedactedText], right: Sequence[RedactedText]) -> list[list[float]]:
        """Give raw cosines, `len(left)` rows of `len(right)`."""
        return await self._source.similarity(left, right)

    async def ping(self) -> None:
        """Raise the typed error when questions cannot be searched now."""
        await self._source.ping()

    def _is_known(self, kind: str) -> bool:
        return not self._kinds or kind in self._kinds
