"""Tests of `bot/lead`."""
