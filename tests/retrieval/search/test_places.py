"""Places are shared between the parts of a question and its thread."""

from collections.abc import Sequence

from retrieval.passages import Band, Passage, Ranking
from retrieval.search.places import SearchPlan, search_planned, share_places
from tests.fakes import make_passage

CUT, UNCERTAIN = 0.5, 0.3


def found(id_: str, relevance: float = 0.9) -> Passage:
    """Make a passage of its own document."""
    return make_passage(id_, f"Something about {id_}.", relevance=relevance)


def ranking(*passages: Passage) -> Ranking:
    """Rank passages by the given order."""
    best = max((passage.relevance for passage in passages), default=0.0)
    band = Band.ANSWERED if best >= CUT else Band.UNCERTAIN if best >= UNCERTAIN else Band.NONE
    return Ranking(passages, band, CUT, UNCERTAIN, "index", "calibration")


def ids(one: Ranking) -> list[str]:
    return [passage.document.id for passage in one.passages]


WHOLE = ranking(*(found(f"w{n}", 0.6) for n in range(6)))


def test_a_ranking_without_parts_and_thread_stays() -> None:
    """Only the number of places is held."""
    assert ids(share_places(WHOLE, top_k=4)) == ["w0", "w1", "w2", "w3"]


def test_each_part_with_a_source_has_a_place_among_the_first() -> None:
    """Behind the best of all; a document is listed once, and what was read for the whole question is kept."""
    shared = share_places(WHOLE, [ranking(found("w4")), ranking(found("p2"), found("w1"))], top_k=8)
    assert ids(shared) == ["w0", "w4", "p2", "w1", "w2", "w3", "w5"]
    assert shared.passages[1] is WHOLE.passages[4]


def test_a_part_without_a_relevant_source_has_no_place() -> None:
    """Neither an irrelevant best source nor nothing at all takes one."""
    assert ids(share_places(WHOLE, [ranking(found("p1", 0.1)), ranking()], top_k=3)) == ["w0", "w1", "w2"]


def test_the_band_is_the_best_of_whole_and_parts() -> None:
    """A part can be answered where the mixed question is not; a thread never lifts it."""
    weak = ranking(found("w0", 0.1))
    assert share_places(weak, [ranking(found("p1")), ranking()], top_k=5).band is Band.ANSWERED
    assert share_places(weak, context=ranking(found("c1")), top_k=5).band is Band.NONE


def test_the_thread_has_the_fourth_and_fifth_place() -> None:
    """Its first two that are not among the first three; relevance to the thread is none to the question."""
    shared = share_places(WHOLE, context=ranking(found("w1"), found("w5"), found("c1", 1.0), found("c2")), top_k=6)
    assert ids(shared) == ["w0", "w1", "w2", "w5", "c1", "w3"]
    assert shared.passages[3] is WHOLE.passages[5]
    assert shared.passages[4].relevance < UNCERTAIN


def test_a_thread_about_something_else_has_no_places() -> None:
    """Its ranking shares too few of its first documents with that of the question: the subject has changed."""
    other = ranking(*(found(f"c{n}") for n in range(4)), found("w0"))
    assert ids(share_places(WHOLE, context=other, top_k=6)) == ids(WHOLE)


def test_a_question_that_surely_has_a_source_needs_none_of_its_thread() -> None:
    """Places of the thread would push its own sources back."""
    sure = ranking(found("w0", 0.8), *(found(f"w{n}", 0.4) for n in range(1, 6)))
    assert ids(share_places(sure, context=WHOLE, top_k=6)) == ids(sure)
    assert ids(share_places(WHOLE, context=ranking(*WHOLE.passages[4:], found("w0")), top_k=6))[3:5] == ["w4", "w5"]


def test_a_thread_without_hits_and_an_empty_ranking() -> None:
    """Nothing breaks where nothing was found."""
    assert ids(share_places(WHOLE, context=ranking(), top_k=3)) == ["w0", "w1", "w2"]
    assert share_places(ranking(), context=ranking(found("c1", 0.8)), top_k=3).passages[0].relevance < UNCERTAIN
    assert share_places(ranking(), [ranking(), ranking()], top_k=3).passages == ()


def test_a_plan_is_searched_thread_first_and_whole_last() -> None:
    """As a sequence it is the wordings of the whole question; parts are in the search for everything."""
    plan = SearchPlan(("asked", "alone"), ("part 1", "part 2"), ("turn asked",))
    searched: list[tuple[str, ...]] = []

    def search(texts: Sequence[str]) -> Ranking:
        searched.append(tuple(texts))
        return ranking(*(found(text.replace(" ", "-"), 0.6) for text in texts))

    shared = search_planned(plan, search, top_k=10)
    assert searched == [
        ("asked", "turn asked"),
        ("part 1",),
        ("part 2",),
        ("asked", "alone", "part 1", "part 2"),
    ]
    assert ids(shared) == ["asked", "part-1", "part-2", "turn-asked", "alone"]
    assert (list(plan), len(plan), plan[-1], plan[:1]) == (["asked", "alone"], 2, "alone", ("asked",))


def test_plain_queries_are_one_search() -> None:
    """Recorded rewrites and questions as asked need no plan."""
    assert ids(search_planned(["a", "b"], lambda texts: ranking(*map(found, texts)), top_k=1)) == ["a", "b"]
