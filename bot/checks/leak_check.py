"""Finds the system prompt, its canary or a redacted value in a text on its way out, however it is dressed.

The verify stage calls a `LeakCheck` with every model answer as a whole; a hit means a fixed apology, never a partial
answer. Read are the text itself, backwards, by rot13, percent-decoded, spaced out, with look-alike letters folded, and
what its base64 and hex runs say. A leak that was translated or told in other words is not seen here: such sentences fail
the support check, since no source says them.

Raw personal values are kept nowhere, so none can be compared with. What the redactor finds in a disguised form and not in
the open one was put in disguise to get past it.
"""

import base64
import codecs
import re
import unicodedata
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache
from urllib.parse import unquote

from bot.prompts import Prompts
from retrieval.screening.skeleton import skeleton

SHINGLE_WORDS = 8
# Names the types of personal data in a text.
FindTypes = Callable[[str], Collection[str]]
# Longer answers are cut before they come here; the bound keeps hostile text from costing more.
_LIMIT = 12_000
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{16,20000}={0,2}")
_HEX = re.compile(r"[0-9a-fA-F](?:[\s:]?[0-9a-fA-F]){15,20000}")
_PERCENT = re.compile(r"%[0-9a-fA-F]{2}")
_SPACED = re.compile(r"(?<!\S)\S(?:[ \u00a0_|*·-]\S){7,400}(?!\S)")
_LONG_NUMBER = re.compile(r"(?:[A-Za-z]{2})?\d(?:[ -]?[\dA-Za-z]){11,33}")
_SUSPECT = re.compile(rf"[\w.+-]{{1,64}}@[\w.-]{{3,64}}|{_LONG_NUMBER.pattern}")
_MOST_SUSPECTS, _MOST_RUNS = 2_000, 5
_SMALL = re.compile(r"[\W_]+")
# Decoded text with more unreadable characters than this share is noise: nobody encoded words there.
_NOISE_SHARE = 0.2
# Letters moved or turned round lose the words that tell an order number from a phone number; these need no words.
_CERTAIN = frozenset({"EMAIL", "CARD", "IBAN"})
# A name is found by the words around it, and many words are names.
_UNCERTAIN = frozenset({"NAME"})


def _nothing(_text: str) -> Collection[str]:
    return ()


class LeakCheck:
    """Knows one process's prompts and tells whether a text gives them, or personal data in disguise, away.

    Comparison drops case, spaces and punctuation, so "Y o u  h e l p" and "you-help" are the same. Eight words of a
    prompt in a row count as a leak; fewer are ordinary language.

    Args:
        prompts: system texts with this process's canary.
        types_in: names what a redactor would find in a text; without one only prompts are looked for.
    """

    def __init__(self, prompts: Prompts, types_in: FindTypes = _nothing) -> None:
        self._types_in = types_in
        self._canary = _compact(prompts.canary)
        # A run with the canary in it is found by the canary; without it the runs are those of every process.
        parts = tuple(part for secret in prompts.secrets for part in secret.split(prompts.canary))
        self._shingles, self._folded = _runs_of(parts)

    def __call__(self, text: str) -> bool:
        """Say whether the text holds the canary, eight words of a prompt in a row, or a value that was in disguise."""
        text = text[:_LIMIT]
        decoded = tuple(dict.fromkeys(form for form in _decoded(text) if not _is_noise(form)))
        moved = (text[::-1], codecs.encode(text, "rot13"), *_unquoted(text))
        forms = dict.fromkeys((text, *moved, *decoded, *(form[::-1] for form in decoded)))
        if any(self._is_hit(form, self._shingles) for form in forms):
            return True
        return self._is_hit(skeleton(text), self._folded) or self._hides_value(text, moved, decoded)

    def _is_hit(self, text: str, shingles: "_Runs") -> bool:
        compact = _compact(text)
        return self._canary in compact or shingles.is_any_in(compact)

    def _hides_value(self, text: str, moved: Collection[str], decoded: Collection[str]) -> bool:
        if any(set(self._types_in(form)) - _UNCERTAIN for form in decoded):
            return True
        suspects = [_suspects(form) for form in moved]
        if any(_CERTAIN & set(self._types_in(form)) for form in suspects if form):
            return True
        spaced = (re.sub(r"[ \u00a0_|*·-]", "", run) for run in _SPACED.findall(text)[:_MOST_RUNS])
        return any((_CERTAIN | _international(run)) & set(self._types_in(run)) for run in spaced)


class _Runs:
    """Tells whether any of many runs stands in a text.

    Cut into blocks of half the shortest run, a text that holds a run has a block that lies wholly in it, so most texts
    are done with after some hundred look-ups; asking for each of the runs took 1.5 ms an answer.
    """

    def __init__(self, runs: frozenset[str]) -> None:
        self._runs = runs
        self._size = (min(map(len, runs), default=1) + 1) // 2
        starts = ((run, at) for run in runs for at in range(len(run) - self._size + 1))
        self._blocks = frozenset(run[at : at + self._size] for run, at in starts)

    def is_any_in(self, text: str) -> bool:
        size = self._size
        if self._blocks.isdisjoint(text[at : at + size] for at in range(0, len(text), size)):
            return False
        return any(run in text for run in self._runs)


@lru_cache(maxsize=8)
def _runs_of(secrets: tuple[str, ...]) -> tuple[_Runs, _Runs]:
    """Give the runs of secret texts as they are and with look-alikes folded: 12 ms of processor for three prompts."""
    shingles = frozenset(shingle for secret in secrets for shingle in _shingles(secret))
    return _Runs(shingles), _Runs(frozenset(map(skeleton, shingles)))


def _suspects(text: str) -> str:
    """Give what may be an address or a long number of a text; most answers have neither."""
    pattern = _SUSPECT if "@" in text else _LONG_NUMBER
    return "\n".join(match[0] for match in pattern.finditer(text))[:_MOST_SUSPECTS]


def _international(run: str) -> frozenset[str]:
    return frozenset({"PHONE"}) if run.startswith("+") else frozenset()


def _compact(text: str) -> str:
    return _SMALL.sub("", unicodedata.normalize("NFKC", text).casefold())


def _shingles(text: str) -> Iterator[str]:
    words = [word for word in map(_compact, text.split()) if word]
    for start in range(len(words) - SHINGLE_WORDS + 1):
        yield "".join(words[start : start + SHINGLE_WORDS])


def _unquoted(text: str) -> tuple[str, ...]:
    """Give what percent signs say: a connection string holds some, so only certain values count there."""
    return (unquote(text, errors="replace"),) if _PERCENT.search(text) else ()


def _is_noise(form: str) -> bool:
    return form.count("\ufffd") > _NOISE_SHARE * len(form)


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
