"""Tests of `bot/questions`."""
