"""Tests of `bot/answers`."""
