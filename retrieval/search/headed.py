"""Under which heading each sentence of a chunk stands: "You are already connected twice." says of which error only there."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from retrieval.ports import StoredPassage

_TICKET = "ticket"
# A line in bold, or a question, heads what stands below it. A question in bold may be cut into several sentences.
_BOLD = re.compile(r"\A\*\*[^*]{1,200}\*\*:?\Z")
_BOLD_BEGINS, _BOLD_ENDS = re.compile(r"\A\*\*[^*]{1,200}\Z"), re.compile(r"\A[^*]{1,200}\*\*:?\Z")
_ASKS = re.compile(r"""[?？؟]["'”’»)\]*_]{0,4}\Z""")
_MARKS = "*_: \t"
_STEP = " › "


@dataclass(frozen=True, slots=True)
class Headed:
    """The headings above a sentence; `own` is a question or a line in bold that stands among the sentences themselves."""

    above: str = ""
    own: str = ""

    @property
    def text(self) -> str:
        """All of them."""
        return _STEP.join(part for part in (self.above, self.own.strip(_MARKS)) if part)

    def is_same(self, other: "Headed") -> bool:
        """Say whether two sentences stand under one heading; a later chunk has the whole path, an earlier one may have its end."""
        return (self.above.split(_STEP)[-1], self.own) == (other.above.split(_STEP)[-1], other.own)


def headed(chunk: StoredPassage, before: Headed | None = None) -> tuple[Headed, ...]:
    """Tell it of each sentence of a chunk; nothing of a ticket, around whose resolution stand the customer's words.

    The index keeps the headings within a chunk only in the text that is searched, so they are what stands between two
    sentences there.

    Args:
        chunk: as stored.
        before: what the last sentence of the chunk right before it stands under.
    """
    if chunk.card.kind == _TICKET:
        return (Headed(),) * len(chunk.sentences)
    now = Headed(str(chunk.heading))
    if before is not None and before.is_same(Headed(now.above, before.own)):
        now = before
    found: list[Headed] = []
    is_below = True
    for sentence, between in zip(chunk.sentences, _between(chunk), strict=True):
        if between:
            now, is_below = Headed(between), True
        is_in_bold = not is_below and now.own.startswith("**") and not now.own.rstrip(":").endswith("**")
        is_head = _is_head(sentence, is_in_bold=is_in_bold)
        if is_head:
            now = Headed(now.above, f"{now.own} {sentence}" if not is_below else str(sentence))
        is_below = not is_head
        found.append(now)
    return _with_whole_heads(chunk.sentences, found)


def _with_whole_heads(sentences: Sequence[str], found: Sequence[Headed]) -> tuple[Headed, ...]:
    """Let the first sentences of a heading that was cut stand under all of it, as the last one does."""
    whole = list(found)
    for place in range(len(whole) - 2, -1, -1):
        later = whole[place + 1]
        if (
            later.own != whole[place].own
            and later.own.startswith(f"{whole[place].own} ")
            and _is_open(sentences[place])
        ):
            whole[place] = later
    return tuple(whole)


def _is_open(sentence: str) -> bool:
    return sentence.count("**") % 2 == 1 or "*" not in sentence


def _is_head(sentence: str, *, is_in_bold: bool) -> bool:
    if is_in_bold:
        return bool(_BOLD_ENDS.match(sentence)) or "*" not in sentence
    return bool(_BOLD.match(sentence) or _BOLD_BEGINS.match(sentence) or _ASKS.search(sentence))


def _between(chunk: StoredPassage) -> Iterator[str]:
    """Give what stands before each sentence and belongs to none: headings; nothing for the first one, or once the text differs."""
    text = str(chunk.search_text)
    at = _start(text, chunk.sentences)
    for number, sentence in enumerate(chunk.sentences):
        found = text.find(sentence, at) if at >= 0 else -1
        yield (
            _STEP.join(line.strip() for line in text[at:found].split("\n") if line.strip())
            if number and found > at
            else ""
        )
        at = found + len(sentence) if found >= 0 else -1


def _start(text: str, sentences: Sequence[str]) -> int:
    """Give where the first sentence begins: at the head of a line."""
    return max(0, text.find(f"\n{sentences[0]}")) if sentences and not text.startswith(sentences[0]) else 0
