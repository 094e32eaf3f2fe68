"""Which sentences of a passage are nearest to the question, and which a draft cites."""

from collections.abc import Sequence
from itertools import islice

from bot.answers.evidence import shape_of
from bot.messages import DraftSentence, SentenceRef
from bot.questions.asked import Ask, asked_of
from bot.words import words
from retrieval.passages import Passage

_WHEN = frozenset(
    ("when", "year", "date", "size", "population", "wann", "коли", "когда", "quand", "cuándo", "quando", "kiedy")
)


def nearest_of(passage: Passage, most: int) -> list[int]:
    """Give the places of the sentences that are nearest to the question and can be quoted."""
    sentences = passage.sentences
    order = sorted(range(len(sentences)), key=[-one.nearness for one in sentences].__getitem__)
    return list(islice((place for place in order if shape_of(sentences[place].text).is_quotable), most))


def refs_of(sentences: Sequence[DraftSentence], passages: Sequence[Passage]) -> list[SentenceRef]:
    """Give the places that sentences name, once each; those that no passage has are left out."""
    refs = dict.fromkeys(ref for sentence in sentences for ref in sentence.refs)
    return [r for r in refs if 0 <= r.passage < len(passages) and 0 <= r.sentence < len(passages[r.passage].sentences)]


def is_number_asked(question: str) -> bool:
    """Say whether a number or a day is asked for; "when" alone also asks for the condition of something ("when do I need …")."""
    return asked_of(question).kind is Ask.QUANTITY or not _WHEN.isdisjoint(words(question))
