"""What of a model's rewrite may be searched: a hijacked or confused rewriter cannot lead the search away."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from bot.messages import Question
from bot.ports import ModelRewrite
from bot.words import entities, folded

_LIMIT = 400
_MOST_EXPANSIONS = 3
_FOREIGN = re.compile(r"https?://|<[@!#]|\{|\}|```")


@dataclass(frozen=True, slots=True)
class CheckedRewrite:
    """The parts of a rewrite that hold; `standalone` is None when the rules must do it."""

    standalone: str | None
    expansions: tuple[str, ...]


def checked_rewrite(rewrite: ModelRewrite, question: Question, *, language_of: Callable[[str], str]) -> CheckedRewrite:
    """Keep a rewrite that is short, has no markup or address, keeps every code of the question and its language."""
    asked = question.text
    is_kept = _is_searchable(rewrite.standalone) and _keeps_codes(rewrite.standalone, asked)
    spoken = language_of(rewrite.standalone)
    is_kept = is_kept and (not spoken or spoken == question.language)
    expansions = tuple(text for text in rewrite.expansions if _is_searchable(text))
    return CheckedRewrite(rewrite.standalone if is_kept else None, expansions[:_MOST_EXPANSIONS])


def _is_searchable(text: str) -> bool:
    return len(text.strip()) > 0 and len(text) <= _LIMIT and not _FOREIGN.search(text)


def _keeps_codes(rewritten: str, asked: str) -> bool:
    said = folded(rewritten)
    return all(folded(code) in said for code in entities(asked) if any(c.isdigit() for c in code))
