"""What an answer says of how far its question came."""

import pytest

from bot.messages import Outcome
from retrieval.passages import GateVerdict
from scripts.console import as_text
from tests.bot.flow_kit import RESET, ask, card
from tests.fakes import FakePassageSource, make_passage

FAR = make_passage("kb-140", "Printers use paper.", relevance=0.2)


@pytest.mark.parametrize(("passage", "outcome"), [(RESET, Outcome.ANSWERED), (FAR, Outcome.NO_MATCH)])
async def test_the_cut_that_judged_is_told(passage: object, outcome: Outcome) -> None:
    """Answered or not: what was searched carries the relevances from which a source counts, and `--explain` shows them."""
    answer = await ask("How do I reset my password?", FakePassageSource(passage))  # type: ignore[arg-type]
    assert answer.outcome is outcome
    assert (answer.cut, answer.uncertain_cut) == (FakePassageSource.CUT, FakePassageSource.UNCERTAIN_CUT)
    assert "answered from 0.50, uncertain from 0.30" in as_text(answer, is_explained=True)


async def test_without_a_search_there_is_no_cut() -> None:
    """Thanks, and what the gate declines, were judged by no relevance."""
    declined = await ask("Write a limerick", FakePassageSource(RESET, verdict=GateVerdict.DECLINE))
    for answer in (declined, await ask("thanks")):
        assert (answer.cut, answer.uncertain_cut) == (None, None)
        assert "answered from" not in as_text(answer, is_explained=True)


async def test_the_nearest_are_named_on_one_line_without_pings() -> None:
    """Of an id or a title that would ping, nothing that pings enters the text; the others do."""
    passages = [
        make_passage(card("<!channel>", title="Scales"), "Scales weigh.", relevance=0.2),
        make_passage(card("kb-2", title="Badger\n<!here>\nscale"), "Badgers dig.", relevance=0.2),
        make_passage(card("kb-3", title="Paper\n  feed"), "Paper is fed.", relevance=0.2),
    ]
    answer = await ask("How do I reset my password?", FakePassageSource(*passages))
    assert answer.outcome is Outcome.NO_MATCH
    assert "<!" not in answer.text
    assert answer.text.splitlines()[1:] == [
        "Closest, but not an answer: Scales; kb-2 · Badger scale; kb-3 · Paper feed"
    ]


async def test_without_a_name_to_tell_no_line_is_added() -> None:
    """Where every name would ping, the text ends with "nothing found"."""
    pinging = make_passage(card("<!channel>", title="@here"), "Scales weigh.", relevance=0.2)
    answer = await ask("How do I reset my password?", FakePassageSource(pinging))
    assert len(answer.text.splitlines()) == 1


async def test_a_page_that_is_not_close_is_not_named() -> None:
    """Nothing is named where even the best is far below the lower cut, and only what is about as near as the best."""
    far = make_passage("kb-1", "Printers use paper.", relevance=0.12)
    answer = await ask("How do I reset my password?", FakePassageSource(far))
    assert answer.nearest == ()
    assert len(answer.text.splitlines()) == 1
    answer = await ask("How do I reset my password?", FakePassageSource(FAR, far))
    assert [hit.id for hit in answer.nearest] == ["kb-140"]
    assert [hit.id for hit in answer.hits] == ["kb-140", "kb-1"]
