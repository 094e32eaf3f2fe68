"""Does a question lean on the one before it: by openers, pronouns and what is left out, in the words of ten languages."""

import re
from collections.abc import Sequence
from functools import lru_cache

from bot.lexicon import Lexicon, lexicon
from bot.words import content_words, entities, folded, lexicon_of, words

# A question of more content words than this stands alone, whatever it begins with.
_FEW = 6
# A fragment ("for the annual plan?") has no question word and at most this many content words.
_FRAGMENT = 3
# Content words before a pronoun: from this many on, the pronoun means one of them ("my invoice is wrong, how do I fix it").
_OWN_SUBJECT = 2
_UNSPACED = ("zh", "ja")
_EDGE = " .,;:!?¿¡-–—…。，、！？"
# "哪个版本？", "几天？", "何日ですか": a detail of something that is not named. "Androidは？": a topic and nothing asked of it.
_UNSPACED_DETAIL = re.compile(r"\A(?:哪|几|多少|何|どの|どんな|どれ)")
_UNSPACED_TOPIC = re.compile(r"(?<!に)は[?？]?\s*\Z")
_DETAIL_LETTERS = 10
# Spanish and Portuguese verbs with a pronoun at their end: "cambiarla", "desinstalándolo", "ativá-lo".
_ENCLITIC = {
    "es": re.compile(r"\A\w{2,30}(?:[aeiáéí]r|ndo)(?:me|te|se|nos)?l[aoe]s?\Z"),
    "pt": re.compile(r"\A\w{2,30}[áêéíàar]-l?(?:h|n)?[aoe]s?\Z"),
}
_INFINITIVE = {"de": re.compile(r"\A\w{2,30}n\Z")}


def is_follow_up(question: str, previous: Sequence[str]) -> bool:
    """Say whether a question cannot be understood without the ones before.

    Seen by: a leading "and", "а", "und", "I mean", …, also behind a word of thanks; a pronoun before any subject of its own; a
    fragment without a question word; a question word with a single word behind it ("which documents?"); no content word at
    all. A question with a subject of its own stands alone, so a change of topic resets.

    186 questions in ten languages written for it: of 117 that lean none is missed and of 69 others one is taken for leaning; before
    articles were told from pronouns, and details and corrections were known, 52 and 16.

    Args:
        question: the newest question.
        previous: the earlier questions of the thread, oldest first; none means no follow-up.
    """
    if not previous or not question.strip():
        return False
    language = lexicon_of(question, prefer=lexicon_of(previous[-1]).code)
    question = _without_nod(question, language)
    own = content_words(question, language)
    if not own:
        return True
    if len(own) > _FEW or _is_definition(question, language):
        return False
    return (
        _has_leading(question, language)
        or _leans_on_pronoun(question, language)
        or _is_fragment(question, own, language)
        or _asks_for_detail(question, own, language)
    )


def _without_nod(question: str, language: Lexicon) -> str:
    """Take "thanks!", "no,", "ok" from the head: what follows leans or does not. A question that is nothing else stays."""
    rest = _nods(language.code).sub("", question, count=1)
    return rest if rest.strip(_EDGE) else question


@lru_cache(maxsize=16)
def _nods(code: str) -> re.Pattern[str]:
    language = lexicon(code)
    spoken = "|".join(re.escape(word) for word in sorted((*language.thanks, *language.nods), key=len, reverse=True))
    # "No receipt is printed" says something of a receipt, "No, on Android" does not.
    return re.compile(
        rf"\A\W{{0,8}}(?:(?:{spoken})[\s,.!;:。，、！–—-]{{0,4}}[,.!;:。，、！–—-]\s{{0,4}}){{1,3}}", re.IGNORECASE
    )


def _is_definition(question: str, language: Lexicon) -> bool:
    """Say whether something is named behind "що таке", "co to jest": their pronoun stands for that."""
    text = folded(question).lstrip(_EDGE)
    return any(
        text.startswith(f"{opening} ") and content_words(text.removeprefix(opening), language)
        for opening in language.defines
    )


