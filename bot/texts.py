"""What users read: our own words, in the asker's language, English where a language has none."""

from string import Formatter

from bot.lexicon import DEFAULT, lexicon
from retrieval.redaction import RedactedText

# A key is a name of the table [say] of `bot/languages/en.toml`; other languages may lack one, English never does.


def say(key: str, language: str, **values: RedactedText | int) -> RedactedText:
    """Give a fixed text with its placeholders filled.

    Args:
        key: a name of the table `[say]`.
        language: the asker's language, ISO 639-1.
        values: what stands in the placeholders; redacted text or numbers, so nothing raw can come in this way.

    Raises:
        KeyError: no such text or placeholder: a fault in the code.
    """
    template = lexicon(language).texts.get(key) or lexicon(DEFAULT).texts[key]
    return RedactedText.joined(_parts(template, values), "")


def frame_of(language: str) -> str:
    """Give the language that fixed texts are said in to an asker of a language: English where it has none of its own."""
    return lexicon(language).code


def has_text(key: str) -> bool:
    """Say whether there is a text of this name."""
    return key in lexicon(DEFAULT).texts


def language_name(code: str, language: str) -> RedactedText:
    """Name a language in the asker's words, as the text `quoted_in` needs it; the code itself when it has no name."""
    name = lexicon(language).names.get(code) or lexicon(DEFAULT).names.get(code) or code
    return RedactedText.stored(name)


def _parts(template: str, values: dict[str, RedactedText | int]) -> list[RedactedText]:
    parts: list[RedactedText] = []
    for literal, name, _, _ in Formatter().parse(template):
        parts.append(RedactedText.stored(literal))  # our own file: nobody's data
        if name is not None:
            value = values[name]
            parts.append(RedactedText.stored(str(value)) if isinstance(value, int) else value)
    return parts
