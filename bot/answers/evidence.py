"""Which sentences may be quoted: no heading, question, fragment, greeting, live ping or picture."""

import re
from dataclasses import dataclass
from functools import lru_cache

from bot.checks.closed_output import has_active_markup, has_mention
from bot.checks.inert import broken_in
from bot.questions.small_talk import Said, kind_in
from bot.words import content_words, folded, lexicon_of, words
from retrieval.redaction import RedactedText

_NUMBERED = re.compile(r"^\s*(?:\d{1,3}|[a-zA-Z])[.)]\s+\S")
_BULLET = re.compile(r"^\s*[-*+•]\s+\S")
_HEADING = re.compile(r"^\s*#{1,6}\s|^\s*\*\*[^*]{1,80}\*\*:?\s*$")
_END = re.compile(r"""[.!?…:;。！？：；।۔][\s"'”’»)\]*_`]*$""")
_ASKS = re.compile(r"""[?？؟][\s"'”’»)\]*_]*$""")
# "press **Forgot password?**" is no question.
_NAMES_BUTTON = re.compile(r"""[?？]\s*["'”’»\]*_`]+$""")
_TABLE = re.compile(r"^[^\S\n]*+\|.*\|[^\S\n]*+$", re.MULTILINE)
_CODE = re.compile(r"^[^\S\n]*+(?:`{3,}(?=[^`]*$)|~{3,})", re.MULTILINE)
_MARKS = "`~ \t\n"
# Reads like the number of a source of ours.
_FOOTNOTE = re.compile(r"\[\d{1,3}\]")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
# A sentence with fewer words says too little by itself; letters count for scripts without spaces.
_FEW_WORDS, _FEW_LETTERS = 4, 8
# A longer sentence is no greeting.
_LONG = 120


@dataclass(frozen=True, slots=True)
class Shape:
    """What a sentence looks like: part of a list, an introduction to one, something that cannot stand alone."""

    is_step: bool
    is_bullet: bool
    is_lead_in: bool
    is_block: bool
    is_code: bool
    is_quotable: bool

    @property
    def is_item(self) -> bool:
        """Whether it is part of a list."""
        return self.is_step or self.is_bullet


@lru_cache(maxsize=4096)
def shape_of(text: str) -> Shape:
    """Tell the shape of one sentence."""
    is_step, is_bullet = bool(_NUMBERED.match(text)), bool(_BULLET.match(text))
    is_code = ("```" in text or "~~~" in text) and bool(_CODE.search(text))
    is_block = is_code or ("|" in text and bool(_TABLE.search(text)))
    return Shape(
        is_step=is_step,
        is_bullet=is_bullet,
        is_lead_in=text.rstrip(" *_").endswith((":", "：")),
        is_block=is_block,
        is_code=is_code,
        is_quotable=_is_quotable_code(text) if is_code else is_quotable(text, is_item=is_step or is_bullet or is_block),
    )


def without_bullet(text: RedactedText) -> RedactedText:
    """Give an item of a bulleted list without its mark, for where it stands alone."""
    return text.part(found.end() - 1, len(text)) if (found := _BULLET.match(text)) else text


def is_quotable(text: str, *, is_item: bool = False) -> bool:
    """Say whether a sentence can be an answer; items may be short and need no full stop."""
    if has_mention(text) or has_active_markup(text) or _HEADING.match(text):
        return False
    if text.startswith("**") and text.count("**") % 2:
        return False  # a heading in bold that was cut in two
    if "[" in text and _FOOTNOTE.search(text):
        return False
    if _ASKS.search(text) and not (is_item and _NAMES_BUTTON.search(text)):
        return False
    if not is_item and not _END.search(text) and len(words(text)) < 2 * _FEW_WORDS and not _UNSPACED.search(text):
        return False  # no full stop and short: a heading or a caption
    return not _is_fragment(text, is_item=is_item) and not _is_small_talk(text)


def _is_quotable_code(text: str) -> bool:
    """Say whether code can be an answer: whole, not empty, and nothing in it that pings, acts or reads like a source of ours."""
    # An invisible character that breaks a ping would go along into whoever's terminal.
    is_active = has_mention(text) or has_active_markup(text) or bool(broken_in(text) or _FOOTNOTE.search(text))
    fences = _CODE.findall(text)
    body = "\n".join(text.split("\n")[1:])
    return not is_active and len(fences) == 2 and bool(_CODE.match(text)) and bool(body.strip(_MARKS))


def _is_fragment(text: str, *, is_item: bool) -> bool:
    if not text.isascii() and len(_UNSPACED.findall(text)) >= _FEW_LETTERS:
        return False
    return len(words(text)) < (_FEW_WORDS - 2 if is_item else _FEW_WORDS)


def _is_small_talk(text: str) -> bool:
    """Say whether it is a line like "Hello, thanks for contacting us." that a ticket begins or ends with."""
    if len(text) > _LONG:
        return False
    language, said = lexicon_of(text), folded(text)
    if not any(map(said.__contains__, (*language.greetings, *language.thanks))):
        return False
    if kind_in(text, language) in (Said.THANKS, Said.GREETING):
        return True
    polite = (*language.greetings, *(phrase for phrase in language.thanks if len(phrase) > 4))
    return said.lstrip().startswith(polite) and len(content_words(text, language)) <= 3


@lru_cache(maxsize=4096)
def leans_back(text: str) -> bool:
    """Say whether a sentence needs the one before it ("It expires after 30 minutes.")."""
    spoken = words(text)
    return bool(spoken) and spoken[0] in lexicon_of(text).anaphora
