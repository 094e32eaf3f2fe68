"""Answers questions; vendors appear only in `adapters`."""
