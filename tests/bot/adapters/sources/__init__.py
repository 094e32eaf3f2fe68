"""Tests of the sources, against loopback peers and real databases."""
