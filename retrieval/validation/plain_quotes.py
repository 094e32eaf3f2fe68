"""Quotes of Markdown documents as a reader sees them: no stars, marks of lists, addresses or pipes."""

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_BLANK = frozenset(("softbreak", "hardbreak"))
_CELLS = " · "


@cache
def _parser() -> "MarkdownIt":
    # Heavy enough to be left to the first quote.
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])


def plain_quote(text: str) -> str:
    """Give a quote on one line without its Markdown; what is code or a picture's words stays as text."""
    said = (_inline(token) for token in _parser().parse(text) if token.type in ("inline", "code_block", "fence"))
    joined = " ".join(" ".join(part.split()) for part in said if part.strip())
    return _without_pipes(joined) or " ".join(text.split())


def _inline(token: "Token") -> str:
    if token.children is None:
        return token.content
    return "".join(" " if child.type in _BLANK else child.content for child in token.children)


def _without_pipes(text: str) -> str:
    """Give the cells of a lone row of a table, which is none without its head."""
    if not (text.startswith("|") and text.endswith("|")):
        return text
    return _CELLS.join(cell.strip() for cell in text.strip("|").split("|") if cell.strip(" -:"))
