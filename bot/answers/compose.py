"""Builds the text of an answer from its verified sentences: quotes in blocks, numbers of sources, citations."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from bot.answers.evidence import shape_of, without_bullet
from bot.checks.closed_output import hosts_of, safe_address, shown_title, without_foreign, written_out
from bot.checks.inert import inert
from bot.messages import Citation, DraftSentence
from bot.texts import frame_of, language_name, say
from retrieval.passages import DocumentCard, Passage
from retrieval.redaction import EMPTY, RedactedText

_OPEN, _CLOSE, _PAREN, _CLOSED = (RedactedText.stored(mark) for mark in "“”()")


@dataclass(frozen=True, slots=True)
class Composed:
    """The text of an answer and what it cites, numbered in the order of the text; to which hosts its addresses may lead."""

    text: RedactedText
    citations: tuple[Citation, ...]
    hosts: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Block:
    """Neighbouring sentences of one passage, or one sentence of a model."""

    passages: tuple[int, ...]
    text: RedactedText
    quote: RedactedText
    is_quote: bool
    item: str = ""
    begins_line: bool = False


def compose(
    sentences: Sequence[DraftSentence],
    passages: Sequence[Passage],
    language: str,
    *,
    language_of: Callable[[str], str],
    hosts: frozenset[str] = frozenset(),
) -> Composed:
    """Put verified sentences together, each with the numbers of its sources; the first line is the answer.

    Addresses stay that lead to `hosts` or to those of the passages' own pages.
    """
    hosts |= hosts_of(passage.document.url for passage in passages)
    blocks = [_shown(block, hosts) for block in _blocks(sentences, passages)]
    named = list(dict.fromkeys(index for block in blocks for index in block.passages))
    # Two parts of a question may quote one document, each from its own passage of it: that is one source.
    ids = list(dict.fromkeys(passages[index].document.id for index in named))
    numbers = {index: ids.index(passages[index].document.id) + 1 for index in named}
    first = {numbers[index]: index for index in reversed(named)}
    order = [first[number] for number in sorted(first)]
    parts = [_block_text(block, numbers, passages, language, language_of) for block in blocks]
    quotes = {index: block.quote for block in reversed(blocks) for index in block.passages}
    return Composed(
        _joined(blocks, parts),
        tuple(cited(numbers[index], passages[index].document, quotes[index]) for index in order),
        hosts,
    )


def _joined(blocks: Sequence[_Block], parts: Sequence[RedactedText]) -> RedactedText:
    """Join quotes by lines, and what a model wrote as prose with each step of its lists on a line of its own."""
    if any(block.is_quote for block in blocks):
        return RedactedText.joined(parts, "\n")
    text, in_list = EMPTY, False
    for block, part in zip(blocks, parts, strict=True):
        line = RedactedText.joined((RedactedText.stored(block.item), part)) if block.item else part
        is_line = bool(block.item) or (in_list and block.begins_line)
        text = RedactedText.joined((text, line), "\n" if is_line else " ") if text else line
        in_list = bool(block.item) or (in_list and not block.begins_line)
    return text


def _blocks(sentences: Sequence[DraftSentence], passages: Sequence[Passage]) -> list[_Block]:
    blocks: list[_Block] = []
    run: list[DraftSentence] = []
    for sentence in sentences:
        if run and not _continues(run[-1], sentence, passages):
            blocks.append(_block(run, passages))
            run = []
        run.append(sentence)
    return [*blocks, _block(run, passages)] if run else blocks


def _continues(before: DraftSentence, after: DraftSentence, passages: Sequence[Passage]) -> bool:
    if not (before.is_quote and after.is_quote):
        return False
    # Tables and code stand alone, without quotation marks, so that they can be rendered as such.
    if shape_of(before.text).is_block or shape_of(after.text).is_block:
        return False
    left, right = before.refs[0], after.refs[0]
    if left.passage != right.passage or right.sentence != left.sentence + 1:
        return False
    sentences = passages[left.passage].sentences
    before_it, after_it = sentences[left.sentence], sentences[right.sentence]
    return (before_it.part, before_it.section) == (after_it.part, after_it.section)


def _block(run: Sequence[DraftSentence], passages: Sequence[Passage]) -> _Block:
    text = without_bullet(run[0].text) if run[0].is_quote and len(run) == 1 else run[0].text
    for sentence in run[1:]:
        text = RedactedText.joined((text, sentence.text), "\n" if shape_of(sentence.text).is_item else " ")
    refs = run[0].refs
    cited = tuple(dict.fromkeys(ref.passage for ref in refs))
    # A sentence that says what the sources lack cites none.
    named = passages[refs[0].passage].sentences[refs[0].sentence].text if refs else EMPTY
    shown = text if run[0].is_quote else named
    return _Block(cited, text, shown, run[0].is_quote, run[0].item, run[0].begins_line)


def _shown(block: _Block, hosts: frozenset[str]) -> _Block:
    return replace(block, text=visible(block.text, hosts), quote=visible(block.quote, hosts))


def visible(text: RedactedText, hosts: frozenset[str]) -> RedactedText:
    """Give a sentence as it is shown: nothing pings, where a label leads is written out, addresses on other hosts are left out."""
    return RedactedText.stored(without_foreign(written_out(inert(text)), hosts))


def is_shown_whole(text: str, passages: Sequence[Passage], hosts: frozenset[str]) -> bool:
    """Say whether a sentence is shown with every address in it, and code also character by character."""
    allowed = hosts | hosts_of(passage.document.url for passage in passages)
    shown = written_out(text)
    return without_foreign(shown, allowed) == shown and (shown == text or not shape_of(text).is_code)


def _block_text(
    block: _Block,
    numbers: dict[int, int],
    passages: Sequence[Passage],
    language: str,
    language_of: Callable[[str], str],
) -> RedactedText:
    named = dict.fromkeys(numbers[index] for index in block.passages)
    marks = RedactedText.stored("".join(f"[{number}]" for number in named))
    if not block.is_quote:
        return RedactedText.joined((block.text, marks)) if marks else block.text
    spoken = passages[block.passages[0]].document.lang or language_of(block.text)
    if spoken and spoken not in (language, frame_of(language)):
        label = say("quoted_in", language, name=language_name(spoken, language))
        marks = RedactedText.joined((marks, RedactedText.joined((_PAREN, label, _CLOSED), "")))
    if shape_of(block.text).is_block:
        return RedactedText.joined((block.text, marks), "\n")
    return RedactedText.joined((RedactedText.joined((_OPEN, block.text, _CLOSE), ""), marks))


def cited(n: int, card: DocumentCard, quote: RedactedText) -> Citation:
    """Give a source as it is listed: a title that neither pings nor links, an address that can be trusted."""
    return Citation(
        n=n,
        id=card.id,
        kind=card.kind,
        title=RedactedText.stored(shown_title(card.title)),
        url=safe_address(card.url),
        updated_at=card.updated_at,
        quote=quote,
    )
