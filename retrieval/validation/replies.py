"""How a sentence of a reply hangs on what stands before it: it answers the question with yes or no, or speaks of "them"."""

import re
from collections.abc import Sequence

_NO = re.compile(
    r"(?i)\A\s*+(?:no|nope|(?:sorry|unfortunately),? no(?:t)?|not possible|that is not possible|impossible|nein|leider nein|(?:das |leider )?(?:geht|ist) (?:leider )?nicht(?: möglich)?|nicht möglich"
    r"|ні|на жаль, ні|неможливо|не можна|нет|нельзя|невозможно|non|pas possible|no es posible|imposible|não|não é possível|nie|nie można|niemożliwe)\s*(?=[,.;:!–—-]|$)"
)
_YES = re.compile(
    r"(?i)\A\s*+(?:yes|yep|sure|of course|certainly|possible|that is possible|ja|klar|natürlich|ja klar|(?:das )?geht|möglich|так|звичайно|авжеж|можна|звісно|да|конечно|можно"
    r"|oui|bien sûr|sí|claro|por supuesto|sim|claro que sim|tak|oczywiście|można)\s*(?=[,.;:!–—-]|$)"
)
_BUT = re.compile(
    r"(?i)\b(?:but|except|unless|aber|außer|allerdings|але|крім|но|кроме|mais|sauf|pero|salvo|excepto|mas|exceto|ale|oprócz)\b"
)
# A sentence that begins so speaks of what the one before it names.
_POINTING = re.compile(
    r"(?i)\A\s*+(?:they|these|those|it|this|that|each|both|sie|diese[rs]?|es|das|jede[rs]?|вони|воно|це|цей|ця|ці|кожн\w+|они|оно|это|эти|этот|эта|кажд\w+|ils|elles|ce|cette|ces"
    r"|ellos|ellas|esto|esta|estos|estas|cada|eles|elas|isto|este|estes|one|ono|to|ten|ta|te)\b"
)


def reply_to_question(sentence: str) -> str:
    """Give "yes" or "no" where a sentence begins with it and does not take it back, else an empty text."""
    said = "no" if _NO.match(sentence) else "yes" if _YES.match(sentence) else ""
    return "" if said and _BUT.search(sentence) else said


def is_pointing(sentence: str) -> bool:
    """Say whether a sentence begins with a word for what was named before it."""
    return bool(_POINTING.match(sentence))


def spoken_of(place: int, sentences: Sequence[str]) -> str:
    """Give the sentence that the one at a place points to, empty when it points to none."""
    return sentences[place - 1] if place and is_pointing(sentences[place]) else ""
