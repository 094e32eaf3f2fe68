"""Removal of personal data, and the seal that says it was done."""

from retrieval.redaction.redacted_text import EMPTY, RedactedText

__all__ = ["EMPTY", "RedactedText"]
