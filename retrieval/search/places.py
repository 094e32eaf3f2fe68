"""Places shared between the parts of a question, so that the part with the nearer sources does not take them all."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar, overload

from retrieval.passages import Band, Passage, Ranking

_BANDS = (Band.NONE, Band.UNCERTAIN, Band.ANSWERED)

Text = TypeVar("Text", bound=str)


@dataclass(frozen=True, slots=True)
class SearchPlan(Sequence[Text]):
    """What is searched for one question.

    `queries` are ways to say all of it, the question as asked first, and what the plan holds as a sequence; `parts` are
    questions of their own inside it, none or at least two.
    """

    queries: tuple[Text, ...]
    parts: tuple[Text, ...] = ()

    @overload
    def __getitem__(self, place: int) -> Text: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Text]: ...

    def __getitem__(self, place: int | slice) -> Text | Sequence[Text]:
        return self.queries[place]

    def __len__(self) -> int:
        return len(self.queries)

    @property
    def texts(self) -> tuple[Text, ...]:
        """Everything that is searched at once: all of the question, and each part."""
        return tuple(dict.fromkeys((*self.queries, *self.parts)))

    @property
    def searches(self) -> tuple[tuple[Text, ...], ...]:
        """The searches to make: one for everything, then one for each part alone; `share_places` joins them."""
        return (self.texts, *((part,) for part in self.parts))


def search_planned(plan: Sequence[str], search: Callable[[Sequence[str]], Ranking], *, top_k: int) -> Ranking:
    """Search a plan, or plain queries as a plan without parts; the flow makes the same searches in its own thread."""
    searches = plan.searches if isinstance(plan, SearchPlan) else (plan,)
    whole, *parts = [search(texts) for texts in searches]
    return share_places(whole, parts, top_k=top_k)


def share_places(whole: Ranking, parts: Sequence[Ranking], *, top_k: int) -> Ranking:
    """Give the ranking of the whole question in which each part that has a relevant source has one among the first.

    The best document of the whole keeps its place; behind it stand the best of the parts, in their order, then the others.
    The band is the best of all.

    Args:
        whole: the ranking for everything that was asked.
        parts: the ranking of each part searched alone; none gives `whole` as it is.
        top_k: how many documents at most.
    """
    if not parts:
        return whole
    leads = [part.passages[0] for part in parts if part.passages and part.passages[0].relevance >= part.uncertain_cut]
    known = {passage.document.id: passage for passage in whole.passages}
    # What was read for the whole question holds sentences for every part.
    leads = [known.get(passage.document.id, passage) for passage in leads]
    passages = _distinct((*whole.passages[:1], *leads, *whole.passages[1:]))
    band = max((whole.band, *(part.band for part in parts)), key=_BANDS.index)
    return replace(whole, passages=passages[:top_k], band=band)


def _distinct(passages: Iterable[Passage]) -> tuple[Passage, ...]:
    first: dict[str, Passage] = {}
    for passage in passages:
        first.setdefault(passage.document.id, passage)
    return tuple(first.values())
