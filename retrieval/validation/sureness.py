"""How sure a contradiction is, said in words for who has to act on it."""

from typing import NamedTuple

from retrieval.lexical.stems import stem
from retrieval.validation.compare import Comparison
from retrieval.validation.statements import Statement
from retrieval.validation.words import WORD, signal_names, topic_names

LIKELY, POSSIBLE = "likely", "possible"
# Of 46 findings with .6 and more among 5 000 tickets and 133 planted pairs 32 were planted and most others true by chance; below .45
# every second one is of two things.
_LEAST = 0.45
# Share of what two sentences say that is the same.
_NEARLY_ALL, _SOME = 0.7, 0.4
_WORDS = 6


class Sureness(NamedTuple):
    """`word` is "likely" or "possible", `why` the reason in words."""

    word: str
    why: str


def sureness_of(first: Statement, second: Statement, comparison: Comparison) -> Sureness:
    """Say how sure it is that two statements contradict each other, and what speaks for and against it."""
    word = LIKELY if comparison.certainty >= _LEAST else POSSIBLE
    said = [_alikeness(first, second)]
    if comparison.kind == "polarity":
        said.append("a yes and a no may be said of two things")
    if first.lang and second.lang and first.lang != second.lang:
        said.append("they are in two languages")
    if "case" in first.signals | second.signals:
        said.append("one may tell a single case")
    if (first.scopes | first.names) != (second.scopes | second.names):
        said.append("one names what it holds for and the other does not, or not the same")
    return Sureness(word, "; ".join(said))


def subject_of(first: Statement, second: Statement) -> str:
    """Give what both statements speak of in words as the first one writes them: who reads "top_up" does not think of a deposit."""
    shared = (first.all_features & second.all_features) | (first.names & second.names)
    written: dict[str, str] = {}
    for match in WORD.finditer(first.text):
        folded = match[0].casefold()
        marks = {f"={idea}" for idea in topic_names(folded)} | {stem(folded, first.lang)[:12], folded[:6]}
        if marks & shared and not signal_names(folded):
            written.setdefault(folded, match[0])
    return " ".join(list(written.values())[:_WORDS])


def _alikeness(first: Statement, second: Statement) -> str:
    own = _share(first.features | first.names, second.features | second.names)
    if own >= _NEARLY_ALL:
        return "the sentences say nearly the same but for this"
    if own >= _SOME:
        return "the sentences share much of what they say"
    if _share(first.context, second.context) >= _SOME:
        return "the titles or questions are alike, the sentences are worded apart"
    return "the sentences share only a few words or ideas"


def _share(ours: frozenset[str], theirs: frozenset[str]) -> float:
    return len(ours & theirs) / (len(ours) * len(theirs)) ** 0.5 if ours and theirs else 0.0
