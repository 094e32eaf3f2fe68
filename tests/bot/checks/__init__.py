"""Tests of `bot/checks`."""
