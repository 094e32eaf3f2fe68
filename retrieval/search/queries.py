"""Texts to search for, made ready once: tokens, languages, vector."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.language import language_of
from retrieval.lexical import tokenize
from retrieval.ports import Encoder, Vectors

# A pasted log of 50 000 characters holds its question at the start or not at all.
MAX_CHARACTERS = 4_000
_MOST_TOKENS = 512


@dataclass(frozen=True, slots=True)
class PreparedQuery:
    """One text to search for. `tokens` are distinct, in the order of the text; `vector` is float32, (dim,), unit length."""

    text: str
    tokens: tuple[str, ...]
    vector: Vectors


def prepare_queries(texts: Sequence[str], encoder: Encoder, languages: Sequence[str]) -> list[PreparedQuery]:
    """Prepare texts; blank ones, ones without a letter or digit, and repeated ones are left out.

    Args:
        texts: the question as asked first.
        encoder: gives the vectors.
        languages: of the index; words are stemmed by those of them that the text may be in.
    """
    cut = dict.fromkeys(text[:MAX_CHARACTERS].strip() for text in texts)
    kept = [text for text in cut if re.search(r"\w", text)]
    if not kept:
        return []
    vectors = encoder.encode_queries(kept)
    return [
        PreparedQuery(text, distinct_tokens(text, languages), vector)
        for text, vector in zip(kept, vectors, strict=True)
    ]


def distinct_tokens(text: str, languages: Sequence[str]) -> tuple[str, ...]:
    """Give the distinct search tokens of a query; a repeated word would count each time."""
    return tuple(dict.fromkeys(tokenize(text, query_languages(text, languages))))[:_MOST_TOKENS]


def query_languages(text: str, languages: Sequence[str]) -> tuple[str, ...]:
    """Give the languages to stem by: the text's own, and English, whose words stand in questions of every language.

    A text too short to tell is stemmed by the first three languages of the index that have a stemmer.
    """
    own = language_of(text)
    found = (own, "en") if own else ("en", *[code for code in languages if code != "en"][:3])
    return tuple(dict.fromkeys(code for code in found if code in languages)) or ("",)
