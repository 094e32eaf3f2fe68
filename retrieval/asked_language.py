"""The language of a question: with few words it is mostly one that the base or its answers speak.

Three English words are taken for Albanian or French by a letter model alone. Weights in nats, chosen on the first two to five words, and
the first two to five weighty words, of titles of GNOME help, confirmed on its summaries, Let's Encrypt, xquad and xsid (`RESULTS.md`).
"""

from collections.abc import Callable, Collection, Mapping, Sequence

from retrieval.language import CYRILLIC, KNOWN, LATIN, language_of, words_read

# Words from which on the letters decide alone.
FEW = 6
_IN_THE_BASE, _OF_THE_THREAD, _ELSEWHERE = 1.0, 4.0, -4.0
# Of three words or more one may stand nowhere: a name, a slip of the pen.
_HELD, _BUT_ONE = 2, 3.0


def asked_language(
    text: str,
    *,
    answers: Collection[str],
    base: Collection[str],
    speakers: Callable[[Sequence[str]], Mapping[str, int]],
    spoken: str = "",
) -> str:
    """Name the language of a question.

    Args:
        text: the question, redacted.
        answers: languages that answers are framed in.
        base: languages of the documents.
        speakers: gives for each of them how many of some words stand in its documents.
        spoken: the language of the thread, "" for none.

    Returns:
        The ISO 639-1 code, or "" when there is too little to tell.
    """
    words = words_read(text)
    if not words or len(words) > FEW:
        return language_of(text)
    lean = {code: _ELSEWHERE for code in (*LATIN, *CYRILLIC) if code not in answers}
    lean |= dict.fromkeys(base, _IN_THE_BASE)
    for code, held in speakers(words).items():
        missing = len(words) - held
        weight = KNOWN if not missing else _BUT_ONE if missing == 1 and held >= _HELD else 0.0
        lean[code] = lean.get(code, 0.0) + weight
    if spoken:
        lean[spoken] = max(lean.get(spoken, 0.0), 0.0) + _OF_THE_THREAD
    return language_of(text, lean)
