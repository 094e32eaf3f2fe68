"""How long an answer is: about 120 words and seven steps, unless somebody asks for more."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from bot.answers.evidence import shape_of
from bot.lexicon import lexicons
from bot.messages import DraftSentence
from bot.words import folded, weight_of

MOST_WORDS, MOST_STEPS = 120, 7
# A sentence that goes a little over is better than half a thought.
_LENIENCE = 1.1
# Characters of all code and tables of an answer.
_MOST_CODE = 6_000
_SIGNS = re.compile(r"[\s.!?…,;:。！？、]+")
# What a model is told when somebody asks for more.
MORE_LINE = "The reader asked for details: use up to 350 words and give every step."


@dataclass(frozen=True, slots=True)
class Brief:
    """The sentences that are said; `is_cut` when there are more."""

    sentences: tuple[DraftSentence, ...]
    is_cut: bool


@lru_cache(maxsize=256)
def is_more(text: str) -> bool:
    """Say whether a message asks for nothing but more of the last answer ("details", "more, please")."""
    said = _SIGNS.sub(" ", folded(text)).strip()
    return bool(said) and any(said in lexicon.more for lexicon in lexicons())


def wants_more(text: str) -> bool:
    """Say whether a question asks for a long answer: only for more, or for something in detail."""
    said = f" {_SIGNS.sub(' ', folded(text)).strip()} "
    phrases = [phrase for lexicon in lexicons() for phrase in lexicon.at_length]
    return is_more(text) or any(phrase in said if phrase[0] > "\u3000" else f" {phrase} " in said for phrase in phrases)


def brief(sentences: Sequence[DraftSentence], *, parts: int = 1) -> Brief:
    """Give the sentences that a hurried reader reads, in order: the first one, and what fits.

    A sentence that says what the sources lack always stays. Tables and code have no words and are never cut, since a cut
    one misleads: below the sentence that they belong to they are part of it, elsewhere a step; all together they have room
    for about two screens.

    Args:
        sentences: verified ones.
        parts: how many questions are answered; each has its own room.
    """
    said: list[DraftSentence] = []
    words, steps, code, is_cut = 0.0, 0, 0, False
    for sentence in sentences:
        shape = shape_of(sentence.text)
        is_own = bool(said) and _belongs(said[-1], sentence)
        is_step = not is_own and (bool(sentence.item) or shape.is_item or shape.is_block)
        weight = 0.0 if shape.is_block else weight_of(sentence.text)
        characters = len(sentence.text) if shape.is_block else 0
        is_fitting = words + weight <= _LENIENCE * MOST_WORDS * parts and steps + is_step <= MOST_STEPS * parts
        is_fitting &= not (code and characters) or code + characters <= _MOST_CODE * parts
        if sentence.refs and said and (is_cut or not is_fitting):
            is_cut = True
            continue
        said.append(sentence)
        words, steps, code = words + weight, steps + is_step, code + characters
    return Brief(tuple(said), is_cut)


def _belongs(before: DraftSentence, block: DraftSentence) -> bool:
    """Say whether code or a table stands right below the sentence before it in their source."""
    if not (shape_of(block.text).is_block and before.is_quote and block.is_quote):
        return False
    (above,), (below,) = before.refs[:1], block.refs[:1]
    return (above.passage, above.sentence + 1) == (below.passage, below.sentence)
