"""Words of a text, and which of them carry its meaning, for the rules that work without a model."""

import re
import unicodedata
from collections.abc import Collection, Mapping
from functools import cache, lru_cache

from bot.lexicon import LANGUAGES, Lexicon, lexicons

# One word: letters and digits, held together by marks inside ("can't", "KB-101", "10.0.19041", "a@b" stays two).
_WORD = re.compile(r"[^\W_]+(?:[-'’._/:][^\W_]+)*", re.UNICODE)
_NO_SPACES = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+")
_HIRAGANA = re.compile(r"[\u3040-\u309f]+")
_DIGIT, _MARK = re.compile(r"\d"), re.compile(r"[-'’._/:]")
# Something that names a thing by itself: a code or version (has a digit), an acronym, CamelCase.
_ENTITY = re.compile(r"\A(?:(?=\S*\d)\S{2,}|[A-ZА-ЯҐЄІЇ]{2,}+|[A-Z][a-z]++[A-Z]\w*)")

_HEAD, _SHORTEST_HEAD = 5, 3


def folded(text: str) -> str:
    """Give the text in the form that words are compared in."""
    return unicodedata.normalize("NFKC", text).casefold().replace("’", "'")


def head_of(word: str) -> str:
    """Give what is compared of a word: its first five letters, without its last one, three at least: "stary" and "stara" are one."""
    return word[: min(_HEAD, max(_SHORTEST_HEAD, len(word) - 1))]


def heads_of(text: str) -> frozenset[str]:
    """Give what is compared of a text's content words; of one with a digit that is all of it: "T-23" is not "T-24"."""
    own = content_words(text, lexicon_of(text))
    return frozenset(word if _DIGIT.search(word) or is_unspaced(word) else head_of(word) for word in own)


def heads_in(text: str, heads: Collection[str]) -> frozenset[str]:
    """Give which of some heads a word of the text has."""
    spoken = _words_of(text)
    return frozenset(head for head in heads if any(_has_head(word, head) for word in spoken))


def _has_head(word: str, head: str) -> bool:
    if is_unspaced(head):
        return head in word
    if _DIGIT.search(head):  # also "409" of "LG-409"
        return word == head or (head.isdigit() and head in _MARK.split(word))
    return word.startswith(head)


def words(text: str) -> list[str]:
    """Give the words in order, folded; a run of Chinese or Japanese is one word."""
    return list(_words_of(text))


# The checks of one sentence ask for its words twenty times.
@lru_cache(maxsize=2048)
def _words_of(text: str) -> tuple[str, ...]:
    plain = folded(text)
    if not is_unspaced(plain):
        return tuple(_WORD.findall(plain))
    found: list[str] = []
    for match in _WORD.finditer(plain):
        found.extend(part for part in _split_scripts(match[0]) if part)
    return tuple(found)


def _split_scripts(word: str) -> list[str]:
    if not _NO_SPACES.search(word):
        return [word]
    return re.split(r"([\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+)", word)


def content_words(text: str, lexicon: Lexicon, *, keep_vague: bool = False) -> list[str]:
    """Give the words that carry meaning: no stop-words, and no vague ones unless told."""
    small = lexicon.stop if keep_vague else lexicon.small
    spoken = _words_of(text)
    if not is_unspaced(text):
        return [word for word in spoken if not _is_small(word, small)]
    kept: list[str] = []
    for word in spoken:
        if _NO_SPACES.fullmatch(word):
            kept.extend(_pieces(word, small))
        elif not _is_small(word, small):
            kept.append(word)
    return kept


def _is_small(word: str, small: frozenset[str]) -> bool:
    return word in small or (len(word) == 1 and not word.isdigit())


def _pieces(run: str, small: frozenset[str]) -> list[str]:
    """Cut the small words out of a run without spaces, longest first; what is left between them carries meaning."""
    for word in _longest_first(small):
        run = run.replace(word, " ")
    return [piece for piece in _HIRAGANA.sub(" ", run).split() if piece]


@lru_cache(maxsize=64)
def _longest_first(small: frozenset[str]) -> tuple[str, ...]:
    return tuple(sorted((w for w in small if _NO_SPACES.fullmatch(w)), key=lambda w: (-len(w), w)))


def entities(text: str) -> list[str]:
    """Give codes, versions, ids, acronyms and CamelCase names as written."""
    found = (match[0].strip("'’._/:") for match in _WORD.finditer(unicodedata.normalize("NFKC", text)))
    return [word for word in found if _ENTITY.fullmatch(word)]


def is_unspaced(text: str) -> bool:
    """Say whether the text holds Chinese or Japanese, whose words have no spaces between them."""
    return not text.isascii() and bool(_NO_SPACES.search(text))


def weight_of(text: str) -> float:
    """Estimate the length of a text in words; two Chinese or Japanese letters count as one."""
    unspaced = sum(len(run) for run in _NO_SPACES.findall(text))
    return unspaced / 2 + len(_NO_SPACES.sub(" ", text).split())


def has_digit(text: str) -> bool:
    """Say whether any digit stands in the text."""
    return bool(_DIGIT.search(text))


@lru_cache(maxsize=1024)
def lexicon_of(text: str, *, prefer: str = "") -> Lexicon:
    """Give the lexicon whose small words the text uses most; the preferred language, then English, on a draw.

    Finer than a language detector for rules on small words: a short text is judged by exactly the words that the
    rules look at.
    """
    counts = _small_words(text)
    return max(lexicons(), key=lambda candidate: (counts[candidate.code], candidate.code == prefer))


@lru_cache(maxsize=1024)
def _small_words(text: str) -> Mapping[str, int]:
    """Count the small words of each language."""
    speakers, counts = _speakers(), dict.fromkeys(LANGUAGES, 0)
    for word in _words_of(text):
        for code in speakers.get(word, ()):
            counts[code] += 1
    joined = folded(text)
    if is_unspaced(joined):
        for candidate in lexicons():
            if candidate.code in ("zh", "ja"):
                counts[candidate.code] += sum(word in joined for word in _longest_first(candidate.spoken))
    return counts


@cache
def _speakers() -> dict[str, tuple[str, ...]]:
    """Give for every small word the languages that have it: asking ten word lists for every word took ten times as long."""
    found: dict[str, tuple[str, ...]] = {}
    for candidate in lexicons():
        for word in candidate.spoken:
            found[word] = (*found.get(word, ()), candidate.code)
    return found
