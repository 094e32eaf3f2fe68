"""Screening of documents at ingest: what looks planted is held back from the model until a person approves it."""

from retrieval.screening.screening import VERSION, Screening, screen_document

__all__ = ["VERSION", "Screening", "screen_document"]
