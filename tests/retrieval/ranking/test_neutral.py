"""Judging does not favour a language."""

import numpy as np

from retrieval.ports import Encoder
from retrieval.ranking.banks import bundled_banks
from retrieval.ranking.neutral import LanguageMeans
from tests.kept_index import bank_of


def test_languages_of_one_meaning_come_together(default_encoder: Encoder) -> None:
    """Without language a translation is nearer than small talk in the question's own language."""
    bank = bank_of(default_encoder)
    languages = bundled_banks().languages
    queries, passages = (LanguageMeans.of(rows, languages) for rows in (bank.queries, bank.passages))
    question = default_encoder.encode_queries(["没有网络还能收银吗？"])
    found = default_encoder.encode_passages(
        ["Your till keeps selling without internet for three days.", "今天股市行情怎么样？"]
    )
    raw = (found @ question.T)[:, 0]
    neutral = (passages.neutral(found) @ queries.neutral(question).T)[:, 0]
    assert neutral[0] - neutral[1] > raw[0] - raw[1] + 0.02


def test_shapes_and_inputs_stay() -> None:
    """float32 unit rows, inputs unchanged, nothing for nothing."""
    rng = np.random.default_rng(2)
    bank = rng.normal(size=(20, 4)).astype(np.float32)
    means = LanguageMeans.of(bank, ["en"] * 10 + ["uk"] * 10)
    before = bank.copy()
    rows = means.neutral(bank)
    np.testing.assert_array_equal(bank, before)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert rows.dtype == np.float32
    assert means.neutral(bank[:0]).shape == (0, 4)


def test_many_rows_are_taken_like_each_alone() -> None:
    """Rows are compared with the languages' means in parts; each gives what it gives alone, in any order."""
    rng = np.random.default_rng(4)
    bank = rng.normal(size=(60, 384)).astype(np.float32)
    means = LanguageMeans.of(bank, [f"l{number % 12}" for number in range(60)])
    rows = rng.normal(size=(300, 384)).astype(np.float32)
    alone = np.concatenate([means.neutral(row[None, :]) for row in rows])
    np.testing.assert_allclose(means.neutral(rows), alone, atol=1e-6)


def test_one_language_changes_nothing() -> None:
    """With a single language there is no difference to take out."""
    bank = np.eye(3, dtype=np.float32)
    np.testing.assert_allclose(LanguageMeans.of(bank, ["en"] * 3).neutral(bank), bank, atol=1e-6)


def test_banks_name_every_language() -> None:
    """Both banks hold eleven languages, one code a text."""
    banks = bundled_banks()
    assert len(banks.languages) == len(banks.ordinary) + len(banks.off_topic)
    assert len(set(banks.languages)) == 11
