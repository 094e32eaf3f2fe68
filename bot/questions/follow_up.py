"""Follow-ups without a model: does a question lean on the one before, and how is it said so that it stands alone."""

import re
from collections.abc import Sequence

from bot.lexicon import Lexicon
from bot.words import content_words, entities, folded, lexicon_of, weight_of, words
from retrieval.redaction import RedactedText

# A question of more content words than this stands alone, whatever it begins with.
_FEW = 6
# A fragment ("for the annual plan?") has no question word and at most this many content words.
_FRAGMENT = 3
# Content words before a pronoun: from this many on, the pronoun means one of them ("my invoice is wrong, how do I fix it").
_OWN_SUBJECT = 2
# A question that names so much by itself has no places for its thread: what they found was about the thread's subject.
_NAMES_ENOUGH = 5.0
_CARRIED_TERMS = 14
_DEPTH = 3


def is_follow_up(question: str, previous: Sequence[str]) -> bool:
    """Say whether a question cannot be understood without the ones before.

    Seen by: a leading "and", "а", "und", …; a pronoun before any subject of its own; a fragment without a question
    word; no content word at all. A question with a subject of its own stands alone, so a change of topic resets.

    Args:
        question: the newest question.
        previous: the earlier questions of the thread, oldest first; none means no follow-up.
    """
    if not previous or not question.strip():
        return False
    language = lexicon_of(question, prefer=lexicon_of(previous[-1]).code)
    own = content_words(question, language)
    if not own:
        return True
    if len(own) > _FEW:
        return False
    return (
        _has_leading(question, language)
        or _leans_on_pronoun(question, language)
        or _is_fragment(question, own, language)
    )


def _has_leading(question: str, language: Lexicon) -> bool:
    text = folded(question).lstrip(" .,;:!?¿¡-–—…")
    return any(text.startswith(word) and _ends_word(text, len(word), word) for word in language.leading)


def _ends_word(text: str, at: int, word: str) -> bool:
    return word[-1] > "\u3000" or not (text[at : at + 1].isalnum() or text[at : at + 1] == "'")


def _leans_on_pronoun(question: str, language: Lexicon) -> bool:
    if language.code in ("zh", "ja"):
        return any(pronoun in folded(question) for pronoun in language.pronouns if len(pronoun) > 1 or pronoun == "它")
    small = language.small
    before = 0
    spoken = words(question)
    for place, word in enumerate(spoken):
        if word in language.pronouns and word not in language.question:
            if _is_expletive(spoken[place + 1 :], language):
                continue
            return before < _OWN_SUBJECT
        before += word not in small and word not in language.expletive and len(word) > 1
    return False


def _is_expletive(behind: Sequence[str], language: Lexicon) -> bool:
    """Say whether a pronoun stands for what follows it: "is it possible to change the owner", and not "is it possible?"."""
    own = [word for word in behind[1:] if word not in language.small and len(word) > 1]
    return bool(behind) and behind[0] in language.expletive and len(own) >= _OWN_SUBJECT


def _is_fragment(question: str, own: Sequence[str], language: Lexicon) -> bool:
    spoken = words(question)
    if language.code in ("zh", "ja"):
        asks = any(word in folded(question) for word in language.question)
        return len(own) <= 1 and not asks and len(folded(question)) <= 8
    if len(own) <= _FRAGMENT and spoken[0] in language.prepositions and not set(spoken[1:2]) & language.question:
        return True
    asks = any(word in language.question for word in spoken) or spoken[0] in language.requests
    # Four words and no question word: "annual plan price?", "B1", "only on Android"; longer ones are statements.
    return not asks and len(spoken) <= 4 and len(own) <= _FRAGMENT and not _is_code(question)


def _is_code(question: str) -> bool:
    """Say whether the text names an error or article by a long code, which finds its source by itself."""
    return any(re.search(r"\d{2}", entity) for entity in entities(question))


