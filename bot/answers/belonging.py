"""Code and tables that belong to the sentence above them: "Run the script:" says nothing without the script."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from bot.answers.evidence import Shape, shape_of
from bot.messages import DraftSentence, SentenceRef
from retrieval.passages import EvidenceSentence, Passage
from retrieval.redaction import RedactedText

_COLON = " *_:："


def block_below(passage: Passage, place: int) -> int | None:
    """Give the place of the block that belongs to a sentence; None when it has none, or none that may be quoted.

    To a line that ends with a colon belongs the code or table below it, to any other sentence only code.
    """
    below = _at(passage, place, place + 1)
    if below is None or not (below.is_block and below.is_quotable):
        return None
    above = shape_of(passage.sentences[place].text)
    return place + 1 if not above.is_block and (above.is_lead_in or below.is_code) else None


def announced_by(passage: Passage, place: int) -> int:
    """Give the place of the sentence that a block belongs to; the place itself where it stands for itself.

    A table stands for itself unless a step or bullet announces it.
    """
    above, shape = _at(passage, place, place - 1), shape_of(passage.sentences[place].text)
    if above is None or not shape.is_block or block_below(passage, place - 1) is None:
        return place
    return place - 1 if shape.is_code or above.is_item else place


def without_blocks(passage: Passage, best: int) -> tuple[Passage, list[int]]:
    """Set aside the blocks that belong to a sentence, so that the others are chosen as if there were none.

    A sentence answers as well as its block does, and its colon announces nothing more.

    Returns:
        The passage without them, and the places that its sentences have in the whole one.
    """
    own = {
        place: block for place in range(len(passage.sentences)) if (block := block_below(passage, place)) is not None
    }
    own = {place: block for place, block in own.items() if block != best or announced_by(passage, best) == place}
    kept = [place for place in range(len(passage.sentences)) if place not in own.values()]
    sentences = [
        _answering(passage.sentences[place], passage.sentences[own[place]])
        if place in own
        else passage.sentences[place]
        for place in kept
    ]
    return replace(passage, sentences=tuple(sentences)), kept


def with_blocks(passage: Passage, places: Sequence[int], *, is_announcement_wanted: bool) -> list[int]:
    """Add to each place the block that belongs to it.

    Args:
        passage: their passage.
        places: what is quoted, in order.
        is_announcement_wanted: whether the line right below that announces a block comes along with it, too.
    """
    found: list[int] = []
    for place in places:
        found.append(place)
        if block_below(passage, place) is not None:
            found.append(place + 1)
        elif is_announcement_wanted and place + 1 not in places and _is_announcement(passage, place, place + 1):
            found += [place + 1, place + 2]
    return list(dict.fromkeys(found))


def _answering(sentence: EvidenceSentence, block: EvidenceSentence) -> EvidenceSentence:
    text = sentence.text.rstrip(_COLON)
    text = sentence.text if text == sentence.text else f"{text}."
    return replace(sentence, text=RedactedText.stored(text), nearness=max(sentence.nearness, block.nearness))


def without_altered(sentences: Sequence[DraftSentence], is_shown_whole: Callable[[str], bool]) -> list[DraftSentence]:
    """Leave out quoted code and tables that would not be shown as they are, where the line that announces them is quoted."""
    quoted = {ref for sentence in sentences if sentence.is_quote for ref in sentence.refs}
    return [
        sentence
        for sentence in sentences
        if not (sentence.is_quote and shape_of(sentence.text).is_block)
        or _above(sentence.refs[0]) not in quoted
        or is_shown_whole(sentence.text)
    ]


def hidden_blocks(sentences: Sequence[DraftSentence], passages: Sequence[Passage]) -> tuple[str, ...]:
    """Give the ids of documents of which a line that announces code or a table is quoted without it."""
    quoted = {ref for sentence in sentences if sentence.is_quote for ref in sentence.refs}
    bare = [ref for ref in quoted if _announces(passages[ref.passage], ref.sentence) and _below(ref) not in quoted]
    return tuple(dict.fromkeys(passages[ref.passage].document.id for ref in sorted(bare, key=_place)))


def _above(ref: SentenceRef) -> SentenceRef:
    return SentenceRef(ref.passage, ref.sentence - 1)


def _below(ref: SentenceRef) -> SentenceRef:
    return SentenceRef(ref.passage, ref.sentence + 1)


def _place(ref: SentenceRef) -> tuple[int, int]:
    return ref.passage, ref.sentence


def _announces(passage: Passage, place: int) -> bool:
    below = _at(passage, place, place + 1)
    return below is not None and below.is_block and shape_of(passage.sentences[place].text).is_lead_in


def _is_announcement(passage: Passage, place: int, following: int) -> bool:
    shape = _at(passage, place, following)
    return shape is not None and not shape.is_item and shape.is_lead_in and block_below(passage, following) is not None


def _at(passage: Passage, place: int, other: int) -> Shape | None:
    """Give the shape of another sentence of the same run of text."""
    if not 0 <= other < len(passage.sentences) or passage.sentences[other].part != passage.sentences[place].part:
        return None
    return shape_of(passage.sentences[other].text)
