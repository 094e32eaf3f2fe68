"""Planted pairs in an archive that contradicts itself nowhere; `python -m tests.retrieval.validation.test_planted` prints figures."""

import sys
import time
from collections.abc import Sequence
from datetime import date

from retrieval.validation import Validation, validate
from tests.retrieval.validation.desk import Kind, Planted, archive, help_centre_pairs, planted, second_pairs

_TODAY = date(2026, 11, 30)
_KINDS: tuple[Kind, ...] = ("conflicts", "variants", "rewordings")


def _validated(size: int) -> Validation:
    pairs = [pair for kind in _KINDS for pair in planted(kind)]
    documents = [document for pair in pairs for document in (pair.first, pair.second)]
    return validate([*archive(size - len(documents)), *documents], today=_TODAY)


def _named(found: Validation, kind: Kind) -> list[frozenset[str]]:
    pairs = {pair.ids for pair in planted(kind)}
    sides = [one.sides for one in found.conflicts]
    return [pair for pair in pairs if any(_is_of(pair, both) for both in sides)]


def _is_of(pair: frozenset[str], sides: tuple[tuple[str, ...], ...]) -> bool:
    """Whether a pair stands on the two sides of a finding."""
    return all(pair & frozenset(side) for side in sides)


def _is_real(sides: tuple[tuple[str, ...], ...]) -> bool:
    """A planted conflict; two planted tickets of different pairs were written apart and may contradict by chance."""
    return any(_is_of(pair.ids, sides) for pair in planted("conflicts"))


def test_planted_conflicts_come_first_and_variants_are_none() -> None:
    """Bounds below what is reached, so that a change for the worse is seen; the figures stand in RESULTS.md."""
    found = _validated(1_200)
    first = [one for one in found.conflicts[:20] if _is_real(one.sides)]
    assert len(first) >= 16
    assert len(_named(found, "conflicts")) >= 42
    assert len(_named(found, "variants")) <= 3
    assert len(_named(found, "rewordings")) <= 1


def _told(pairs: Sequence[Planted], size: int) -> dict[Kind, int]:
    documents = [document for pair in pairs for document in (pair.first, pair.second)]
    sides = [one.sides for one in validate([*archive(size - len(documents)), *documents], today=_TODAY).conflicts]
    return {kind: sum(p.kind == kind and any(_is_of(p.ids, both) for both in sides) for p in pairs) for kind in _KINDS}


def test_pairs_written_apart_are_told_too() -> None:
    """26 conflicts, 12 variants and 6 rewordings of other desks."""
    found = _told(second_pairs(), 600)
    assert found["conflicts"] >= 20
    assert found["variants"] + found["rewordings"] <= 1


def test_short_pages_and_replies_of_seven_languages_are_told_apart() -> None:
    """40 conflicts (who may, from when on, which plan, values, yes and no), 25 variants of scope, 25 rewordings; from files."""
    found = _told(help_centre_pairs(), 400)
    assert found["conflicts"] >= 29
    assert found["variants"] <= 1
    assert found["rewordings"] == 0


if __name__ == "__main__":
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000
    began = time.process_time()
    result = _validated(size)
    real = sum(_is_real(one.sides) for one in result.conflicts[:20])
    found_of = {kind: len(_named(result, kind)) for kind in _KINDS}
    print(f"{size} tickets, {time.process_time() - began:.0f} s: {real} of the first 20 planted, found {found_of}")
    print(f"{len(result.conflicts)} conflicts, {len(result.stale)} stale, {len(result.copies)} families of copies")
    print(f"of the pairs written apart: {_told(second_pairs(), size)}")
    print(f"of short pages and replies: {_told(help_centre_pairs(), size)}")
