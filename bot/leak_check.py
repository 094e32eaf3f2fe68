"""Finds the system prompt or its canary in a text on its way out, also reversed, spaced, in base64 or in hex.

The verify stage calls a `LeakCheck` with every model sentence and with the whole answer; a hit means a fixed apology,
never a partial answer. A leak that was translated or told in other words is not seen here: such sentences fail the
support check, since no source says them.
"""

import base64
import re
import unicodedata
from collections.abc import Iterator

from bot.prompts import Prompts

SHINGLE_WORDS = 8
# Longer answers are cut before they come here; the bound keeps hostile text from costing more.
_LIMIT = 20_000
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{16,20000}={0,2}")
_HEX = re.compile(r"[0-9a-fA-F](?:[\s:]?[0-9a-fA-F]){15,20000}")
_SMALL = re.compile(r"[\W_]+")
# Decoded text with more unreadable characters than this share is noise: nobody encoded words there.
_NOISE_SHARE = 0.2


class LeakCheck:
    """Knows one process's prompts and tells whether a text gives them away.

    Comparison drops case, spaces and punctuation, so "Y o u  h e l p" and "you-help" are the same. Eight words of a
    prompt in a row count as a leak; fewer are ordinary language.
    """

    def __init__(self, prompts: Prompts) -> None:
        self._canary = _compact(prompts.canary)
        self._shingles = frozenset(shingle for secret in prompts.secrets for shingle in _shingles(secret))

    def __call__(self, text: str) -> bool:
        """Say whether the text holds the canary or eight words of a prompt in a row, in any of the known codings."""
        text = text[:_LIMIT]
        decoded = (form for form in _decoded(text) if form.count("\ufffd") <= _NOISE_SHARE * len(form))
        return any(self._is_hit(form) for form in dict.fromkeys((text, text[::-1], *decoded)))

    def _is_hit(self, text: str) -> bool:
        compact = _compact(text)
        return self._canary in compact or any(shingle in compact for shingle in self._shingles)


def _compact(text: str) -> str:
    return _SMALL.sub("", unicodedata.normalize("NFKC", text).casefold())


def _shingles(text: str) -> Iterator[str]:
    words = [word for word in map(_compact, text.split()) if word]
    for start in range(len(words) - SHINGLE_WORDS + 1):
        yield "".join(words[start : start + SHINGLE_WORDS])


def _decoded(text: str) -> Iterator[str]:
    """Give what base64 and hex runs say; line breaks and spaces inside a run are taken out first."""
    for form in {text, re.sub(r"\s+", "", text)}:
        for run in _BASE64.findall(form):
            # The secret may start at any of the four places of a group when other text was encoded before it.
            for offset in range(4):
                yield _from_base64(run[offset:])
        for run in _HEX.findall(form):
            digits = re.sub(r"[^0-9a-fA-F]", "", run)
            for offset in range(2):
                yield bytes.fromhex(digits[offset : offset + (len(digits) - offset) // 2 * 2]).decode(
                    "utf-8", "replace"
                )


def _from_base64(run: str) -> str:
    plain = run.rstrip("=").replace("-", "+").replace("_", "/")
    plain = plain[:-1] if len(plain) % 4 == 1 else plain
    return base64.b64decode(plain + "=" * (-len(plain) % 4)).decode("utf-8", "replace")
