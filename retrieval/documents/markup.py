"""Markdown: title, and whether anything is left to read."""

import re

_FIRST_HEADING = re.compile(r"\A\s*#\s+(.+?)\s*#*\s*(?:\n|\Z)")
_IMAGE = re.compile(
    r"!\[[^\]\n]{0,500}+\]\([^)\n]{0,1000}+\)|<img\b[^><]*+>|<!--(?:[^-<]++|-(?!->)|<(?!!--))*+-->",
    re.DOTALL | re.IGNORECASE,
)

_WORD = re.compile(r"\w")


def split_title(text: str) -> tuple[str, str]:
    """Take a first-level heading off the top of a Markdown text: title and the rest; no such heading, no title."""
    match = _FIRST_HEADING.match(text)
    return (match[1], text[match.end() :]) if match else ("", text)


def is_blank(text: str) -> bool:
    """Whether nothing readable is left: only blanks, images, rules and comments."""
    pictured = "<" in text or "![" in text  # nothing else is taken out
    return not _WORD.search(_IMAGE.sub(" ", text) if pictured else text)
