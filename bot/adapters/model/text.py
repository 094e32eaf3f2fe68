"""Cuts what a model wrote into plain sentences, each with the evidence that the text marks behind it.

Evidence marks travel inside the text as private-use characters, which the model cannot write itself: they are removed
from its words first. So one path serves both cited blocks and numbered sentences.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from retrieval.documents.sentences import split_sentences

# U+E000 3,5 U+E001: the sentence around it rests on evidence 3 and 5.
_OPEN, _CLOSE = "\ue000", "\ue001"
# Blanks are tried only where a run of them begins.
_MARK = re.compile(f"(?:(?<![ \t])[ \t]+)?{_OPEN}([0-9,]*+){_CLOSE}")
# Bounded, and tried only where a run of stops begins: 16 000 full stops took 16 s without that.
_LATE_MARKS = re.compile(
    rf"(?<![.!?…。！？])([.!?…。！？]{{1,8}}[\"'»”’)\]」』”）]{{0,4}})((?:[ \t]{{0,4}}{_OPEN}[0-9,]*{_CLOSE})+)"
)
_PRIVATE = re.compile("[\ue000-\uf8ff]")
_THINKING = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_THOUGHT_END = re.compile(r"\A.*</(?:think|thinking|reasoning)>", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[\w+-]*[ \t]*$", re.MULTILINE)
_BULLET = re.compile(r"^[ \t>]*(?:(?:[-*•–—]|\d{1,2}[.)]|#{1,6})[ \t]+)*")
_ITEM = re.compile(r"\A[ \t>]*+(?:(\d{1,2})[.)]|[-*•–—])[ \t]+")
_STRONG = re.compile(r"\*\*|(?<!\w)__(?=\w)|(?<=\w)__(?!\w)")
_COMPLETE = re.compile(r"[.!?…。！？][\"'»”’)\]」』”）]*$")


@dataclass(frozen=True, slots=True)
class MarkedSentence:
    """A plain sentence, the numbers of the evidence marked at it, and whether it ends where a sentence ends.

    `item` is the sign of a list that stood before it.
    """

    text: str
    marks: tuple[int, ...]
    is_complete: bool
    item: str = ""
    begins_line: bool = False


def without_private(text: str) -> str:
    """Remove private-use characters, so that nothing in the text can pass for a mark."""
    return _PRIVATE.sub("", text)


def mark(numbers: Iterable[int]) -> str:
    """Give the mark that names this evidence."""
    return f"{_OPEN}{','.join(map(str, numbers))}{_CLOSE}"


def marked_block(text: str, numbers: tuple[int, ...]) -> str:
    """Put the block's evidence at every sentence of it; a block without evidence stays as it is."""
    if not numbers:
        return text
    pieces: list[str] = []
    position = 0
    for sentence in split_sentences(text):
        if any(c.isalnum() for c in sentence):
            end = text.index(sentence, position) + len(sentence)
            pieces += [text[position:end], mark(numbers)]
            position = end
    return "".join((*pieces, text[position:]))


def without_wrapping(text: str) -> str:
    """Remove thoughts and code fences; what stands between fences stays."""
    text = _THINKING.sub("", text)
    return _FENCE.sub("", _THOUGHT_END.sub("", text))


def sentences_of(text: str) -> Iterator[MarkedSentence]:
    """Cut a marked text into sentences. Bullets, step numbers and bold signs leave the text, commands in backticks stay."""
    for line in text.splitlines(keepends=True):
        if not line.strip():
            continue
        # A mark behind the full stop belongs to the sentence before it; the blank lets the next sentence begin.
        body = _LATE_MARKS.sub(lambda m: f"{m[2]}{m[1]} ", _BULLET.sub("", line))
        pieces = [piece for piece in split_sentences(body) if any(c.isalnum() for c in _MARK.sub("", piece))]
        item = _item(line)
        for place, piece in enumerate(pieces):
            sentence = _sentence(piece, ends_line=line.endswith(("\n", "\r")))
            yield sentence if place else replace(sentence, item=item, begins_line=True)


def _item(line: str) -> str:
    """Give the sign of a list at the start of a line: a step's number, or a dash for every bullet; empty for prose."""
    found = _ITEM.match(line)
    return "" if found is None else f"{found[1]}." if found[1] else "-"


def _sentence(raw: str, *, ends_line: bool) -> MarkedSentence:
    numbers = [int(n) for group in _MARK.findall(raw) for n in group.split(",") if n]
    text = " ".join(_STRONG.sub("", _MARK.sub("", raw)).split())
    return MarkedSentence(text, tuple(dict.fromkeys(numbers)), ends_line or bool(_COMPLETE.search(text)))
