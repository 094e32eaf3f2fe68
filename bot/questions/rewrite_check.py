"""What of a model's rewrite may be searched: a hijacked or confused rewriter cannot lead the search away."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from bot.messages import Question
from bot.ports import ModelRewrite
from bot.words import content_words, entities, folded, lexicon_of
from retrieval.lexical import tokenize

_LIMIT = 400
_MOST_EXPANSIONS = 3
_FOREIGN = re.compile(r"https?://|<[@!#]|\{|\}|```")


@dataclass(frozen=True, slots=True)
class CheckedRewrite:
    """The parts of a rewrite that hold; `standalone` is None when the rules must do it."""

    standalone: str | None
    expansions: tuple[str, ...]


def checked_rewrite(rewrite: ModelRewrite, question: Question, *, language_of: Callable[[str], str]) -> CheckedRewrite:
    """Keep a rewrite that is short, has no markup or address, keeps every code of the question and its language.

    It is also about the same: it holds a word of the question or its thread, so that a hijacked rewriter searches nothing
    of its own.
    """
    asked = question.text
    is_kept = _is_searchable(rewrite.standalone) and _keeps_codes(rewrite.standalone, asked)
    spoken = language_of(rewrite.standalone)
    is_kept = is_kept and (not spoken or spoken == question.language) and _is_about(rewrite.standalone, question)
    expansions = tuple(text for text in rewrite.expansions if _is_searchable(text))
    return CheckedRewrite(rewrite.standalone if is_kept else None, expansions[:_MOST_EXPANSIONS])


def _is_searchable(text: str) -> bool:
    return len(text.strip()) > 0 and len(text) <= _LIMIT and not _FOREIGN.search(text)


def _is_about(rewritten: str, question: Question) -> bool:
    told = [text for turn in question.turns for text in (turn.question, turn.answer)]
    known = {token for text in (question.text, *told) for token in _tokens(text, question.language)}
    # A thread of small words alone ("why?") cannot be compared.
    return not known or any(token in known for token in _tokens(rewritten, question.language))


def _tokens(text: str, language: str) -> list[str]:
    """Give what two wordings of one thing share: words, their stems, pairs of Chinese or Japanese characters."""
    return tokenize(" ".join(content_words(text, lexicon_of(text))), (language,))


def _keeps_codes(rewritten: str, asked: str) -> bool:
    said = folded(rewritten)
    return all(folded(code) in said for code in entities(asked) if any(c.isdigit() for c in code))
