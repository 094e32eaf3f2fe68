"""Word stems by language, so that an inflected question finds the plain form."""

from functools import lru_cache
from typing import Protocol, cast

import snowballstemmer

_ALGORITHMS = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish", "fr": "french", "ga": "irish",
    "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian", "lt": "lithuanian",
    "nb": "norwegian", "ne": "nepali", "nl": "dutch", "nn": "norwegian", "no": "norwegian", "pl": "polish",
    "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish", "ta": "tamil",
    "tr": "turkish",
}  # fmt: skip
# Inflect heavily and have no Snowball stemmer: words are cut to their first letters instead.
_CUT = {"uk": 6, "be": 6, "bg": 6, "mk": 6, "sk": 6, "sl": 6, "hr": 6, "bs": 6, "lv": 6}


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802 - the name is snowballstemmer's


@lru_cache(maxsize=64)
def _stemmer(language: str) -> _Stemmer | None:
    name = _ALGORITHMS.get(language)
    return cast("_Stemmer", snowballstemmer.stemmer(name)) if name else None


@lru_cache(maxsize=200_000)
def stem(word: str, language: str) -> str:
    """Give the stem of a casefolded word; the word itself for a language without a stemmer or a word with digits."""
    if len(word) < 4 or len(word) > 40 or not word.isalpha():
        return word
    stemmer = _stemmer(language)
    if stemmer is not None:
        return stemmer.stemWord(word) or word
    return word[: _CUT.get(language, len(word))]
