"""Two sentences of sources side by side, each pair compared once: the stages of one answer ask three times."""

from functools import lru_cache
from typing import NamedTuple

from bot.words import words
from retrieval.language import language_of
from retrieval.passages import Passage
from retrieval.validation import Comparison, Relation, Statement, compare, statements_of
from retrieval.validation.alignment import changes
from retrieval.validation.cases import is_told_apart
from retrieval.validation.compare import slot_of
from retrieval.validation.telling import telling_of
from retrieval.validation.words import stop_words, topic_names

# Two versions of one sentence that differ in a name or number; only where nothing else tells the sources apart.
_VERSION_SHARE = 0.65
# Two sentences are about one from a nearness of 0.22 on (`LEAST` in `retrieval.validation.compare`), measured on more than this.
_SHARED, _BEGINNING = 0.12, 4


class Read(NamedTuple):
    """A sentence with what its statements are read by: its document's id, language and product, and its title and heading."""

    document: str
    text: str
    about: str
    lang: str
    scope: str


def read_from(passage: Passage, number: int) -> Read:
    """Give a sentence of a passage by its place."""
    card = passage.document
    return Read(
        card.id, str(passage.sentences[number].text), f"{card.title}\n{passage.heading}", card.lang, card.product
    )


def learn(read: Read) -> None:
    """Read a sentence before it is compared."""
    _begun_with(read.text, read.about)
    _parsed(read)


@lru_cache(maxsize=8192)
def compared(first: Read, second: Read, *, is_one_title: bool, is_time: bool) -> tuple[Comparison, ...]:
    """Give what two sentences say of one slot; nothing where they are not about one.

    Args:
        first: one sentence.
        second: one of another document.
        is_one_title: both documents have the same title.
        is_time: a time or number was asked for, so that dates of single events count.
    """
    if not is_one_title and not _may_be_about_one(first, second):
        return ()
    ours, theirs = _parsed(first), _parsed(second)
    found = [compare(one, other, {}, is_time_asked=is_time) for one in ours for other in theirs]
    if is_one_title and ours and theirs and not is_told_apart(ours[0], theirs[0]):
        lang = ours[0].lang if ours[0].lang == theirs[0].lang else ""
        for change in changes(ours[0].text, theirs[0].text, lang):
            if change.share >= _VERSION_SHARE and not change.is_denial and change.is_like:
                slot = slot_of(ours[0], theirs[0])
                found.append(
                    Comparison(Relation.CONTRADICT, change.share, "wording", slot, (change.first, change.second))
                )
    return tuple(one for one in found if one.relation is not Relation.UNRELATED)


def _may_be_about_one(first: Read, second: Read) -> bool:
    """Say whether reading both as statements can bring anything, from what takes a tenth of that."""
    if not telling_of(first.text).meets(telling_of(second.text)):
        return False
    return first.lang != second.lang or are_alike(begun_of(first), begun_of(second))


def begun_of(read: Read) -> frozenset[str]:
    """Give the beginnings of the words of a sentence, its title and heading, and the ideas of these words, without small words."""
    return _begun_with(read.text, read.about)


def are_alike(ours: frozenset[str], theirs: frozenset[str]) -> bool:
    """Say whether two sentences of one language share enough, by what `begun_of` gives, to be about one thing."""
    return bool(len(ours & theirs) >= _SHARED * (len(ours) * len(theirs)) ** 0.5)


# A sentence is put beside dozens of others.
@lru_cache(maxsize=8192)
def _begun_with(text: str, about: str) -> frozenset[str]:
    return _begun(text) | _begun(about)


@lru_cache(maxsize=8192)
def _begun(text: str) -> frozenset[str]:
    """Give the beginnings of the words of a text, and their ideas, without small words."""
    spoken = [word for word in words(text) if len(word) > 2 and word not in stop_words()]
    return frozenset(word[:_BEGINNING] for word in spoken).union(*map(topic_names, spoken))


@lru_cache(maxsize=4096)
def _parsed(read: Read) -> tuple[Statement, ...]:
    lang = read.lang or language_of(read.text)
    return statements_of(read.document, read.text, about=read.about, lang=lang, scope=read.scope)
