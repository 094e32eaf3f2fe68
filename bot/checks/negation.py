"""How often, and of what, a text says "not": what a sentence may neither add to its source nor leave out."""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest

from bot.lexicon import LANGUAGES, Lexicon, lexicon
from bot.words import content_words, folded, words

# Words that deny in languages that have no lexicon of their own. A language that is missing here cannot be judged.
_ELSEWHERE = {
    "it": "non senza mai né nessun nessuno nessuna niente nulla impossibile",
    "nl": "niet geen zonder nooit onmogelijk nergens niets",
    "da": "ikke uden aldrig ingen intet hverken umulig umuligt",
    "no": "ikke uten aldri ingen intet umulig",
    "sv": "inte utan aldrig ingen inget inga varken omöjligt",
    "ro": "nu n fără niciodată niciun nicio imposibil",
    "tr": "değil yok asla hiçbir olmadan",
    "hu": "nem ne sem soha nincs nincsenek sincs nélkül lehetetlen",
    "fi": "ei en et emme ette eivät eikä ilman koskaan mahdoton",
    "he": "לא אין ללא בלי איננו אינו אינה אינם אל מבלי",
    "ar": "لا لم لن ليس ليست بدون غير دون",
    "hi": "नहीं न बिना मत",
    "bg": "не няма без никога нито невъзможно",
    "sr": "не није нема без никада нити ne nije nema bez nikada",
    "cs": "ne není bez ani nikdy nikoli nikoliv nic nikdo žádný žádná žádné žádného žádnou",
    "sk": "nie bez ani nikdy nič nikto žiadny žiadna žiadne žiadneho",
}
# Languages that write the denial as the beginning of a verb, without the words that only look like it.
_PREFIXED = {
    "cs": re.compile(r"ne(?!j|bo|ch|dáv|dě|st|tw|xt|ur|utr|mocn|zbyt)\w{3,}"),
    "sk": re.compile(r"ne(?!j|bo|ch|dáv|de|st|tw|xt|ur|utr|mocn|zbyt)\w{3,}"),
}
# Sinhala: the vowel signs belong to no word by the rules of `words`, so its denials are looked for in the text.
_SINHALA = re.compile(r"නැත|නැති|නැහැ|නොමැත|බැහැ|බැරි|මිස|(?<!\S)නො(?!මිලේ)\S")
# Where one denial is said with several words ("ne … pas", "никогда не"), words this near to each other are one.
_DOUBLED = frozenset({"fr", "es", "pt", "pl", "uk", "ru", "it", "ro", "hu", "bg", "sr", "fi", "cs", "sk"})
_NEAR = 3
# A denial that opens an answer ("No, you cannot …") is said again behind it.
_OPENING = frozenset({"no", "ні", "нет", "nein", "non", "nie", "não", "nee", "nej"})
# Said with a word of denial, and denying nothing: "or not", "until … not", "do not forget to", "not only".
_HOLLOW = {
    "en": r"\bor not\b|\bnot only\b|\b(?:do not|don't) forget\b|\bno matter\b|\bwhether or not\b",
    "de": r"\boder nicht\b|\bnicht nur\b|\bvergessen sie nicht\b|\bohne weiteres\b",
    "uk": r"\b(?:або|чи) ні\b|\bчи не\b|\bне (?:лише|тільки|менш|забуд)\w*|\b(?:до|по)ки не\b",
    "ru": r"\bили нет\b|\bне (?:только|менее|забуд)\w*|(?:^|[,–—-]\s?)пока не\b|\bне\b(?= \w+ ли\b)",
    "fr": r"\bou non\b|\bnon seulement\b|\bn'oubliez pas\b",
    "pl": r"\b(?:lub|czy) nie\b|\bnie tylko\b|\bnie zapomnij\w*|\bdop[oó]ki nie\b",
    "es": r"\bo no\b|\bno s[oó]lo\b|\bno olvide\w*",
    "pt": r"\bou não\b|\bnão (?:só|apenas)\b|\bnão se esqueça\b",
}
# Chinese and Japanese words that hold a sign of denial and deny nothing.
_PLAIN = re.compile(
    "不同|不过|不仅|不但|不断|不久|不少|不妨|不料|不得不|不约而同|不谋而合|无论|无线|未来|别名|别的|别人|类别|级别|特别|区别|识别|性别|个别|分别"
    "|はず|必ず|まず|ずつ|少なくない|かもしれない|なければな|なくてはな|しなければ|不具合|なしに"
)
# What a near-copy may leave out whole or add: "whether or not", "don't forget to"; "not only" is no such phrase.
_IDLE = re.compile(
    r"\bor not\b|\b(?:do not|don't) forget(?: to)?\b|\bno matter\b|\boder nicht\b|\bvergessen sie nicht\b|\b(?:або|чи) ні\b|\bне забуд\w*"
    r"|\bили нет\b|\bou non\b|\bn'oubliez pas(?: de)?\b|\b(?:lub|czy) nie\b|\bnie zapomnij\w*|\bo no\b|\bno (?:se )?olvide\w*|\bou não\b|\bnão (?:se )?esqueça\w*"
)
# Without its "not", a reminder says the opposite, so that to forget denies too.
_FORGET = re.compile(r"\bforget\b|\bvergessen\b|\bзабуд\w+|\boubliez\b|\bzapomnij\w*|\bolvide\w*|\besqueça\w*")
# Of the Chinese and Japanese words with a sign of denial those that are no words without it.
_WHOLE = re.compile(
    "不过|不妨|不料|未来|无论|无线|别名|别的|别人|类别|级别|特别|区别|识别|性别|个别|分别|はず|必ず|まず|ずつ|かもしれない|なければな|なくてはな|しなければ|なしに"
)
# Prefixes that turn a word round, with what the other side may have in their place.
_TURNS = (("un", ""), ("in", ""), ("im", ""), ("dis", ""), ("dis", "en"), ("de", ""), ("dé", ""), ("des", ""), ("ir", ""), ("il", ""),
          ("non-", ""), ("не", ""), ("nie", ""), ("ne", ""), ("de", "a"), ("dés", ""))  # fmt: skip
