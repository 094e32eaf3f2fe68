"""Tells when a model wrote in another language than it was asked to."""

from typing import Final

from retrieval.language import CYRILLIC, LATIN, language_of

# Languages that a detector mixes up, and readers do not mind as much as no answer.
_CLOSE: Final = (
    frozenset({"cs", "sk"}),
    frozenset({"da", "no", "sv"}),
    frozenset({"hr", "sr", "sl"}),
    frozenset({"es", "pt"}),
    frozenset({"bg", "mk", "ru"}),
)
_SCRIPTS: Final = {
    "latin": frozenset(LATIN) - {"sr"},
    "cyrillic": frozenset(CYRILLIC),
    "han": frozenset(("ja", "zh")),
}
# Of 12 800 sentences in eight languages (the sample, public help pages) those with 20 to 39 letters were taken for
# another language in 0.6 %, for another script in 0.1 %; with 40 letters or more in 0.2 %.
SURE_LETTERS: Final = 40
FEWEST_LETTERS: Final = 20


def is_other_language(text: str, wanted: str) -> bool:
    """Say whether the text is surely not in the wanted language (ISO 639-1; empty means any).

    Another script is seen from 20 letters on, another language of the same script from 40.
    """
    letters = sum(c.isalpha() for c in text)
    if not wanted or letters < FEWEST_LETTERS:
        return False
    found = language_of(text)
    if not found or found == wanted or any({found, wanted} <= group for group in _CLOSE):
        return False
    return _script(found) != _script(wanted) or letters >= SURE_LETTERS


def _script(code: str) -> str:
    return next((name for name, codes in _SCRIPTS.items() if code in codes), code)
