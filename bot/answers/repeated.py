"""Does an answer say anything that its thread has not heard yet? A vague follow-up must not get the same words again."""

from collections.abc import Callable, Sequence

from bot.answers.evidence import shape_of
from bot.messages import Citation, DraftSentence
from bot.texts import say
from bot.words import content_words, lexicon_of
from retrieval.redaction import RedactedText

# A model words one thing in two ways; from this share of its words on a sentence was said before. A short one needs all of
# them: "Open page 8" is not "Open page 7".
_SAID = 0.9
_STEM = 5


def adds_nothing(
    sentences: Sequence[DraftSentence], given: Sequence[RedactedText], shown: Callable[[RedactedText], str]
) -> bool:
    """Say whether everything an answer would say stands in the answers that were given; never when none was given.

    Args:
        sentences: what would be said.
        given: the earlier answers of the thread.
        shown: how a sentence reads in an answer.
    """
    said = "\n".join(given)
    stems = _stems(said)
    return bool(given) and all(_is_said(sentence, said, stems, shown) for sentence in sentences)


def unsaid(
    sentences: Sequence[DraftSentence], given: Sequence[RedactedText], shown: Callable[[RedactedText], str]
) -> Sequence[DraftSentence]:
    """Give what the thread has not heard yet, all of it when that is nothing; arguments as for `adds_nothing`.

    Code and tables stay: they belong to the sentence above them.
    """
    said = "\n".join(given)
    stems = _stems(said)
    left = [one for one in sentences if shape_of(one.text).is_block or not _is_said(one, said, stems, shown)]
    return left if any(not shape_of(one.text).is_block for one in left) else sentences


def no_more(citations: Sequence[Citation], language: str) -> RedactedText:
    """Say in one line that the sources hold nothing more, with the numbers of the sources and their ids."""
    names = ", ".join(f"{citation.id} [{citation.n}]" for citation in citations)
    return say("no_more", language, ids=RedactedText.stored(names))


def _is_said(sentence: DraftSentence, said: str, stems: frozenset[str], shown: Callable[[RedactedText], str]) -> bool:
    if shown(sentence.text) in said:
        return True
    own = _stems(sentence.text)
    return not sentence.is_quote and bool(own) and len(own & stems) >= _SAID * len(own)


def _stems(text: str) -> frozenset[str]:
    return frozenset(word[:_STEM] for word in content_words(text, lexicon_of(text), keep_vague=True))
