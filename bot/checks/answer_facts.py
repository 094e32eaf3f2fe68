"""Does an answer say what a reference answer says? A measure for evaluations, not a check of the flow.

Facts are what survives translation: numbers with their units, dates, ids, versions and codes. Content words count only
within a language, by stem. Addresses are left out: an answer that quotes a page seldom repeats its links.
"""

from dataclasses import dataclass, replace

from bot.checks.closed_output import urls
from bot.checks.invariants import Facts, disagreement, facts_of
from bot.words import content_words, folded, has_digit, lexicon_of
from retrieval.quantity_words import DIGIT_OF, UNIT_OF

# Shares from which the facts of a reference count as said. Of one, two or three facts all must be there.
FACTS_SHARE = 0.75
WORDS_SHARE = 0.5
# A reference with facts and fewer words than this is its facts ("14 days").
_FEW_WORDS = 3
_STEM = 5


@dataclass(frozen=True, slots=True)
class FactCheck:
    """How many facts and content words of a reference an answer has; words are 0 of 0 where they say nothing."""

    facts_found: int
    facts: int
    words_found: int
    words: int

    @property
    def stands(self) -> bool | None:
        """Whether the answer says it: three quarters of the facts and half of the words; None when nothing can be told."""
        if not self.facts and not self.words:
            return None
        return self.facts_found >= FACTS_SHARE * self.facts and self.words_found >= WORDS_SHARE * self.words


def check_facts(reference: str, answer: str, *, is_same_language: bool) -> FactCheck:
    """Count the facts of a reference that stand in an answer.

    Args:
        reference: what should be said.
        answer: what was said, without the numbers of its sources.
        is_same_language: whether words can be compared.
    """
    wanted, given = _facts(reference), _facts(answer)
    single = _single_facts(wanted)
    found = sum(not disagreement(one, given, answer) for one in single)
    words = _stems(reference)
    if not is_same_language or (single and len(words) < _FEW_WORDS):
        words = frozenset()
    said = folded(answer)
    return FactCheck(found, len(single), sum(word in said for word in words), len(words))


def _facts(text: str) -> Facts:
    """Take the facts out of a text line by line, so that the numbers of a list are none."""
    lines = [facts_of(line) for line in text.splitlines() if line.strip()]
    return Facts(
        numbers=frozenset().union(*(line.numbers for line in lines)),
        measures=frozenset().union(*(line.measures for line in lines)),
        codes=frozenset().union(*(line.codes for line in lines)),
        urls=frozenset(),
        is_negated=False,
    )


def _single_facts(facts: Facts) -> list[Facts]:
    none = Facts(frozenset(), frozenset(), frozenset(), frozenset(), is_negated=False)
    measures = sorted(facts.measures)
    numbers = [replace(none, numbers=frozenset({n}), measures=frozenset({(n, unit)})) for n, unit in measures]
    return numbers + [replace(none, codes=frozenset({code})) for code in sorted(facts.codes)]


def _stems(text: str) -> frozenset[str]:
    """Give the content words by their heads; numbers, their words and their units are facts already."""
    for address in urls(text):
        text = text.replace(address, " ")
    words = content_words(text, lexicon_of(text))
    return frozenset(
        word[:_STEM] for word in words if not has_digit(word) and word not in UNIT_OF and word not in DIGIT_OF
    )