def _has_leading(question: str, language: Lexicon) -> bool:
    text = folded(question).lstrip(_EDGE)
    return any(text.startswith(word) and _ends_word(text, len(word), word) for word in language.leading)


def _ends_word(text: str, at: int, word: str) -> bool:
    return word[-1] > "\u3000" or not (text[at : at + 1].isalnum() or text[at : at + 1] == "'")


def _leans_on_pronoun(question: str, language: Lexicon) -> bool:
    if language.code in _UNSPACED:
        return any(pronoun in folded(question) for pronoun in language.pronouns if len(pronoun) > 1 or pronoun == "它")
    before = 0
    spoken = words(question)
    for place, word in enumerate(spoken):
        if _is_pronoun(spoken, place, language):
            if _is_expletive(spoken[place + 1 :], language):
                continue
            return before < _OWN_SUBJECT
        before += word not in language.small and word not in language.expletive and len(word) > 1
    return False


def _is_pronoun(spoken: Sequence[str], place: int, language: Lexicon) -> bool:
    word = spoken[place]
    if word in language.doubtful:
        return _is_pronoun_here(spoken, place, language)
    ending = _ENCLITIC.get(language.code)
    return (word in language.pronouns and word not in language.question) or bool(ending and ending.match(word))


def _is_pronoun_here(spoken: Sequence[str], place: int, language: Lexicon) -> bool:
    """Tell "comment la désactiver", "wie geht das" and "does that work" from "la console", "das Display", "an error that"."""
    before, behind = spoken[place - 1] if place else "", spoken[place + 1 : place + 2]
    if not behind or before in language.hosts:
        return True
    if behind[0] in language.small and (not before or before in language.stop | language.works):
        return True
    verb = _INFINITIVE.get(language.code)
    return bool(verb and verb.match(behind[0])) and before in language.small and place + 2 == len(spoken)


def _is_expletive(behind: Sequence[str], language: Lexicon) -> bool:
    """Say whether a pronoun stands for what follows it: "is it possible to change the owner", and not "is it possible?"."""
    own = [word for word in behind[1:] if word not in language.small and len(word) > 1]
    return bool(behind) and behind[0] in language.expletive and len(own) >= _OWN_SUBJECT


def _is_fragment(question: str, own: Sequence[str], language: Lexicon) -> bool:
    spoken = words(question)
    if language.code in _UNSPACED:
        asks = any(word in folded(question) for word in language.question)
        return len(own) <= 1 and not asks and len(folded(question)) <= 8
    if len(own) <= _FRAGMENT and spoken[0] in language.prepositions and not set(spoken[1:2]) & language.question:
        return True
    asks = any(word in language.question for word in spoken) or spoken[0] in language.requests
    # Four words and no question word: "annual plan price?", "B1", "only on Android"; longer ones are statements.
    return not asks and len(spoken) <= 4 and len(own) <= _FRAGMENT and not _is_code(question)


def _asks_for_detail(question: str, own: Sequence[str], language: Lexicon) -> bool:
    """Say whether one thing is asked of something that is not named: "which documents?", "how often?", "for how long?"."""
    if _is_code(question):
        return False
    if language.code in _UNSPACED:
        text = folded(question).strip(_EDGE)
        is_detail = len(text) <= _DETAIL_LETTERS and _UNSPACED_DETAIL.match(text)
        return len(own) <= 1 and bool(is_detail or _UNSPACED_TOPIC.search(folded(question)))
    *opening, last = words(question)
    asking = [word for word in opening if word not in language.prepositions]
    named = [word for word in own if word not in language.measures]
    is_short = 1 <= len(asking) <= 2 and len(named) <= 1 and last not in language.small
    return is_short and asking[0] in language.question and all(word in language.measures for word in asking[1:])


def _is_code(question: str) -> bool:
    """Say whether the text names an error or article by a long code, which finds its source by itself."""
    return any(re.search(r"\d{2}", entity) for entity in entities(question))
