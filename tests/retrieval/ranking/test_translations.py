"""A base whose documents are translated is told from one that merely mixes languages."""

import numpy as np
import pytest

from retrieval.ranking.space import unit_rows
from retrieval.ranking.translations import translated_share


def _means(count: int, seed: int = 3) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(count, 32))


def _share(rows: np.ndarray, languages: list[str]) -> float:
    return translated_share(unit_rows(rows.astype(np.float32)), languages)


def test_translations_are_seen() -> None:
    """Each document in two languages, a little moved: nearly all have their counterpart."""
    subjects = _means(40)
    moved = subjects + 0.3 * _means(40, 4)
    assert _share(np.concatenate([subjects, moved]), ["de"] * 40 + ["en"] * 40) > 0.95


def test_mixed_languages_are_no_translations() -> None:
    """Each document in one language only: nearly none; with five of forty pairs translated, an eighth more."""
    subjects, languages = _means(80), ["de", "en"] * 40
    before = _share(subjects, languages)
    subjects[:10:2] = subjects[1:10:2]
    assert before < 0.2
    assert before < _share(subjects, languages) < 0.35


def test_a_few_translated_documents_in_a_large_base() -> None:
    """Ten subjects in ten languages among 900 English documents: a tenth; alone nearly all."""
    subjects = np.repeat(_means(10), 10, axis=0) + 0.2 * _means(100, 7)
    languages = ["en", "de", "fr", "es", "pl", "uk", "ru", "pt", "zh", "ja"] * 10
    assert _share(np.concatenate([subjects, _means(900, 6)]), [*languages, *["en"] * 900]) < 0.3
    assert _share(subjects, languages) > 0.95


def test_two_documents_near_a_third_are_not_both_its_counterpart() -> None:
    """Of two German documents near the same English one only the nearer is its translation."""
    english = np.array([[1.0, 0.0, 0.0]])
    german = np.array([[0.95, 0.3, 0.0], [0.8, 0.6, 0.0]])
    assert _share(np.concatenate([english, german]), ["en", "de", "de"]) == pytest.approx(2 / 3)


def test_one_language_and_nothing() -> None:
    """One language, unknown ones, documents without chunks and an empty base have no translations."""
    rows = _means(4)
    assert _share(rows, ["en"] * 4) == 0
    assert _share(rows, ["", "en", "", "en"]) == 0
    assert translated_share(np.zeros((4, 8), np.float32), ["de", "en", "de", "en"]) == 0
    assert translated_share(np.zeros((0, 8), np.float32), []) == 0
