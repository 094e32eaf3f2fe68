"""Copies of a text for matching only: look-alike letters folded, spelled-out words joined. Never shown or stored.

The text itself is not rewritten: folding Cyrillic letters would damage Ukrainian and Russian. The table holds the
letters that common fonts draw alike, after Unicode's confusables (https://www.unicode.org/reports/tr39/).
"""

import re
import unicodedata

_LOOK_ALIKES = str.maketrans(
    {
        # Cyrillic
        "а": "a", "е": "e", "о": "o", "р": "p", "с": "c", "у": "y", "х": "x", "і": "i", "ј": "j", "ѕ": "s", "ԁ": "d", "һ": "h", "ӏ": "l", "к": "k",
        "м": "m", "т": "t", "в": "b", "н": "h", "ո": "n", "ԛ": "q", "ԝ": "w", "ь": "b", "г": "r", "п": "n", "и": "u", "ѵ": "v",
        # Greek, Armenian, Latin extensions, small capitals
        "α": "a", "ε": "e", "ι": "i", "κ": "k", "ν": "v", "ο": "o", "ρ": "p", "τ": "t", "υ": "u", "χ": "x", "γ": "y", "ս": "u", "օ": "o",
        "ı": "i", "ł": "l", "ø": "o", "đ": "d", "ɡ": "g", "ɑ": "a", "ᴀ": "a", "ʙ": "b", "ᴄ": "c", "ᴅ": "d", "ᴇ": "e", "ꜰ": "f", "ɢ": "g", "ʜ": "h",
        "ɪ": "i", "ᴊ": "j", "ᴋ": "k", "ʟ": "l", "ᴍ": "m", "ɴ": "n", "ᴏ": "o", "ᴘ": "p", "ʀ": "r", "ꜱ": "s", "ᴛ": "t", "ᴜ": "u", "ᴠ": "v", "ᴡ": "w",
        "ʏ": "y", "ᴢ": "z",
    }
)  # fmt: skip
_DIGITS_FOR_LETTERS = str.maketrans("01345$@", "oieassa")
_LEET = re.compile(r"(?<![\w$@])(?=[a-z]*[0-5$@])(?=[0-9$@]*[a-z])[a-z0-5$@]{4,20}(?![\w$@])")
# i-g-n-o-r-e, i g n o r e, i.g.n.o.r.e
_SPELLED = re.compile(r"(?<!\w)\w([ ._*|-])(?:\w\1){3,24}\w(?!\w)")
_MIXED = re.compile(r"[a-z][\u0370-\u03ff\u0400-\u04ff]|[\u0370-\u03ff\u0400-\u04ff][a-z]")


def skeleton(text: str) -> str:
    """Fold a canonical text to lower-case letters without marks, look-alikes as Latin, spelled-out words joined."""
    plain = text.lower()
    if not plain.isascii():
        plain = unicodedata.normalize("NFKD", plain)
        plain = "".join(letter for letter in plain if not unicodedata.combining(letter)).translate(_LOOK_ALIKES)
    plain = _SPELLED.sub(lambda match: match[0].replace(match[1], ""), plain)
    return _LEET.sub(lambda match: match[0].translate(_DIGITS_FOR_LETTERS), plain)


def mixed_words(text: str) -> int:
    """Count the words in which letters of two scripts stand side by side, as no language writes them."""
    return len(_MIXED.findall(text.lower()))
