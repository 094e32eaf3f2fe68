"""Error codes and ids in a question: a source that holds the very code beats one that is only near in meaning."""

import re
from collections.abc import Sequence

from bot.words import content_words, entities, folded, lexicon_of
from retrieval.passages import Passage
from retrieval.quantity_words import UNIT_OF

# Letters and at least two digits in one word: "TL-4012", "0x80070005", "KB101"; no plain numbers, no "2.4".
_CODE = re.compile(r"\A(?=.*[^\W\d_])(?=.*\d.*\d).{4,40}")
# What looks like one and names nothing: any source on the product may hold it, and the one that answers may not.
_VERSION = re.compile(r"\A(?:[^\W\d_]{0,8}\d+(?:\.(?:\d+|x))+[^\W\d_]*|(?:v|ver|rel|fp|sp|cf|sr|rc|ie)\d+x?)")
_FILE = re.compile(r"\A[^:]*\.[^\W\d_]{2,}(?::\d+)?")  # also a host, and a line in a file: "Servlet.java:837"
_COUNT = re.compile(r"\A\d+-?([^\W\d_]+)")
_SMALL_COUNT = re.compile(r"\d{1,2}-[^\W\d_]{3,}")  # "16-digit"
_ALSO_UNITS = frozenset(
    {"st", "nd", "rd", "th", "p", "k", "w", "v", "a", "mah", "hz", "khz", "mhz", "ghz", "fps", "dpi"}
)
# What an id of a source may look like: a digit or a mark within a word; a plain number only when nothing else is asked.
_ID = re.compile(r"\A(?=.*[^\W\d_])(?=.*[\d/_-])[^\s]{3,120}")
_NUMBER = re.compile(r"\d{3,20}")
_AROUND = "\"'`“”«»‘’()[]{}<>,;:!?？。、….#*"
_MOST_IDS = 3
# Two codes may share a word ("TL-4012/TL-4013"); from so many strokes on it is a path.
_PATH = 2


def codes_of(question: str) -> frozenset[str]:
    """Give the codes that a question names, folded; no versions, counts, paths, files or hosts.

    With those among them 13 of 202 questions of techqa ended as uncertain for it, some answered by a source that merely holds the
    version.
    """
    spoken = (part for word in map(folded, entities(question)) if word.count("/") < _PATH for part in word.split("/"))
    return frozenset(part for part in spoken if _CODE.fullmatch(part) and not _is_no_code(part))


def _is_no_code(word: str) -> bool:
    count = _COUNT.fullmatch(word)
    is_count = count is not None and (count[1] in UNIT_OF or count[1] in _ALSO_UNITS)
    return is_count or any(form.fullmatch(word) for form in (_VERSION, _FILE, _SMALL_COUNT))


def ids_of(question: str) -> tuple[str, ...]:
    """Give what may be ids of sources in a question, in the spellings to try; few, since each is looked up."""
    spoken = [word for word in (raw.strip(_AROUND) for raw in question.split()) if word]
    found = [word for word in spoken if _ID.fullmatch(word)][:_MOST_IDS]
    if not found and len(spoken) == 1 and _NUMBER.fullmatch(spoken[0]):
        found = spoken
    return tuple(dict.fromkeys(form for word in found for form in (word, word.lower(), word.upper())))


def with_codes(passages: Sequence[Passage], codes: frozenset[str]) -> tuple[Passage, ...]:
    """Give the passages that hold one of the codes; all of them when none does or there is no code."""
    return holding(passages, codes) or tuple(passages)


def holding(passages: Sequence[Passage], codes: frozenset[str]) -> tuple[Passage, ...]:
    """Give the passages that hold one of the codes."""
    return tuple(passage for passage in passages if any(code in _text(passage) for code in codes))


def is_code_missing(passages: Sequence[Passage], codes: frozenset[str]) -> bool:
    """Say whether the question names codes of which no passage holds one.

    A ticket that shares a word with the question may hold the code in the customer's words, which are not here.
    """
    return bool(codes) and not any(
        code in _text(passage) or (passage.document.kind == "ticket" and passage.bm25 > 0)
        for passage in passages
        for code in codes
    )


def is_only_code(question: str, codes: frozenset[str]) -> bool:
    """Say whether a question names codes and no other subject ("TL-9210?", "error TL-9210")."""
    return bool(codes) and set(content_words(question, lexicon_of(question))) <= codes


def _text(passage: Passage) -> str:
    sentences = " ".join(sentence.text for sentence in passage.sentences)
    return folded(f"{passage.document.id} {passage.document.title} {passage.heading} {sentences}")
