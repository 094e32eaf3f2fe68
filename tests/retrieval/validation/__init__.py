"""Tests of the room that looks through a knowledge base."""
