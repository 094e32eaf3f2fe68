"""What is searched for one question, and how the places are shared between what was found.

A part with nearer sources does not take all places from another; the last of the first five belong to the thread.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar, overload

from retrieval.passages import Band, Passage, Ranking

_BANDS = (Band.NONE, Band.UNCERTAIN, Band.ANSWERED)

Text = TypeVar("Text", bound=str)
# Of the first five places these belong to the question whatever its thread is about, and these many to the thread.
_OWN_PLACES = 3
_THREAD_PLACES = 2
# The thread has places only when its ranking and that of the question alone have this share of the first documents in common.
_COMMON = 0.4
_COMPARED = 10
# A question that has a source of this relevance by itself needs none of its thread's.
_SURE = 0.7


@dataclass(frozen=True, slots=True)
class SearchPlan(Sequence[Text]):
    """What is searched for one question.

    `queries` are ways to say all of it, the question as asked first, and what the plan holds as a sequence; `parts` are
    questions of their own inside it, none or at least two; `context` is the question with what its thread was about, none
    without a thread.
    """

    queries: tuple[Text, ...]
    parts: tuple[Text, ...] = ()
    context: tuple[Text, ...] = ()

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
        """The searches to make: for the thread, for each part alone, for everything; `joined` makes one ranking of them."""
        threads = ((*self.queries[:1], *self.context),) if self.context else ()
        return (*threads, *((part,) for part in self.parts), self.texts)

    def joined(self, rankings: Sequence[Ranking], *, top_k: int) -> Ranking:
        """Make one ranking of those of the searches, given in their order; at most `top_k` documents."""
        context = rankings[0] if self.context else None
        return share_places(rankings[-1], self.of_parts(rankings), context=context, top_k=top_k)

    def of_parts(self, rankings: Sequence[Ranking]) -> tuple[Ranking, ...]:
        """Give those of the parts among the rankings of the searches."""
        return tuple(rankings[-1 - len(self.parts) : -1])


def search_planned(plan: Sequence[str], search: Callable[[Sequence[str]], Ranking], *, top_k: int) -> Ranking:
    """Search a plan, or plain queries as a plan without parts; the flow makes the same searches in its own thread."""
    if not isinstance(plan, SearchPlan):
        return search(plan)
    return plan.joined([search(texts) for texts in plan.searches], top_k=top_k)


def share_places(
    whole: Ranking, parts: Sequence[Ranking] = (), *, context: Ranking | None = None, top_k: int
) -> Ranking:
    """Give the ranking of the whole question in which each part that has a relevant source has one among the first.

    The best document of the whole keeps its place; behind it stand the best of the parts, in their order, then the others;
    the fourth and fifth place go to what the thread is about. The band is the best of whole and parts: a source that fits
    the thread does not answer the question yet.

    A thread that finds other documents than the question was about something else and has no places.

    mtrag_cloud, 132 questions with earlier turns, hit@5: last turn alone 0.727, with the words carried 0.720, with two places
    for the thread 0.795, with none for a thread about something else 0.803 (one desk of six sources: 0.689, 0.773, 0.765).

    Args:
        whole: the ranking for everything that was asked.
        parts: the ranking of each part searched alone.
        context: the ranking for the question with its thread.
        top_k: how many documents at most.
    """
    shared = _shared_by_parts(whole, parts) if parts else whole
    if context is not None and not _is_sure(shared) and _is_about_the_same(shared, context):
        shared = replace(shared, passages=_with_thread(shared, context.passages))
    return replace(shared, passages=shared.passages[:top_k])


def _is_sure(own: Ranking) -> bool:
    return max((passage.relevance for passage in own.passages), default=0.0) >= _SURE


def _is_about_the_same(own: Ranking, thread: Ranking) -> bool:
    first, other = ([passage.document.id for passage in one.passages[:_COMPARED]] for one in (own, thread))
    return len(set(first) & set(other)) >= _COMMON * min(len(first), len(other))


def _with_thread(ranking: Ranking, thread: Sequence[Passage]) -> tuple[Passage, ...]:
    own = ranking.passages
    known = {passage.document.id: passage for passage in own}
    first = {passage.document.id for passage in own[:_OWN_PLACES]}
    # Relevance to the thread is no relevance to the question: what that did not find itself is not quoted for it.
    least = min((ranking.uncertain_cut / 2, *(passage.relevance for passage in own)))
    new = [passage for passage in thread if passage.document.id not in first][:_THREAD_PLACES]
    placed = [
        known.get(passage.document.id, replace(passage, relevance=min(passage.relevance, least))) for passage in new
    ]
    return _distinct((*own[:_OWN_PLACES], *placed, *own[_OWN_PLACES:]))


def _shared_by_parts(whole: Ranking, parts: Sequence[Ranking]) -> Ranking:
    leads = [part.passages[0] for part in parts if part.passages and part.passages[0].relevance >= part.uncertain_cut]
    known = {passage.document.id: passage for passage in whole.passages}
    # What was read for the whole question holds sentences for every part.
    leads = [known.get(passage.document.id, passage) for passage in leads]
    passages = _distinct((*whole.passages[:1], *leads, *whole.passages[1:]))
    band = max((whole.band, *(part.band for part in parts)), key=_BANDS.index)
    return replace(whole, passages=passages, band=band)


def _distinct(passages: Iterable[Passage]) -> tuple[Passage, ...]:
    first: dict[str, Passage] = {}
    for passage in passages:
        first.setdefault(passage.document.id, passage)
    return tuple(first.values())
