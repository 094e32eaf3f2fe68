"""Questions grouped by meaning: across languages, every question once, the largest group first."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from retrieval.dense.groups import group_rows, without_language
from retrieval.ports import Encoder

# Three questions in four languages.
ASKED = {
    "en": ("Can I pay my invoice with Bitcoin?", "Is there a dark theme for the app?", "How do I delete my account?"),
    "de": (
        "Kann ich die Rechnung mit Bitcoin bezahlen?",
        "Gibt es ein dunkles Design für die App?",
        "Wie lösche ich mein Konto?",
    ),
    "uk": (
        "Чи можна оплатити рахунок біткоїном?",
        "Чи є темна тема для застосунку?",
        "Як видалити мій обліковий запис?",
    ),
    "fr": (
        "Puis-je payer ma facture en Bitcoin ?",
        "Y a-t-il un thème sombre pour l'application ?",
        "Comment supprimer mon compte ?",
    ),
}


def test_one_question_in_four_languages_is_one_group(default_encoder: Encoder) -> None:
    """Four languages of three questions: language parts hardly any of them, and no group mixes two of the questions."""
    texts = [text for said in ASKED.values() for text in said]
    languages = [language for language, said in ASKED.items() for _ in said]
    vectors = default_encoder.encode_queries(texts)
    mean = default_encoder.encode_queries(["How do I reset my password?", "Where is my order?"]).mean(axis=0)
    groups = [[row % 3 for row in group] for group in group_rows(without_language(vectors, languages, mean))]
    assert [0] * 4 in groups
    assert [1] * 4 in groups
    assert all(len(set(group)) == 1 for group in groups)
    assert len(groups) <= 5


@given(st.integers(0, 12), st.integers(0, 2**32 - 1))
def test_every_row_stands_in_one_group(count: int, seed: int) -> None:
    """Whatever the rows, each is in exactly one group, and groups come by size."""
    rows = np.random.default_rng(seed).normal(size=(count, 4)).astype(np.float32)
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    groups = group_rows(rows)
    assert sorted(row for group in groups for row in group) == list(range(count))
    assert [len(group) for group in groups] == sorted((len(group) for group in groups), reverse=True)
