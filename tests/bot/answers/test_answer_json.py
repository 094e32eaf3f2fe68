"""The public object of an answer and of a search."""

from dataclasses import replace

from bot.answers.answer_json import answer_as_json, ranking_as_json
from bot.messages import Triage, Usage
from retrieval.passages import Band, Ranking
from retrieval.redaction import EMPTY
from tests.bot.flow_kit import RESET, ask, text
from tests.scenarios.answer_contract import check_answer


async def test_an_answer_keeps_the_contract() -> None:
    """With triage, with an unknown cost, without a date: types stay those of the contract."""
    answer = await ask("How do I reset my password?")
    voted = Triage("access", 0.8, ("t-1",), EMPTY, ("t-1", "t-2"))
    citation = replace(answer.citations[0], updated_at="")
    full = replace(answer, triage=voted, usage=Usage(cost_usd=None), thread_cost_usd=None, citations=(citation,))
    written = answer_as_json(full)
    check_answer(written)
    assert written["triage"]["next_step"] is None
    assert written["triage"]["similar"] == ["t-1", "t-2"]
    assert written["usage"]["cost_usd"] is None
    assert written["citations"][0]["updated_at"] is None
    assert written["hits"][0]["used"] is True


def test_a_search_gives_query_method_cut_and_hits() -> None:
    """The object of `POST /api/v1/search`."""
    found = tuple(replace(RESET, relevance=relevance) for relevance in (0.9, 0.3, 0.29))
    written = ranking_as_json(text("reset"), Ranking(found, Band.ANSWERED, 0.5, 0.3, "i", "c"))
    assert (written["query"], written["method"], written["cut"]) == ("reset", "hybrid", 0.3)
    assert [(hit["id"], hit["used"]) for hit in written["hits"]] == [
        ("kb-101", True),
        ("kb-101", True),
        ("kb-101", False),
    ]
