"""The extractive draft of an answer: quotes for the question, or for each of its parts from its own best source."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from bot.codes import codes_of, with_codes
from bot.extractive import MOST_SOURCES, extract
from bot.messages import DraftSentence, Part, Retrieved, SentenceRef
from bot.sources import usable_passages
from retrieval.passages import Band, Passage, Ranking


@dataclass(frozen=True, slots=True)
class Quoted:
    """Sentences quoted from passages; `SentenceRef.passage` counts in `passages`."""

    passages: tuple[Passage, ...]
    sentences: tuple[DraftSentence, ...]


def quoted(retrieved: Retrieved, passages: tuple[Passage, ...], today: date) -> Quoted:
    """Quote what answers a question; of one in parts, what answers each part that has a source.

    Args:
        retrieved: what was found.
        passages: usable ones for the whole question, the best first.
        today: for what has expired.
    """
    queries = retrieved.queries
    language = queries.gated.question.language
    if not retrieved.parts:
        return Quoted(passages, extract(passages, queries.standalone, language))
    found = [
        _of_part(part, ranking, today, language)
        for part, ranking in zip(queries.parts, retrieved.parts, strict=True)
        if ranking.band is not Band.NONE
    ]
    return _joined(found)


def _of_part(part: Part, ranking: Ranking, today: date, language: str) -> Quoted:
    usable = usable_passages(ranking.passages, today, part.standalone)
    passages = with_codes(usable, codes_of(part.standalone))
    sentences = extract(passages, part.standalone, language)
    # The places are shared: a part has one source, so that three parts have three.
    first = [sentence for sentence in sentences if sentence.refs[0].passage == sentences[0].refs[0].passage]
    return Quoted(passages, tuple(first))


def _joined(found: Sequence[Quoted]) -> Quoted:
    passages: list[Passage] = []
    sentences: list[DraftSentence] = []
    said: set[tuple[str, str]] = set()
    for one in found[:MOST_SOURCES]:
        for sentence in one.sentences:
            (ref,) = sentence.refs
            key = (one.passages[ref.passage].document.id, str(sentence.text))
            if key not in said:
                said.add(key)
                sentences.append(replace(sentence, refs=(SentenceRef(ref.passage + len(passages), ref.sentence),)))
        passages.extend(one.passages)
    return Quoted(tuple(passages), tuple(sentences))
