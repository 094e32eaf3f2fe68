"""Tests of `bot/adapters/model/`."""
