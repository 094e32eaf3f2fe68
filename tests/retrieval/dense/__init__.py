"""Tests of the embedding models and their vectors."""
