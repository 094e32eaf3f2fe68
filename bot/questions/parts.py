"""A question in parts: what is asked in one message is searched part by part, each said so that it stands alone.

Split is only where a second question begins: a list of questions, a second sentence with a question mark, "and where …",
"also …". "Add and remove users" and a long story with one question at its end stay whole.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from bot.lexicon import Lexicon, lexicon
from bot.questions.codes import codes_of, is_only_code
from bot.questions.follow_up import in_context, rewrite_rules, standalone
from bot.words import content_words, entities, folded, is_unspaced, lexicon_of, weight_of, words
from retrieval.documents import split_sentences
from retrieval.search.places import SearchPlan

MOST_PARTS = 3
# A pasted log is no list of questions; in a long story the questions are about one trouble (techqa: 45 of 252 would be split, most
# of them a title and its repetition).
_LONGEST = 2_000
_STORY_WORDS = 60.0
# Content words that each part needs of its own.
_OWN_WORDS = 2.0
_LETTERS = 1.5  # of Chinese and Japanese, for a word
# Two questions that share more of their words are one, asked twice.
_SAME = 0.5
_STEM = 5
_ITEM = re.compile(r"^\s*(?:\(?\d{1,2}[.):]|[a-dA-D][.)]|[-*•–])\s+(?=\S)")
_INLINE_ITEM = re.compile(r"(?:(?<=\s)|^)\(?\d[.)]\s+(?=\S)")
_ASK_MARK = re.compile(r"[?？؟]\W*$")
_CLAUSE = re.compile(r"[,;，；、]\s*")
_LEADING = re.compile(r"^[\W_]+")


def plan_by_rules(query: str, previous_user_turns: Sequence[str]) -> SearchPlan[str]:
    """Give what is searched for a question in a thread, without a model; the flow and the evaluation search the same.

    Args:
        query: the newest question.
        previous_user_turns: earlier questions of the same person, oldest first.
    """
    return SearchPlan(
        tuple(rewrite_rules(query, previous_user_turns)),
        tuple(part.standalone for part in parts_of(query, previous_user_turns)),
        in_context(query, previous_user_turns),
    )


@lru_cache(maxsize=256)
def _spoken_parts(question: str) -> tuple[str, ...]:
    if len(question) > _LONGEST:
        return ()
    language = lexicon_of(question)
    found = [list(_clauses(piece, language)) for piece in _pieces(question, language)]
    kept: list[str] = []
    for place, part in ((place, part) for clauses in found for place, part in enumerate(clauses)):
        is_kept = _is_whole(part, language) or _is_code(part) or (place > 0 and _leans(part, language))
        if is_kept and not any(_is_same(part, other, language) for other in kept):
            kept.append(part)
    if len(kept) < 2:
        return ()
    return (*kept[: MOST_PARTS - 1], " ".join(kept[MOST_PARTS - 1 :])) if len(kept) > MOST_PARTS else tuple(kept)


@dataclass(frozen=True, slots=True)
class SpokenPart:
    """One of several questions in a message: as asked, and said so that it stands alone."""

    asked: str
    standalone: str


def parts_of(question: str, previous: Sequence[str] = ()) -> tuple[SpokenPart, ...]:
    """Give the parts of a question; none for a question that is one.

    Args:
        question: the newest question.
        previous: the earlier questions of the thread, oldest first, on which a part may lean.

    Returns:
        Nothing, or two or three parts in the order of the question, made of words of the thread; from the third on the
        rest is one part.
    """
    spoken = _spoken_parts(question)
    if not spoken:
        return ()
    named = _names_before(question, spoken[0])
    parts: list[SpokenPart] = []
    for part in spoken:
        whole = standalone(part, [*previous, *(earlier.standalone for earlier in parts)])
        language = lexicon_of(question)
        if parts and whole == part and _leans(part, language):
            said = {folded(word) for word in words(part)}
            carried = (word for word in content_words(parts[-1].standalone, language) if word not in said)
            whole = " ".join([*carried, part])
        if parts and _is_code(parts[-1].asked):  # "error LG-411 and how do I retry": of that very error
            whole = " ".join([*codes_of(parts[-1].asked), whole])
        spoken_already = folded(whole)
        alone = " ".join([*(name for name in named if folded(name) not in spoken_already), whole])
        parts.append(SpokenPart(part, alone))
    return tuple(parts)


def _names_before(question: str, first: str) -> list[str]:
    """Give the products and codes that the story before the first part names."""
    place = question.find(first)
    return list(dict.fromkeys(entities(question[:place])))[:MOST_PARTS] if place > 0 else []


def _pieces(question: str, language: Lexicon) -> list[str]:
    """Give what asks: the items of a list, else the sentences with a question mark or after a word such as "also"."""
    items = _list_items(question)
    asking = [item for item in items if _asks(item, language)]
    if len(asking) > 1:
        return asking
    if weight_of(question) > _STORY_WORDS:
        return []
    sentences = split_sentences(question)
    heads = [_unled(text, language) for text in sentences]
    are_asked = [_asks(head, language) or _has_second(head, language) for head in heads]
    # "I want to change my card. Also, where …": what stands before an "also" is asked for too.
    adds = [*(_adds(text, language) for text in sentences[1:]), False][: len(sentences)]
    return [head for head, asks, is_added_to in zip(heads, are_asked, adds, strict=True) if asks or is_added_to]


def _list_items(question: str) -> list[str]:
    lines = [line for line in question.splitlines() if line.strip()]
    items = [_ITEM.sub("", line).strip() for line in lines if _ITEM.match(line)]
    if len(items) > 1:
        return items
    inline = _INLINE_ITEM.split(question)
    return [text.strip(" ,;\n") for text in inline[1:]] if len(inline) > 2 else []


def _clauses(text: str, language: Lexicon) -> Iterator[str]:
    """Cut one sentence where a second question begins: behind "and", "und", … with a question word, or behind "also"."""
    text = _unled(text, language)
    cuts = list(_cuts(text, language))
    start = 0
    for begin, end in cuts:
        left, right = text[start:begin], text[end:]
        is_second = _is_whole(right, language) or _leans(right, language)
        if is_second and _is_first(left, language):
            # Before a last "and where …" a comma divides questions too; elsewhere it opens a clause ("wo meine Daten liegen").
            yield from _at_commas(left, language)
            start = end
    rest = text[start:].strip()
    if rest:
        yield _LEADING.sub("", rest) if start else rest


def _cuts(text: str, language: Lexicon) -> Iterator[tuple[int, int]]:
    """Give where a joining word stands before a second question, as the end of the left and the start of the right side."""
    for match in _joints(language.code).finditer(text):
        behind = text[match.end() :]
        if match["adds"] or _opens(behind, language) or _opens(_unled(behind, language), language):
            yield match.start(), match.end()


@lru_cache(maxsize=16)
def _joints(code: str) -> re.Pattern[str]:
    """Find "and", "und", …; "and also", ", also", "außerdem", … count without a question word behind them."""
    language = lexicon(code)
    joins, adds = (_any_of(phrases) for phrases in (language.joins, language.adds))
    if language.code in ("zh", "ja"):
        return re.compile(rf"[,，、；;\s]*(?:(?P<adds>{adds})|(?P<joins>{joins}))[,，、\s]*")
    joined = rf"(?:\s*[,;]\s*|\s+)(?:{joins})"
    return re.compile(
        rf"(?P<adds>{joined}\s+(?:{adds})(?!\w)[,:]?\s*)|(?P<joins>{joined}|\s*[,;–—-]\s+(?:{adds})(?!\w)[,:]?)\s+",
        re.IGNORECASE,
    )


def _any_of(phrases: Sequence[str]) -> str:
    return "|".join(re.escape(phrase) for phrase in phrases)


def _at_commas(text: str, language: Lexicon) -> list[str]:
    parts: list[str] = []
    for piece in _CLAUSE.split(text):
        is_question = (
            parts and _opens(piece, language) and _is_whole(piece, language) and _is_whole(parts[-1], language)
        )
        if is_question or not parts:
            parts.append(piece.strip())
        else:
            parts[-1] = f"{parts[-1]}, {piece.strip()}"
    return parts


def _unled(text: str, language: Lexicon) -> str:
    """Take "And", "Also," or "Außerdem" from the head of a sentence."""
    return _head(language.code).sub("", text, count=1)


def _adds(text: str, language: Lexicon) -> bool:
    head = _head(language.code).match(text)
    return head is not None and any(head.groups())


@lru_cache(maxsize=16)
def _head(code: str) -> re.Pattern[str]:
    """Find joining words at the head of a sentence; a group says that one of them adds something."""
    language = lexicon(code)
    joins, adds = _any_of(language.joins), _any_of(language.adds)
    if code in ("zh", "ja"):
        return re.compile(rf"^\W*({adds})[,，、:：\s]*")
    return re.compile(rf"^\W*(?:(?:{joins})\s+)?(?:({adds})(?!\w)[,:]?\s+)|^\W*(?:{joins})\s+", re.IGNORECASE)


def _opens(text: str, language: Lexicon) -> bool:
    """Say whether a text begins with a question word."""
    if language.code in ("zh", "ja"):
        return _has_ask_word(text, language)
    spoken = words(text[:80])
    # "In which", "auf welcher", "на якій": a preposition may stand before the question word.
    return any(
        word in language.asking for word in spoken[: 1 + (spoken[:1] != [] and spoken[0] in language.prepositions)]
    )


def _asks(text: str, language: Lexicon) -> bool:
    """Say whether a text is a question, with or without its mark."""
    spoken = " ".join(["", *words(text), ""])
    return (
        bool(_ASK_MARK.search(text))
        or _opens(text, language)
        or any((phrase if is_unspaced(phrase) else f" {phrase} ") in spoken for phrase in language.how)
    )


def _has_ask_word(text: str, language: Lexicon) -> bool:
    said = folded(text)
    return any(word in said for word in language.asking)


def _is_whole(text: str, language: Lexicon) -> bool:
    """Say whether a part has a subject of its own; without spaces three letters count as two words."""
    own = content_words(text, language)
    return sum(len(word) / _LETTERS if is_unspaced(word) else 1.0 for word in own) >= _OWN_WORDS


def _has_second(text: str, language: Lexicon) -> bool:
    """Say whether a question begins behind key words ("api rate limit and what error comes")."""
    return any(_is_first(text[:begin], language) for begin, _ in _cuts(text, language))


def _is_first(text: str, language: Lexicon) -> bool:
    """Say whether what stands before an "and how …" is asked too: a question, a bare code, or key words without small ones."""
    is_key_words = content_words(text, language, keep_vague=True) == words(text)
    return _is_code(text) or (_is_whole(text, language) and (is_key_words or _asks(text, language)))


def _is_code(text: str) -> bool:
    return is_only_code(text, codes_of(text))


def _leans(text: str, language: Lexicon) -> bool:
    """Say whether a text asks something of what stands before it, in a word or more of its own ("how much is the second one")."""
    own = set(content_words(text, language, keep_vague=True)) - language.works - language.pronouns
    return not _is_whole(text, language) and _opens(text, language) and bool(own)


def _is_same(part: str, other: str, language: Lexicon) -> bool:
    left, right = ({word[:_STEM] for word in content_words(text, language)} for text in (part, other))
    return len(left & right) > _SAME * min(len(left), len(right))
