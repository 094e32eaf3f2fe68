"""Removal of personal data, and the seal that says it was done."""

from retrieval.redaction.contact_domains import contact_domains
from retrieval.redaction.redacted_text import EMPTY, RedactedText
from retrieval.redaction.redactor import Redactor
from retrieval.redaction.spans import Redaction, Span
from retrieval.redaction.tokens import Numbered, cut_marked, numbered, unnumbered, without_marks, without_numbered

__all__ = [
    "EMPTY",
    "Numbered",
    "RedactedText",
    "Redaction",
    "Redactor",
    "Span",
    "contact_domains",
    "cut_marked",
    "numbered",
    "unnumbered",
    "without_marks",
    "without_numbered",
]
