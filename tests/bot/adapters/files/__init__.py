"""Tests of `bot/adapters/files/`."""
