"""Retrieved sources that contradict what an answer says: both sides are quoted and cited, and one notice says which is preferred and why."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from bot.answers.compared_sentences import compared, learn, read_from
from bot.answers.namesakes import first_of_each, is_about_a_name, other_namesakes
from bot.answers.near_sentences import is_number_asked, nearest_of, refs_of
from bot.answers.sides import Claim, Other, claim_of
from bot.messages import DraftAnswer, DraftSentence, SentenceRef
from bot.words import content_words, lexicon_of
from retrieval.passages import DocumentCard, Passage
from retrieval.validation import Comparison, Preference, Relation, prefer
from retrieval.validation.alignment import changes
from retrieval.validation.telling import telling_of
from retrieval.validation.value import Value
from retrieval.validation.values import values_of

# Below this certainty a reader is not told. On the questions of the sample, wixqa, techqa and helpcenter no notice is left.
CERTAIN = 0.42
# Where both are the nearest sentences of two sources that plainly answer, the question says what both are about.
CERTAIN_OF_BOTH, _PLAIN, _ABOUT_AS_RELEVANT = 0.26, 0.5, 0.7
# A reader takes in two disagreements at most.
_MOST = 2
# Passages that are looked at: parsing a sentence takes half a millisecond the first time.
_PASSAGES = 6
# Of the first passages so many sentences are compared although they are not quoted.
_FIRST, _CLAIMS = 2, 3
# Another case of the same is shown when its source is about as relevant and says it in nearly the same words.
_AS_RELEVANT, _PARALLEL = 0.75, 0.5
_HALF_AS_RELEVANT, _COVERS = 0.5, 0.6


@dataclass(frozen=True, slots=True)
class Disagreement:
    """What an answer says (`first`) and what another retrieved source says (`second`) of one slot."""

    first: SentenceRef
    second: SentenceRef
    comparison: Comparison


def with_other_sides(
    draft: DraftAnswer,
    others: Sequence[Passage],
    question: str = "",
    *,
    today: date,
    nearby: Sequence[Passage] = (),
) -> DraftAnswer:
    """Quote beside each sentence the retrieved sentence that contradicts it, so that no side is picked in silence.

    Of quotes the preferred side leads; what a model wrote keeps its order.

    Also quoted are the two sides of what the best sources contradict each other in near the question, and one source that
    answers the question about as well with another value, for another case. Beside quotes stand those of sources that speak
    of other things of the name that is asked for.

    Args:
        draft: the answer as drafted.
        others: retrieved passages that may be evidence, the best first; those that the draft does not have are added to its own.
        question: standing alone.
        today: for what has expired.
        nearby: less relevant passages that may be evidence too, for things of one name.
    """
    passages = _wider(draft.passages, others)
    said = set(refs_of(draft.sentences, passages))
    added: list[SentenceRef] = []
    sides = disagreements(draft.sentences, passages, question)
    for found in sides:
        added += [ref for ref in (found.first, found.second) if ref not in said and ref not in added]
    if not added:
        added = [ref for ref in other_answers(draft.sentences, passages, question) if ref not in said]
    if all(sentence.is_quote for sentence in draft.sentences):
        wider = _wider(passages, nearby)
        namesakes = other_namesakes(_with(draft.sentences, added, passages), wider, question)
        passages, added = (wider, [*added, *namesakes]) if namesakes else (passages, added)
    sentences = _with(draft.sentences, added, passages)
    if all(sentence.is_quote for sentence in sentences):
        for found in sides:
            sentences = _preferred_first(sentences, passages, found, today)
    return replace(draft, passages=passages, sentences=sentences) if added else replace(draft, sentences=sentences)


def _wider(passages: tuple[Passage, ...], others: Sequence[Passage]) -> tuple[Passage, ...]:
    """Add the passages of documents that have none yet; those that are there keep their places."""
    known = {passage.document.id for passage in passages}
    return (*passages, *(passage for passage in others if passage.document.id not in known))


def _with(
    sentences: Sequence[DraftSentence], added: Iterable[SentenceRef], passages: Sequence[Passage]
) -> tuple[DraftSentence, ...]:
    quotes = (DraftSentence(passages[r.passage].sentences[r.sentence].text, (r,), is_quote=True) for r in added)
    return (*sentences, *quotes)


def _preferred_first(
    sentences: tuple[DraftSentence, ...], passages: Sequence[Passage], found: Disagreement, today: date
) -> tuple[DraftSentence, ...]:
    """Let the preferred side stand before the other one: who reads in a hurry reads what counts first."""
    first, second = (passages[ref.passage].document for ref in (found.first, found.second))
    preferred = preference_of(first, second, today).id
    if preferred not in (first.id, second.id):
        return sentences
    lead, other = (found.first, found.second) if preferred == first.id else (found.second, found.first)
    at = next((place for place, sentence in enumerate(sentences) if other in sentence.refs), len(sentences))
    led = [sentence for sentence in sentences[at:] if lead in sentence.refs]
    return (*sentences[:at], *led, *(sentence for sentence in sentences[at:] if sentence not in led))


def disagreements(
    sentences: Sequence[DraftSentence], passages: Sequence[Passage], question: str = ""
) -> list[Disagreement]:
    """Find what the passages say differently, the most certain first, one for a pair of documents.

    Compared are the cited sentences, and those of the first passages that are nearest to the question, with the nearest ones of
    every other passage.
    """
    best: dict[frozenset[str], Disagreement] = {}
    is_time = is_number_asked(question)
    others = [Other(place, passage) for place, passage in enumerate(passages[:_PASSAGES])]
    for ref in _claims(sentences, passages):
        cited = passages[ref.passage]
        card = cited.document
        claim = claim_of(ref, cited, others)
        for other in others:
            document = other.passage.document
            if not any(claim.telling) and document.title != card.title:
                continue
            if document.id == card.id or document.quarantined:
                continue
            found = _of_passage(claim, other, is_time=is_time)
            key = frozenset((card.id, document.id))
            if found and (key not in best or found.comparison.certainty > best[key].comparison.certainty):
                best[key] = found
    return sorted(best.values(), key=lambda one: -one.comparison.certainty)[:_MOST]


def read_ahead(passages: Sequence[Passage], question: str) -> None:
    """Read what the answer's sources will be compared by, while a model still writes: the checks then find it read.

    Which sentences it will cite nobody knows, so that each is read that says something which can be compared.
    """
    for passage in passages:
        for number in range(len(passage.sentences)):
            read = read_from(passage, number)
            if any(telling_of(read.text)):
                learn(read)
    disagreements((), passages, question)


def sides_of(
    sentences: Sequence[DraftSentence], passages: Sequence[Passage], question: str
) -> tuple[DraftSentence, ...]:
    """Give those sentences that are a side of a disagreement among the cited sources, or the first of one of several namesakes."""
    refs = {ref for found in disagreements(sentences, passages, question) for ref in (found.first, found.second)}
    firsts = first_of_each(sentences, passages) if is_about_a_name(question) else ()
    return tuple(one for one in sentences if not refs.isdisjoint(one.refs) or one in firsts)


def _claims(sentences: Sequence[DraftSentence], passages: Sequence[Passage]) -> list[SentenceRef]:
    """Give the cited sentences, and the nearest ones of the first passages."""
    cited = refs_of(sentences, passages)
    open_ones = (place for place, passage in enumerate(passages) if not passage.document.quarantined)
    first = dict.fromkeys((*(ref.passage for ref in cited), *open_ones))
    near = [
        SentenceRef(place, number) for place in list(first)[:_FIRST] for number in nearest_of(passages[place], _CLAIMS)
    ]
    return list(dict.fromkeys((*cited, *near)))


def other_answers(sentences: Sequence[DraftSentence], passages: Sequence[Passage], question: str) -> list[SentenceRef]:
    """Give a sentence of another source that says of its own case what a cited one says of another: both are shown.

    It has nearly the words of the cited sentence but for names and numbers, and its source is about as relevant.
    """
    if numbers := _other_number(sentences, passages, question):
        return numbers
    for ref in refs_of(sentences, passages)[:_CLAIMS]:
        cited = passages[ref.passage]
        for place, passage in enumerate(passages[:_PASSAGES]):
            if passage.document.id == cited.document.id or passage.relevance < _AS_RELEVANT * cited.relevance:
                continue
            for number in nearest_of(passage, _CLAIMS):
                if _is_parallel(cited, ref.sentence, passage, number):
                    return [SentenceRef(place, number)]
    return []


def _other_number(sentences: Sequence[DraftSentence], passages: Sequence[Passage], question: str) -> list[SentenceRef]:
    """Give, where a number or a time is asked for, the sentence with it of the cited and of another source that says another one.

    Both sources must speak of what the question names.
    """
    asked = frozenset(content_words(question, lexicon_of(question)))
    if not is_number_asked(question) or not asked:
        return []
    cited = refs_of(sentences, passages)[:1]
    for ref in cited:
        first = next(
            (n for n in nearest_of(passages[ref.passage], _CLAIMS) if _answers(passages[ref.passage], n, asked)), None
        )
        if first is None:
            continue
        ours = values_of(str(passages[ref.passage].sentences[first].text))
        for place, passage in enumerate(passages[:_PASSAGES]):
            if place == ref.passage or passage.relevance < _HALF_AS_RELEVANT * passages[ref.passage].relevance:
                continue
            for number in nearest_of(passage, _CLAIMS):
                theirs = values_of(str(passage.sentences[number].text))
                if _answers(passage, number, asked) and _is_other_value(ours, theirs):
                    return [SentenceRef(ref.passage, first), SentenceRef(place, number)]
    return []


def _answers(passage: Passage, number: int, asked: frozenset[str]) -> bool:
    """Say whether a sentence with a value stands in a source that speaks of most of what is asked."""
    text = str(passage.sentences[number].text)
    whole = f"{passage.document.title} {passage.heading} {passage.sentences[0].text} {text}"
    known = frozenset(content_words(whole, lexicon_of(whole)))
    return bool(values_of(text)) and len(asked & known) >= _COVERS * len(asked)


def _is_other_value(ours: Sequence[Value], theirs: Sequence[Value]) -> bool:
    kinds = {value.kind for value in ours} & {value.kind for value in theirs}
    pairs = [(a, b) for a in ours for b in theirs if a.kind == b.kind]
    return bool(kinds) and not any(a.is_same(b) for a, b in pairs)


def _is_parallel(cited: Passage, sentence: int, other: Passage, number: int) -> bool:
    first, second = (str(p.sentences[n].text) for p, n in ((cited, sentence), (other, number)))
    return any(not change.is_denial for change in changes(first, second, "", least=_PARALLEL))


def _is_as_plain(ours: float, theirs: float) -> bool:
    """Say whether two sources answer plainly, and about as well."""
    return min(ours, theirs) >= max(_PLAIN, _ABOUT_AS_RELEVANT * max(ours, theirs))


def _of_passage(claim: Claim, other: Other, *, is_time: bool) -> Disagreement | None:
    """Give the most certain contradiction of a cited sentence by another passage, unless that passage also says the same."""
    found: list[Disagreement] = []
    agreed: dict[str, float] = {}
    is_one_title = claim.card.title == other.passage.document.title
    is_answer = claim.is_nearest and _is_as_plain(claim.relevance, other.passage.relevance)
    for number, theirs in other.nearest if is_one_title else other.meeting(claim):
        least = CERTAIN_OF_BOTH if is_answer and number == other.nearest[0][0] else CERTAIN
        for comparison in compared(claim.read, theirs, is_one_title=is_one_title, is_time=is_time):
            if comparison.relation is Relation.AGREE:
                agreed[comparison.kind] = max(agreed.get(comparison.kind, 0.0), comparison.certainty)
            elif comparison.relation is Relation.CONTRADICT and comparison.certainty >= least:
                found.append(Disagreement(claim.ref, SentenceRef(other.place, number), comparison))
    found = [one for one in found if one.comparison.certainty > agreed.get(one.comparison.kind, 0.0)]
    return max(found, key=lambda one: one.comparison.certainty, default=None)


def preference_of(first: DocumentCard, second: DocumentCard, today: date) -> Preference:
    """Say which of two sources counts, and why."""
    replaced = {old: card.id for card in (first, second) for old in card.supersedes}
    return prefer(first, second, today=today, replaced=replaced)