_CLAUSE = re.compile(r"[,;:.!?()–—、，。；：！？（）]|\s-\s")
_STEM = 5
# Letters that are left of a word behind a prefix, at least.
_ROOT = 3
# Content words on each side that a denial is about; letters where there are no spaces.
_REACH, _LETTERS = 3, 6


@dataclass(frozen=True, slots=True)
class Denial:
    """One "not", with the stems of the content words around it in its clause."""

    about: frozenset[str]


def denials(text: str, language: str) -> tuple[Denial, ...] | None:
    """Give the denials of a text in order.

    Args:
        text: a sentence or several.
        language: its language, ISO 639-1.

    Returns:
        None when it cannot be told in this language.
    """
    if language in ("zh", "ja"):
        return _unspaced(text, lexicon(language))
    if language == "si":
        return tuple(Denial(frozenset()) for _ in _SINHALA.finditer(text))
    known = lexicon(language) if language in LANGUAGES else None
    deny = known.negation if known else frozenset(_ELSEWHERE.get(language, "").split())
    if not deny:
        return None
    found: list[Denial] = []
    is_joined = _joined_in(language)
    plain = re.sub(_HOLLOW[language], " ", _joined(text)) if language in _HOLLOW else _joined(text)
    for position, clause in enumerate(_CLAUSE.split(plain)):
        spoken = words(clause)
        if position == 0 and len(spoken) == 1 and spoken[0] in _OPENING:
            continue
        places = [place for place, word in enumerate(spoken) if word in deny or is_joined(word)]
        found += [_denial(spoken, place, known, deny) for place in _apart(places, spoken, language)]
    return tuple(found)


def is_same_polarity(sentence: Sequence[Denial], source: Sequence[Denial], stems: frozenset[str]) -> bool:
    """Say whether a sentence denies what its source denies, both in one language.

    A denial of the source may be left out together with what it is about ("If none arrives, press Resend").

    Args:
        sentence: denials of the sentence.
        source: denials of its source.
        stems: stems of the sentence's content words.
    """
    left = list(source)
    for denial in sentence:
        match = max(left, key=lambda other: len(denial.about & other.about), default=None)
        if match is None or (denial.about and match.about and not denial.about & match.about):
            return False
        left.remove(match)
    return not any(_is_kept(denial, stems) for denial in left)


