"""Tests of `bot/adapters/work/`."""
