"""The words of a text as it is spoken: casefolded, without elided articles."""

import re
from collections.abc import Iterator

from retrieval.validation.words import WORD

_ELISION = re.compile(r"(?i)^(?:qu|[ldnscj])['’](?=[^\W\d_]{2})")  # l'essai, d'achat


def spoken_words(text: str) -> Iterator[tuple[str, str]]:
    """Give the words of a text, casefolded and as written, without an elided article."""
    for match in WORD.finditer(text):
        raw = match[0]
        if raw.isalnum():  # nothing is elided
            yield raw.casefold(), raw
        else:
            raw = _ELISION.sub("", raw)
            yield raw.casefold().replace("’", "'"), raw


def words_said(text: str) -> set[str]:
    """Give the different words of a text as `spoken_words` has them, casefolded."""
    if "'" in text or "’" in text:
        return {word for word, _ in spoken_words(text)}
    return set(map(str.casefold, WORD.findall(text)))
