"""Questions that ask for the same in other words, told by the words that carry meaning: no model, so a page can do it."""

from collections import defaultdict
from collections.abc import Sequence

from bot.words import content_words, lexicon_of

# Of two questions so many of the words of both together, by their beginnings; "cash" alone joins no two questions.
_ALIKE, _SHARED = 0.5, 2
_BEGINNING = 5


def asked_alike(questions: Sequence[str]) -> list[list[int]]:
    """Give groups of places of questions, each in order; the groups in the order of their first question.

    Questions in two languages are not joined. A question is compared with the first of each group that has a word of it.
    """
    groups: list[list[int]] = []
    heads: list[frozenset[str]] = []
    by_word: dict[str, list[int]] = defaultdict(list)
    for place, question in enumerate(questions):
        words = _beginnings(question)
        near = dict.fromkeys(group for word in sorted(words) for group in by_word[word])
        found = max(near, key=lambda group: _share(words, heads[group]), default=None)
        if found is not None and _is_alike(words, heads[found]):
            groups[found].append(place)
            continue
        for word in words:
            by_word[word].append(len(groups))
        groups.append([place])
        heads.append(words)
    return groups


def _beginnings(question: str) -> frozenset[str]:
    carried = content_words(question, lexicon_of(question))
    # Nothing but small words: only the same question is alike.
    return frozenset(word.casefold()[:_BEGINNING] for word in carried) or frozenset(
        {" ".join(question.casefold().split())}
    )


def _is_alike(ours: frozenset[str], theirs: frozenset[str]) -> bool:
    return ours == theirs or (len(ours & theirs) >= _SHARED and _share(ours, theirs) >= _ALIKE)


def _share(ours: frozenset[str], theirs: frozenset[str]) -> float:
    return len(ours & theirs) / len(ours | theirs)
