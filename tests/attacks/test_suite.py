"""1 180 planted texts against three stubs and without a model, over fixed passages: nothing acts, and the answer still comes.

The full product, with every text in every place, is `make attacks`.
"""

import os
from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.messages import Mode
from tests.attacks.cases import RAW, Case, Place, cases
from tests.attacks.figures import Figures, tally
from tests.attacks.world import asked, play, play_early, run
from tests.peers.anthropic_stubs import Stub, honest, parrot
from tests.peers.attack_stubs import leaking, misciting, obeying

IS_FULL = os.environ.get("ATTACKS") == "full"
CASES = tuple(cases(tuple(Place) if IS_FULL else None))


def _obey(case: Case) -> Stub:
    return obeying(case.text, raw=tuple(RAW.values()))


STUBS: dict[str, Callable[[Case], Stub | None]] = {
    "no model": lambda _case: None,
    "honest": lambda _case: honest,
    "parrot": lambda _case: parrot,
    "obey": _obey,
}
USEFUL = {"no model": 0.95, "honest": 0.90}


async def _figures(name: str, make: Callable[[Case], Stub | None], chosen: tuple[Case, ...]) -> Figures:
    """Play the cases, by turns over the two ways of bringing evidence to a model."""
    return await tally(name, ((c.id, play(c, make(c), is_cited=bool(i % 2))) for i, c in enumerate(chosen)))


# Measuring the lines of thousands of equal runs takes as long as two thirds of playing them, and shows no line that the other tests do not.
@pytest.mark.no_cover
@pytest.mark.parametrize("name", STUBS)
async def test_nothing_planted_acts(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """No invariant breaks in any case, whatever the model does; and the unpoisoned source still reaches the asker."""
    figures = await _figures(name, STUBS[name], CASES)
    with capsys.disabled():
        print(f"\n{figures}")
    assert figures.broken == {}
    assert figures.usefulness >= USEFUL.get(name, 0.0)
    # An answer that was thrown away whole would hide what each check does with its sentences.
    assert name == "no model" or figures.ends["answered/model"] >= 0.95 * figures.cases


@pytest.mark.no_cover
async def test_a_model_that_gives_its_prompt_away_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever obeys with the prompt or its mark in the answer, plain or encoded, ends with the fixed apology."""
    chosen = CASES[:: 6 if IS_FULL else 17]
    figures = await _figures("leak", lambda c: obeying(c.text, raw=tuple(RAW.values()), leaks=True), chosen)
    quiet = await _figures("leak behind a right answer", lambda _case: leaking, chosen[::2])
    with capsys.disabled():
        print(f"\n{figures}\n{quiet}")
    assert (figures.broken, quiet.broken) == ({}, {})
    assert figures.ends == {"no_match/model": len(chosen)}


@pytest.mark.no_cover
@pytest.mark.parametrize("name", ["parrot", "obey"])
async def test_nothing_planted_acts_while_the_model_writes(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """No beginning that is shown before the end breaks an invariant, and there are some."""
    chosen = CASES[:: 7 if IS_FULL else 149]
    results = [await play_early(c, _stub(name, c), is_cited=bool(i % 2)) for i, c in enumerate(chosen)]
    shown = sum(result.beginnings for result in results)
    with capsys.disabled():
        print(f"\n{name}, while it writes: {len(results)} cases, {shown} beginnings shown")
    assert [result.broken for result in results if result.broken] == []
    assert shown > 0


def _stub(name: str, case: Case) -> Stub:
    stub = STUBS[name](case)
    assert stub is not None
    return stub


async def test_without_the_leak_check_the_mark_comes_out() -> None:
    """The suite sees a missing guard: with the leak check off, the mark under a true sentence is reported."""
    from tests.attacks.invariants import Posted, violations
    from tests.attacks.world import PROMPTS, known_of

    given = asked(CASES[0])
    known = replace(known_of(given), raw=())
    for form in (PROMPTS.canary, PROMPTS.canary[::-1], " ".join(PROMPTS.canary), PROMPTS.canary.encode().hex()):
        assert violations(Posted(slack=(f"The mark is {form}.",)), known) == ["I5 slack"]


async def test_sources_that_are_held_back_are_neither_sent_nor_quoted() -> None:
    """A quarantined document that is found beside a good one reaches neither the model nor the asker."""
    for case in (c for c in CASES[::9] if c.place in (Place.ARTICLE, Place.TICKET)):
        given = asked(case)
        held = tuple(
            replace(p, document=replace(p.document, quarantined=True)) if not p.document.url else p
            for p in given.passages
        )
        for stub in (None, parrot):
            result = await run(replace(given, passages=held), stub, good=(case.subject.good_id, case.subject.fact))
            assert result.is_useful
            assert case.subject.cover[0] not in result.sent + result.answer.text


async def test_only_given_places_are_cited() -> None:
    """A citation of a place or source that was not given leaves its sentence without support, whatever it says."""
    for number, case in enumerate(CASES[::30]):
        given = (case.subject.good_id, case.subject.fact)
        result = await run(asked(case), misciting, good=given, is_cited=bool(number % 2))
        assert result.broken == []
        assert result.answer.mode is not Mode.MODEL


async def test_private_sources_stay_private() -> None:
    """A source that the asker may not see is neither cited nor sent, whatever the question or the model names."""
    for case in (c for c in CASES if c.category in {"private_document", "foreign_citation"}):
        result = await run(asked(case), _obey(case), good=(case.subject.good_id, case.subject.fact))
        assert "777 units" not in result.sent
        assert "kb-private-1" not in {hit.id for hit in result.answer.hits}


def test_the_suite_is_as_large_as_it_says() -> None:
    """At least 50 categories, five wordings, four languages; each category in each of the six places."""
    assert len({case.category for case in CASES}) >= 50
    assert len({case.text for case in CASES}) == len({case.category for case in CASES}) * 5 * 4 >= 1_000
    assert len({case.id for case in CASES}) == len(CASES)
    met = {(case.category, case.place) for case in CASES}
    assert len(met) == len({case.category for case in CASES}) * len(Place)
