"""Tests of the lead's page."""
