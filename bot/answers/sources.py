"""Which retrieved passages may be evidence, and which of them leads."""

from collections.abc import Sequence
from datetime import date

from bot.answers.freshness import expired_on, replaced_ids
from bot.answers.headings import by_heading, by_question, by_row
from bot.answers.neighbours import nearest
from bot.questions.asked import Asked, asked_of
from retrieval.passages import Passage

# The first ones are put in order by all that is known of them: rank, calibrated relevance, and the sentence that answers
# best. First source right, retriever's order → this one: sample 0.868 → 0.901, letsencrypt 0.500 → 0.571, wixqa 0.838 →
# 0.851, xquad 0.355 → 0.368 (a third of its documents), techqa 0.554 → 0.559, helpcenter 0.615 → 0.604.
_REORDERED = 3
_SENTENCE_WEIGHT = 1.0
_RELEVANCE_WEIGHT = 0.45


def usable_passages(
    passages: Sequence[Passage], today: date, question: str = "", *, own: str = ""
) -> tuple[Passage, ...]:
    """Give the passages that may be evidence, the one that answers best first.

    Quarantined ones and those without evidence are left out, also those that another retrieved source replaces;
    expired ones come last.

    Args:
        passages: as ranked.
        today: for what has expired.
        question: standing alone; tells what form of sentence answers it.
        own: what one part of a question says itself; a row that another part names is not meant.
    """
    replaced = replaced_ids(passages)
    kept = [
        by_row(by_heading(by_question(passage), question), own or question)
        for passage in passages
        if passage.sentences and not passage.document.quarantined and passage.document.id not in replaced
    ]
    return led(kept, asked_of(question), today)


def led(
    passages: Sequence[Passage],
    asked: Asked,
    today: date,
    *,
    favoured: frozenset[str] = frozenset(),
    favour: float = 0.0,
) -> tuple[Passage, ...]:
    """Put the one of the first passages first that answers best; expired ones come last.

    Args:
        passages: as ranked.
        asked: what the question wants.
        today: for what has expired.
        favoured: ids of documents that lead over others which answer better by less than `favour`.
        favour: by how much.
    """

    def strength(passage: Passage) -> float:
        best = nearest(passage, asked)
        sentence = best.score if best is not None else -1.0
        own = passage.fused + _SENTENCE_WEIGHT * sentence + _RELEVANCE_WEIGHT * passage.relevance
        return own + favour * (passage.document.id in favoured)

    first = sorted(passages[:_REORDERED], key=lambda passage: -strength(passage))
    return tuple(sorted([*first, *passages[_REORDERED:]], key=lambda passage: expired_on(passage.document, today)))
