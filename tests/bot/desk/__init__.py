"""Tests of `bot/desk`."""
