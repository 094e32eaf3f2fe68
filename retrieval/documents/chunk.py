"""Documents to chunks: about 120 words each, along headings, with a little overlap."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from retrieval.documents.blocks import Kind, Unit, read_units
from retrieval.documents.document import TICKET, Document

CHUNKER_VERSION = "3"
WORDS = 120
# A section below this joins the next one: a chunk of one line has too little to be found by.
SMALL = 40
OVERLAP = 30


@dataclass(frozen=True, slots=True)
class Chunk:
    """A slice of a document. `heading` is the path of headings above it, `text` the slice with the headings inside it.

    `matched` is text that is searched but never quoted (the customer's words of a ticket). `sentences` is the evidence.
    """

    id: str
    document_id: str
    index: int
    title: str
    heading: str
    matched: str
    text: str
    sentences: tuple[str, ...]

    @property
    def search_text(self) -> str:
        """What is embedded and searched: title, headings, the customer's words, text."""
        return "\n".join(part for part in (self.title, self.heading, self.matched, self.text) if part)


def chunk_document(document: Document, *, words: int = WORDS) -> tuple[Chunk, ...]:
    """Cut one document; a document without evidence gives no chunk.

    Long customer's words of a ticket are spread: the n-th piece stands with the n-th slice of the resolution, and the last of the
    shorter side repeats, so that every word can be found and always leads to the resolution.
    """
    slices = list(_slices(document.evidence, words))
    if not slices:
        return ()
    matched = [text for _, units in _slices(document.matched, words) if (text := _joined(units))] or [""]
    count = max(len(slices), len(matched))
    return tuple(
        _chunk(document, index, matched[min(index, len(matched) - 1)], slices[min(index, len(slices) - 1)])
        for index in range(count)
    )


def _chunk(document: Document, index: int, matched: str, piece: tuple[str, Sequence[Unit]]) -> Chunk:
    heading, units = piece
    sentences = tuple(_unmarked(unit) for unit in units if unit.kind != Kind.HEADING)
    title = "" if document.kind == TICKET and document.title == matched else document.title
    return Chunk(f"{document.id}#{index}", document.id, index, title, heading, matched, _joined(units), sentences)


def _unmarked(unit: Unit) -> str:
    return unit.text.strip() if unit.kind in (Kind.SENTENCE, Kind.ITEM) else unit.text


def _joined(units: Sequence[Unit]) -> str:
    """Put units together again: a blank within a block, a line between blocks."""
    parts: list[str] = []
    for position, unit in enumerate(units):
        if position:
            parts.append(" " if unit.block == units[position - 1].block and unit.kind == Kind.SENTENCE else "\n")
        parts.append(unit.text)
    return "".join(parts)


def _slices(text: str, words: int) -> Iterator[tuple[str, list[Unit]]]:
    """Give heading path and units of each chunk; every slice has a unit that may be quoted."""
    path: list[tuple[int, str]] = []
    heading = ""
    units: list[Unit] = []
    is_bare = False  # the last heading has no text yet: the next one must not push it out of the path
    for unit in read_units(text, words):
        if unit.kind == Kind.HEADING:
            if _weight(units) >= SMALL:
                yield heading, units
                units = []
            path = [(level, name) for level, name in path if level < unit.level or is_bare] + [(unit.level, unit.text)]
            is_bare = True
            if not units:
                heading = _path(path)
                continue
        else:
            is_bare = False
            if units and _weight(units) + unit.weight > words and not _is_announced(units, unit, alone=True):
                yield heading, units
                heading, units = _path(path), _overlap(units, unit)
        units.append(unit)
    if units:
        yield heading, units
    elif heading:  # headings at the end, or nothing else: they are what the document says
        yield "", [replace(unit, kind=Kind.SENTENCE) for unit in read_units(heading.replace(" › ", "\n"), words)]


def _path(path: list[tuple[int, str]]) -> str:
    return " › ".join(name for _, name in path)


def _weight(units: Sequence[Unit]) -> float:
    return sum(unit.weight for unit in units)


def _overlap(units: Sequence[Unit], following: Unit) -> list[Unit]:
    """Give the last sentence or two, so that a thought cut in the middle is whole in one of the two chunks.

    Before code or a table that is the line that announces it.
    """
    if _is_announced(units, following):
        return list(units[-1:])
    kept: list[Unit] = []
    for unit in reversed(units[-2:]):
        is_prose = unit.kind in (Kind.SENTENCE, Kind.ITEM) and following.kind in (Kind.SENTENCE, Kind.ITEM)
        if not is_prose or _weight(kept) + unit.weight > OVERLAP:
            break
        kept.insert(0, unit)
    return kept if len(kept) < len(units) else []


def _is_announced(units: Sequence[Unit], following: Unit, *, alone: bool = False) -> bool:
    """Say whether code or a table follows the line that ends with a colon for it; `alone`: and nothing else is there."""
    if following.kind not in (Kind.CODE, Kind.TABLE) or (alone and len(units) > 1):
        return False
    last = units[-1]
    is_prose = last.kind in (Kind.SENTENCE, Kind.ITEM) and last.weight <= OVERLAP
    return is_prose and last.text.rstrip(" *_").endswith((":", "："))
