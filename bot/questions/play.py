"""Is something to be made or played: a poem, a joke, a game, a translation? A product's word in it makes it no support question.

The topic gate looks at what a question is about, and a poem about invoices is about invoices. So the form decides here: an order to make a
thing that no desk makes.
"""

import re
from collections.abc import Sequence

from bot.lexicon import PlayWords, lexicon, lexicons
from bot.questions.parts import parts_of
from bot.words import folded, is_unspaced, words

# A longer message has more to say than that something is to be made.
_MOST_WORDS, _MOST_CHARACTERS = 25, 60
_OF = frozenset({"of", "de", "von"})  # "a playlist of songs" is no song
_NEAR = 6  # words between the order and the thing: "write me a short and funny poem"
_QUOTED = re.compile(r"[\"'“„«‘「『‹].{1,200}?[\"'”“»’」』›]")
_ENDS = "!?.。！？~～ 吧吗呢嘛"


def play_words_of(text: str) -> tuple[str, ...]:
    """Give the words that make a message a request to make or play something, folded; none for any other message.

    Where the base has documents on them ("create a song" at a music service) the message may be a support question all the same.
    """
    if parts_of(text, []):
        return ()
    plain, spoken = folded(text).strip(), words(text)
    if is_unspaced(text):
        return _unspaced(plain, text) if len(plain) <= _MOST_CHARACTERS else ()
    if not spoken or len(spoken) > _MOST_WORDS:
        return ()
    return next((found for own in lexicons() if (found := _in_words(spoken, text, own.play, own.code))), ())


def _in_words(spoken: Sequence[str], text: str, table: PlayWords, code: str) -> tuple[str, ...]:
    rest = _without_opening(spoken, table.please)
    said = f"{' '.join(rest)} "
    if opener := next((phrase for phrase in table.openers if said.startswith(f"{' '.join(words(phrase))} ")), ""):
        return tuple(words(opener))
    if rest and rest[0] in table.translate and _QUOTED.search(text):
        return (rest[0],)
    place = next((place for place, word in enumerate(rest[: _NEAR + 1]) if word in table.made), -1)
    is_order = bool(rest) and (rest[0] in table.make or (len(rest) < len(spoken) and rest[-1] in table.make))
    return (rest[place],) if place >= 0 and _is_wanted(rest, place, table, code, is_order=is_order) else ()


def _is_wanted(rest: Sequence[str], place: int, table: PlayWords, code: str, *, is_order: bool) -> bool:
    """Say whether the thing at a place is itself what is ordered: no part of another, and nothing else is asked behind it."""
    own = lexicon(code)
    small = own.stop | table.about | table.please | table.make
    before, behind = rest[:place], rest[place + 1 :]
    if set(before) & (own.prepositions | _OF) or set(behind) & own.asking - table.please:
        return False
    if is_order:
        return not behind or behind[0] in small
    return place <= 1 and bool(behind) and behind[0] in table.about and all(word in small for word in before)


def _without_opening(spoken: Sequence[str], please: frozenset[str]) -> Sequence[str]:
    start = next((place for place, word in enumerate(spoken) if word not in please), len(spoken))
    end = next((len(spoken) - place for place, word in enumerate(reversed(spoken)) if word not in please), 0)
    return spoken[start : max(start, end)]


def _unspaced(plain: str, text: str) -> tuple[str, ...]:
    said = plain.strip(_ENDS)
    for code in ("zh", "ja"):
        table = lexicon(code).play
        if opener := next((phrase for phrase in table.openers if phrase in said), ""):
            return (opener,)
        if _QUOTED.search(text) and (asked := next((word for word in table.translate if word in said), "")):
            return (asked,)
        if any(phrase in said for phrase in lexicon(code).how):
            continue  # it asks how it is done
        for thing in sorted(table.made, key=len, reverse=True):
            if thing in said and _is_made(said, thing, table, code):
                return (thing,)
    return ()


def _is_made(said: str, thing: str, table: PlayWords, code: str) -> bool:
    """Chinese has the order first and the thing last, Japanese the thing and right behind it the order."""
    before, _, behind = said.rpartition(thing)
    if code == "zh":
        return not behind and any(verb in before[:6] for verb in table.make)
    order = behind.removeprefix("を").removeprefix("一つ").removeprefix("ひとつ")
    return any(order.startswith(verb) for verb in table.make)
