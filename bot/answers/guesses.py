"""A source that is hardly relevant and shares little with a short question: quoting it would be a guess.

Of 358 uncertain answers of small bases (30 documents of five public sets, a help desk's, a parcel desk's) and whole sets 115 are
right; of those that this takes back 79 are wrong and 6 right (RESULTS.md).
"""

from collections.abc import Sequence

from bot.words import content_words, folded, head_of, is_unspaced, lexicon_of, words
from retrieval.passages import Passage, Ranking

# A longer question shares words with any source on its product; its relevance alone tells more.
_MOST_WORDS = 5
# Between the cuts a source of a short question counts from this share of the way up (.25 of .18 to .365).
_LEAST = 0.4
# Of the question's content words more than this must stand in a source, or a sentence must be as near as this.
_SHARE, _NEAR = 0.5, 0.35
# So many documents are few, so many enough for the bundled cuts to hold: what leads among few need not be about the question.
# Of fewer than `_LEAST_SIZE` nothing was measured but the three to nine of RAMDocs: two of four answers taken back there were right.
_LEAST_SIZE, _SMALL, _LARGE = 20, 60, 200
_BESIDE = 0.9


def is_guess(question: str, cited: Sequence[Passage], ranking: Ranking, language: str) -> bool:
    """Say whether an uncertain answer to a short question had better be none.

    Never where a source is in another language, of which no word can be expected, or for Chinese and Japanese, whose words are
    not told apart.

    Args:
        question: standing alone.
        cited: what would be quoted, the source that leads first.
        ranking: with the cuts.
        language: the asker's.
    """
    own = set(content_words(question, lexicon_of(question, prefer=language)))
    if not cited or not own or len(own) > _MOST_WORDS or is_unspaced(question):
        return False
    if cited[0].document.lang not in ("", language):
        return False
    strictness = _strictness(ranking.size)
    least = ranking.uncertain_cut + strictness * _LEAST * (ranking.cut - ranking.uncertain_cut)
    best = max(passage.relevance for passage in cited)
    if not strictness or best < ranking.uncertain_cut:  # the newer version of a source that was found
        return False
    if best < least:
        return True
    nearness = max(sentence.nearness for passage in cited for sentence in passage.sentences)
    return nearness < strictness * _NEAR and max(_share(own, passage) for passage in cited) <= _SHARE


def _strictness(size: int) -> float:
    """Give 1 for a base of few documents, 0 for one of many, of unknown size or of hardly any, and what lies between."""
    return min(1.0, max(0.0, (_LARGE - size) / (_LARGE - _SMALL))) if size >= _LEAST_SIZE else 0.0


def foreign_beside(usable: Sequence[Passage], ranking: Ranking, language: str) -> tuple[Passage, ...]:
    """Give the sources in other languages that are about as relevant as the best one in the asker's; words say nothing of them.

    One that is far more relevant did not lead since no sentence of it answers as well.
    """
    own = [passage.relevance for passage in usable if passage.document.lang in ("", language)]
    best = max(own, default=0.0)
    least, most = max(ranking.uncertain_cut, _BESIDE * best), best / _BESIDE
    return tuple(p for p in usable if p.document.lang not in ("", language) and least <= p.relevance <= most)


def _share(own: set[str], passage: Passage) -> float:
    """Give the share of words of which a word of the source has the head."""
    text = " ".join((passage.document.title, passage.heading, *(sentence.text for sentence in passage.sentences)))
    heads = {head_of(word) for word in words(folded(text))}
    return sum(head_of(word) in heads for word in own) / len(own)
