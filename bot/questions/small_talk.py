"""Tells a question from what needs no search: nothing, an emoji, thanks, a greeting, words that name no subject."""

import re
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache

from bot.lexicon import Lexicon, lexicons
from bot.words import content_words, folded, has_digit, words

_LETTER = re.compile(r"[^\W_]")
_EMOJI_NAME = re.compile(r":[a-z0-9_+-]{2,40}:")
# A letter held down, or letters of an alphabet longer than any word ("Donaudampfschifffahrtsgesellschaft…" has 42 or
# so); scripts without spaces are no alphabet, and what has a digit may be a key or a hash.
_NO_WORD = re.compile(r"(?<!\w)(?:([^\W\d_])\1{4,}|[A-Za-zÀ-ɏͰ-ԯ]{61,})(?!\w)")
_ONE_DIGIT = re.compile(r"\A[\W_]*+\d[\W_]*+")
_THUMBS = re.compile(
    "[\U0001f44d\U0001f44c\U0001f64f❤☺\u2764\U0001f600-\U0001f60f\U0001f389✅\u263a]|:(?:\\+1|thumbsup|pray|heart|ok_hand|tada|white_check_mark):"
)


class Said(StrEnum):
    """What kind of thing a message says."""

    NOTHING = "nothing"
    EMOJI = "emoji"
    THANKS = "thanks"
    GREETING = "greeting"
    VAGUE = "vague"
    QUESTION = "question"


def is_wordless(text: str) -> bool:
    """Say whether a text is without a letter or digit: signs, emoji, or the names of emoji."""
    return not _LETTER.search(_EMOJI_NAME.sub(" ", text))


@lru_cache(maxsize=1024)
def kind_of(text: str) -> Said:
    """Tell what kind of thing a message says, in any of the ten languages.

    THANKS also covers a friendly emoji; EMOJI any other text without a letter or digit ("🤔", "???"); VAGUE a text of
    stop-words and words that name no subject ("it is not working again, how do I do it?"), or of no words at all: one
    digit, a letter held down, a run of letters longer than any word.
    """
    if not text.strip():
        return Said.NOTHING
    plain = _EMOJI_NAME.sub(" ", text)
    if is_wordless(text):
        return Said.THANKS if _THUMBS.search(text) else Said.EMOJI
    plain = _NO_WORD.sub(" ", plain)
    if not _LETTER.search(plain) or _ONE_DIGIT.fullmatch(plain):
        return Said.VAGUE
    kinds = {kind_in(plain, lexicon) for lexicon in lexicons()}
    for kind in (Said.THANKS, Said.GREETING, Said.VAGUE):
        if kind in kinds:
            return kind
    return Said.QUESTION


def kind_in(text: str, lexicon: Lexicon) -> Said:
    """Tell the kind of a text with letters in one language; NOTHING and EMOJI are `kind_of`'s."""
    text = folded(text)
    if has_digit(text):
        return Said.QUESTION
    # Greetings first: in Chinese the word of thanks for "good" is a part of "hello".
    without_greeting = _without(text, lexicon.greetings)
    rest = _without(without_greeting, lexicon.thanks)
    is_thanks = rest != without_greeting
    if is_thanks and not _is_trouble(text, (), lexicon):
        rest = _without_kindness(rest, lexicon)
    left = words(rest)
    if [word for word in content_words(rest, lexicon) if not (is_thanks and word in lexicon.works)]:
        return Said.QUESTION
    if is_thanks and not _is_trouble(text, left, lexicon):
        return Said.THANKS
    if left and not is_thanks and without_greeting != text and not _is_trouble(text, left, lexicon):
        return Said.GREETING
    if left or not (is_thanks or without_greeting != text):
        return Said.VAGUE
    return Said.GREETING


def _without_kindness(text: str, lexicon: Lexicon) -> str:
    """Take out what is thanked for ("your help", "the quick reply")."""
    kind = lexicon.kind
    if lexicon.code in ("zh", "ja"):
        return _without(text, tuple(sorted(kind, key=len, reverse=True)))
    return " ".join(word for word in words(text) if word not in kind)


def _is_trouble(text: str, left: Sequence[str], lexicon: Lexicon) -> bool:
    trouble = lexicon.negation | (lexicon.vague - lexicon.works)
    return "?" in text or "？" in text or any(word in trouble for word in left)


def _without(text: str, phrases: tuple[str, ...]) -> str:
    for phrase in phrases:
        if phrase in text:
            text = _phrase(phrase).sub(" ", text)
    return text


@lru_cache(maxsize=1024)
def _phrase(phrase: str) -> re.Pattern[str]:
    # Chinese and Japanese have no word borders.
    if phrase[0] > "\u3000":
        return re.compile(re.escape(phrase))
    return re.compile(rf"(?<!\w){re.escape(phrase)}(?!\w)")
