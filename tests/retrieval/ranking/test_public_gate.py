"""The gate on public questions: a base of banking messages against assistants' small talk."""

import hashlib

import numpy as np
import pytest

from retrieval.ports import Encoder, Vectors
from retrieval.ranking.banks import bundled_banks
from retrieval.ranking.neutral import LanguageMeans
from retrieval.ranking.scope import ScopeBanks, ScopeGate, ScopeLabels, measure_scope
from tests.kept_index import bank_of
from tests.public_data import public_rows


@pytest.mark.eval_data
@pytest.mark.no_cover
def test_banking_messages_against_small_talk(kept_encoder: Encoder) -> None:
    """Of other banking messages at most 3 % are declined, of small talk at least 90 %, in other languages at least 95 %."""
    base, others = (_some("banking77", name, 400) for name in ("dev", "train_10_per_intent"))
    small_talk = _some("clinc150", "dev", 250, without=("banking", "credit_cards"))
    foreign = _some("xsid_offtopic_multilingual", "dev", 150)
    banks = bundled_banks()
    raw = bank_of(kept_encoder).queries
    means = LanguageMeans.of(raw, banks.languages)
    bank = means.neutral(raw)
    both = ScopeBanks(bank[: len(banks.ordinary)], bank[len(banks.ordinary) :], means.axes)
    labels = ScopeLabels(means.neutral(kept_encoder.encode_queries(base)), _rows(base), len(base))
    numbers, plane = measure_scope(labels, both)
    gate = ScopeGate(labels.vectors, both, plane=plane, numbers=numbers)

    def declined(texts: list[str]) -> float:
        vectors: Vectors = means.neutral(kept_encoder.encode_queries(texts))
        return float(np.mean([gate.value(row) < numbers.threshold for row in vectors]))

    shares = [declined(texts) for texts in (others, small_talk, foreign)]
    print(f"declined: others {shares[0]:.3f}, clinc150 {shares[1]:.3f}, xsid {shares[2]:.3f}")
    assert shares[0] <= 0.03
    assert shares[1] >= 0.90
    assert shares[2] >= 0.95


def _some(folder: str, name: str, count: int, without: tuple[str, ...] = ()) -> list[str]:
    """Give so many texts of a set, in an order that its labels have no part in."""
    texts = {str(row["text"]) for row in public_rows(f"{folder}/{name}.jsonl") if row.get("domain") not in without}
    return sorted(texts, key=lambda text: hashlib.sha256(text.encode()).digest())[:count]


def _rows(texts: list[str]) -> np.ndarray:
    return np.arange(len(texts), dtype=np.int32)
