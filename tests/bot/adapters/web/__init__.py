"""Tests of `bot/adapters/web/`."""