def standalone(question: str, previous: Sequence[str]) -> str:
    """Say a question so that it stands alone: weighty terms of the one it leans on, then the question itself.

    Everything stays in the words of the thread, so the language does not change. A question that stands alone comes
    back as it is.
    """
    if not is_follow_up(question, previous):
        return question
    carried = _carried(previous, _DEPTH)
    said = {folded(word) for word in words(question)} | _replaced(question, previous[-1])
    kept = [term for term in carried if folded(term) not in said][:_CARRIED_TERMS]
    return " ".join([*kept, question.strip()])


def _replaced(question: str, last: str) -> set[str]:
    """Give the words of the last question whose place the follow-up takes: "on an iPad" before "and on Android?".

    Both begin with the same preposition; what stood behind it, up to the next preposition, is not carried on.
    """
    language = lexicon_of(last)
    opening = next((word for word in words(question)[:3] if word in language.prepositions), "")
    before = words(last)
    if not opening or opening not in before:
        return set()
    behind = before[len(before) - before[::-1].index(opening) :]
    end = next((i for i, word in enumerate(behind) if word in language.prepositions), len(behind))
    return {word for word in behind[:end] if word not in language.small}


def _carried(previous: Sequence[str], depth: int) -> list[str]:
    """Give the terms of the last question, with those of the one it leans on itself, oldest first."""
    last, before = previous[-1], previous[:-1]
    language = lexicon_of(last)
    terms = [*content_words(last, language, keep_vague=True)]
    if depth > 1 and is_follow_up(last, before):
        older = _carried(before, depth - 1)
        terms = [*older, *(term for term in terms if term not in older)]
    return list(dict.fromkeys([*terms, *(e for e in entities(last) if folded(e) not in terms)]))


def rewrite_rules(query: str, previous_user_turns: Sequence[str]) -> list[str]:
    """Give what is searched for a question in a thread, without a model: as asked, and standing alone if it did not.

    The names of the thread are not carried into a question that stands alone: as a third wording they left the order as
    good (mtrag_cloud, 132 questions with earlier turns, MRR@10 0.655 and 0.653), and cost a search.

    Args:
        query: the newest question.
        previous_user_turns: earlier questions of the same person, oldest first.

    Returns:
        One or two queries; the first is always the question as asked.
    """
    alone = standalone(query, previous_user_turns)
    return [query] if alone == query else [query, alone]


def in_context(query: str, previous_user_turns: Sequence[str]) -> tuple[str, ...]:
    """Give the question behind the last three of its thread, whole and as their content words; none without a thread.

    None either for a question of five content words or more. mtrag_cloud: 68 first turns behind the turns of another
    conversation lost 2 of 60 hits among the first five to places of the thread and lose none now; 132 follow-ups lost 1 of 106.
    """
    turns = [turn.strip() for turn in previous_user_turns if turn.strip()][-_DEPTH:]
    if not turns or not query.strip() or weight_of(" ".join(content_words(query, lexicon_of(query)))) >= _NAMES_ENOUGH:
        return ()
    terms = [word for turn in turns for word in content_words(turn, lexicon_of(turn))]
    carried = list(dict.fromkeys(terms))[-_CARRIED_TERMS:]
    texts = (" ".join([*turns, query]), " ".join([*carried, query]))
    return tuple(dict.fromkeys(text for text in texts if text != query))


def content_query(text: str) -> str:
    """Give only the words that carry meaning, as a second attempt for a question that found nothing."""
    return " ".join(content_words(text, lexicon_of(text)))


def sealed(text: str, source: RedactedText, *others: RedactedText) -> RedactedText:
    """Seal words that were picked from redacted texts.

    Raises:
        ValueError: a word of `text` is in none of the sources, so it may be raw.
    """
    allowed = folded(" ".join((source, *others)))
    if any(word not in allowed for word in words(text)):
        raise ValueError("only words of redacted texts can be sealed again")
    return RedactedText.stored(text)
