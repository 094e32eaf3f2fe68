"""Removal of personal data, and the seal that says it was done."""

from retrieval.redaction.redacted_text import EMPTY, RedactedText
from retrieval.redaction.redactor import Redactor
from retrieval.redaction.spans import Redaction, Span

__all__ = ["EMPTY", "RedactedText", "Redaction", "Redactor", "Span"]