def denies_word_for_word(copy: str, source: str, language: str) -> bool:
    """Say whether a near-verbatim copy has as many words of denial as its source and none of its words turned round.

    Counted as they stand: a reworded sentence may say "ні … ні" with one word less, or leave "not only" out; a copy in which
    it is all that differs was changed.

    Args:
        copy: a sentence with nearly all words of its source and hardly others.
        source: the sentence it was copied from.
        language: language of both, ISO 639-1.
    """
    if _signs(copy, language) != _signs(source, language):
        return False
    own, given = set(words(copy)), set(words(source))
    return not _turned(own - given, given) and not _turned(given - own, own)


def _signs(text: str, language: str) -> int:
    """Count the words, or in languages without spaces the signs, that deny."""
    if language == "si":
        return sum(1 for _ in _SINHALA.finditer(text))
    if language in ("zh", "ja"):
        return sum(1 for _ in _unspaced_signs(language).finditer(_WHOLE.sub("・", folded(text))))
    plain = _IDLE.sub(" ", _joined(text))
    deny = lexicon(language).negation if language in LANGUAGES else frozenset(_ELSEWHERE.get(language, "").split())
    is_joined = _joined_in(language)
    denied = sum(word in deny or is_joined(word) for word in words(plain))
    return denied + sum(1 for _ in _FORGET.finditer(plain))


def _turned(new: Collection[str], known: Collection[str]) -> bool:
    """Say whether one of the new words is a known one with a prefix that turns it round ("supported", "unsupported")."""
    return any(
        word.startswith(prefix) and len(word) > len(prefix) + _ROOT and other + word.removeprefix(prefix) in known
        for word in new
        for prefix, other in _TURNS
    )


def _is_kept(denial: Denial, stems: frozenset[str]) -> bool:
    """Say whether the sentence says what the source denies."""
    return bool(denial.about) and len(denial.about & stems) > len(denial.about) * 2 / 3


def _joined(text: str) -> str:
    # "can not" is "cannot"; a comma inside a number opens no clause.
    return re.sub(r"(?<=\d)[.,:](?=\d)", "_", folded(text)).replace("can not", "cannot")


def _joined_in(language: str) -> Callable[[str], bool]:
    """Give what says whether a word is a verb with the denial in it: "shouldn't", "nelze"."""
    prefixed = _PREFIXED.get(language)
    if prefixed is None:
        return _is_shortened
    return lambda word: _is_shortened(word) or prefixed.fullmatch(word) is not None


def _is_shortened(word: str) -> bool:
    return word.endswith("n't")


def _apart(places: Sequence[int], spoken: Sequence[str], language: str) -> list[int]:
    """Give the places that count; of several words of one denial the last, which stands before what it denies.

    The same word twice is two denials ("не … и не …").
    """
    if language not in _DOUBLED:
        return list(places)
    pairs = zip_longest(places, places[1:])
    return [p for p, after in pairs if after is None or after - p > _NEAR or spoken[p] == spoken[after]]


def _denial(spoken: Sequence[str], place: int, known: Lexicon | None, deny: frozenset[str]) -> Denial:
    before = _content(spoken[:place], known, deny)[-_REACH:]
    after = _content(spoken[place + 1 :], known, deny)[:_REACH]
    return Denial(frozenset(word[:_STEM] for word in (*before, *after)))


def _content(spoken: Sequence[str], known: Lexicon | None, deny: frozenset[str]) -> list[str]:
    if known is None:
        return [word for word in spoken if len(word) > 3]
    return [word for word in content_words(" ".join(spoken), known, keep_vague=True) if word not in deny]


def _unspaced(text: str, language: Lexicon) -> tuple[Denial, ...]:
    """Chinese and Japanese: a sign of denial, and the letters on both sides of it in its clause."""
    signs = _unspaced_signs(language.code)
    found = []
    for clause in _CLAUSE.split(_PLAIN.sub("・", folded(text))):
        for match in signs.finditer(clause):
            around = clause[max(0, match.start() - _LETTERS) : match.start()] + clause[match.end() :][:_LETTERS]
            found.append(Denial(frozenset(letter for letter in around if letter.isalpha())))
    return tuple(found)


@cache
def _unspaced_signs(language: str) -> re.Pattern[str]:
    return re.compile("|".join(sorted(map(re.escape, lexicon(language).negation), key=len, reverse=True)))
