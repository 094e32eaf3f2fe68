"""Texts to search for, made ready once: tokens, language, vector."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.language import language_of
from retrieval.lexical import group_words, tokenize
from retrieval.ports import Encoder, Vectors

# A pasted log of 50 000 characters holds its question at the start or not at all.
MAX_CHARACTERS = 4_000
_MOST_WORDS = 256


@dataclass(frozen=True, slots=True)
class PreparedQuery:
    """One text to search for.

    `words` are distinct, each with its stems; `language` is empty when unknown; `vector` is float32, (dim,), unit length.
    """

    text: str
    language: str
    words: tuple[tuple[str, ...], ...]
    vector: Vectors

    @property
    def tokens(self) -> tuple[str, ...]:
        """The tokens of all words; distinct, since a repeated one would count each time."""
        return tuple(dict.fromkeys(token for word in self.words for token in word))


def prepare_queries(texts: Sequence[str], encoder: Encoder, languages: Sequence[str]) -> list[PreparedQuery]:
    """Prepare texts; blank ones, ones without a letter or digit, and repeated ones are left out.

    Args:
        texts: the question as asked first.
        encoder: gives the vectors.
        languages: of the index; words are stemmed by those of them that the text may be in.
    """
    kept = encoded_texts(texts)
    if not kept:
        return []
    vectors = encoder.encode_queries(kept)
    return [_prepared(text, vector, languages) for text, vector in zip(kept, vectors, strict=True)]


def encoded_texts(texts: Sequence[str]) -> list[str]:
    """Give what is encoded of texts: cut, distinct, and only those with a letter or digit."""
    cut = dict.fromkeys(text[:MAX_CHARACTERS].strip() for text in texts)
    return [text for text in cut if re.search(r"\w", text)]


def joint_question(text: str, previous: str) -> str:
    """Give a follow-up with the question before it in one text: "and on Android?" alone says nothing."""
    return f"{previous}\n{text}"


def _prepared(text: str, vector: Vectors, languages: Sequence[str]) -> PreparedQuery:
    language = language_of(text)
    words = group_words(tokenize(text, query_languages(language, languages)))
    return PreparedQuery(text, language, tuple(words[:_MOST_WORDS]), vector)


def query_languages(language: str, languages: Sequence[str]) -> tuple[str, ...]:
    """Give the languages to stem a query by: its own, and English, whose words stand in questions of every language.

    A text too short to tell is stemmed by the first three languages of the index.
    """
    found = (language, "en") if language else ("en", *[code for code in languages if code != "en"][:3])
    return tuple(dict.fromkeys(code for code in found if code in languages)) or ("",)
