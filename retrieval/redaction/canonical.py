"""Canonical text: nothing invisible, compatibility forms folded, with the way back to the original offsets.

`visible` is what a reader sees and what redacted text keeps. `canonical` is what the finders match against: full-width
and other digits, ligatures, no-break spaces and the entities of HTML that hide a sign are plain there. Cyrillic look-alikes stay what they are in both: folding them
would damage Ukrainian and Russian.
"""

import html
import re
import unicodedata
from collections.abc import Iterator, Sequence

Offsets = Sequence[int]

# Tags, bidi controls, zero-width, soft hyphen, fillers, variation selectors, private use, C0/C1 controls, surrogates.
_SUSPECT = re.compile(
    "[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ud800-\udfff\ue000-\uf8ff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U000e0000-\U000e0fff\U000f0000-\U0010ffff]"
)
_KEYS = "#*0123456789"  # with a selector and U+20E3 they show as keys
_JOINERS = "\u200c\u200d"
# Emoji and the older symbols that take a variation selector or stand in a joined sequence.
_EMOJI = re.compile(
    "[\u00a9\u00ae\u203c\u2049\u20e3\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u24c2\u25aa-\u25fe\u2600-\u27bf\u2934"
    "\u2935\u2b05-\u2b55\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
)
# Scripts in which a joiner inside a word changes its meaning: Arabic and its extensions, the Indic block, Myanmar, Khmer.
_JOINING_SCRIPT = re.compile(
    "[\u0600-\u06ff\u0750-\u077f\u08a0-\u0dff\u1000-\u109f\u1780-\u17ff\ufb50-\ufdff\ufe70-\ufefc]"
)


# Numbered ones, and the names of signs that stand in values; `&amp;` and `&lt;` are left to who reads HTML.
_ENTITY = re.compile(
    r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|commat|period|nbsp|num|plus|colon|lowbar|hyphen|dash|sol|lpar|rpar|excl|dollar|percnt);"
)


def visible(text: str) -> tuple[str, Offsets]:
    """Drop what no reader sees.

    Returns:
        The text and, for each of its code points and one past the end, the offset in the original.
    """
    if text.isascii() and text.isprintable():
        return text, range(len(text) + 1)
    cuts = [match.start() for match in _SUSPECT.finditer(text) if not _is_meant(text, match.start())]
    if not cuts:
        return text, range(len(text) + 1)
    parts, offsets, start = [], list[int](), 0
    for cut in [*cuts, len(text)]:
        parts.append(text[start:cut])
        offsets.extend(range(start, cut))
        start = cut + 1
    return "".join(parts), [*offsets, len(text)]


def folded(text: str) -> tuple[str, Offsets]:
    """Fold compatibility forms (NFKC by base letter with its marks) and entities, with offsets as `visible` gives them."""
    has_entity = "&" in text and bool(_ENTITY.search(text))
    odd = "" if text.isascii() else "".join(letter for letter in set(text) if letter > "\x7f" and _is_odd(letter))
    if not (odd or has_entity):
        return text, range(len(text) + 1)
    parts, offsets, position = [], list[int](), 0
    for start, end in _clusters(text, odd):
        plain = unicodedata.normalize("NFKC", html.unescape(text[start:end]))
        if not plain.isascii():
            plain = "".join(str(unicodedata.decimal(one)) if one.isdecimal() else one for one in plain)
        parts += [text[position:start], plain]
        offsets.extend(range(position, start))
        offsets.extend([start] * len(plain))
        position = end
    parts.append(text[position:])
    offsets.extend(range(position, len(text) + 1))
    return "".join(parts), offsets


def canonical(text: str) -> tuple[str, Offsets]:
    """Give the text that is matched: `visible`, then `folded`.

    Returns:
        The text and, for each of its code points and one past the end, the offset in the original.
    """
    seen, seen_offsets = visible(text)
    plain, plain_offsets = folded(seen)
    if isinstance(seen_offsets, range):
        return plain, plain_offsets
    return plain, [seen_offsets[offset] for offset in plain_offsets]


def original_span(offsets: Offsets, start: int, end: int) -> tuple[int, int]:
    """Take a place in matched text back to the original; a letter of which a part was matched counts whole."""
    after = next(offset for offset in offsets[end:] if offset > offsets[end - 1])
    return offsets[start], after


def _is_odd(letter: str) -> bool:
    return bool(unicodedata.combining(letter)) or letter.isdecimal() or not unicodedata.is_normalized("NFKC", letter)


def _clusters(text: str, odd: str) -> Iterator[tuple[int, int]]:
    """Give each entity and odd code point, and each letter with the combining marks behind it as one."""
    marks = "".join(letter for letter in odd if unicodedata.combining(letter))
    forms = [
        _ENTITY.pattern,
        *([f".[{re.escape(marks)}]+"] if marks else []),
        *([f"[{re.escape(odd)}]"] if odd else []),
    ]
    for match in re.finditer("|".join(forms), text, re.DOTALL):
        yield match.span()


def _is_meant(text: str, at: int) -> bool:
    """Whether an invisible code point belongs here: a selector after its emoji, a joiner inside emoji or a word."""
    letter, before, after = text[at], text[at - 1 : at], text[at + 1 : at + 2]
    if letter in "\ufe0e\ufe0f":
        # Between digits a selector hides a number, and shows nothing.
        return bool(_EMOJI.match(before)) or (bool(before) and before in _KEYS and after == "\u20e3")
    if letter in _JOINERS:
        if _JOINING_SCRIPT.match(before) and _JOINING_SCRIPT.match(after):
            return True
        return letter == "\u200d" and bool(_EMOJI.match(before) or before == "\ufe0f") and bool(_EMOJI.match(after))
    return False
