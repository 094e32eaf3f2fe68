"""Tests of `bot/adapters/store/`."""
