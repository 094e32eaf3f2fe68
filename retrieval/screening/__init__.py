"""Screening of documents at ingest: what looks planted is held back from the model until a person approves it."""

from retrieval.screening.decisions import (
    Decision,
    Verdict,
    content_hash,
    decisions_id,
    read_decisions,
    write_decisions,
)
from retrieval.screening.marking import Marked, marked_parts
from retrieval.screening.provenance import Provenance, Usual, host_of, provenance_of, usual_of
from retrieval.screening.screening import VERSION, Screening, screen_document
from retrieval.screening.unseen import hidden_in, on_one_line, removed_from

__all__ = [
    "VERSION",
    "Decision",
    "Marked",
    "Provenance",
    "Screening",
    "Usual",
    "Verdict",
    "content_hash",
    "decisions_id",
    "hidden_in",
    "host_of",
    "marked_parts",
    "on_one_line",
    "provenance_of",
    "read_decisions",
    "removed_from",
    "screen_document",
    "usual_of",
    "write_decisions",
]
