"""Attacks planted in every place that the bot reads, and a second reader of everything that it posts."""
