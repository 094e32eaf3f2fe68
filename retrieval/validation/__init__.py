"""Looks through a knowledge base for what contradicts, repeats or outlives itself."""

from retrieval.validation.compare import Comparison, compare
from retrieval.validation.contradictions import find_contradictions
from retrieval.validation.policy import Ground, Preference, prefer, read_date
from retrieval.validation.report import Validation, validate
from retrieval.validation.statements import Statement, statements_of
from retrieval.validation.texts_compared import PairVerdict, compare_texts
from retrieval.validation.told_values import Relation

__all__ = [
    "Comparison",
    "Ground",
    "PairVerdict",
    "Preference",
    "Relation",
    "Statement",
    "Validation",
    "compare",
    "compare_texts",
    "find_contradictions",
    "prefer",
    "read_date",
    "statements_of",
    "validate",
]
