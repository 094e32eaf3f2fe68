"""Does its evidence support a sentence? Decided in code, whatever wrote the sentence.

Within a language a sentence needs the content words of its evidence; across languages a calibrated cosine. In both
numbers, units, dates, versions, prices, ids, code, addresses and negation must be those of the evidence.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from bot.answers.tables import is_part_of
from bot.checks.closed_output import is_closed
from bot.checks.inert import broken_in
from bot.checks.invariants import disagreement, facts_of, says_oftener
from bot.checks.negation import denials, denies_word_for_word, is_same_polarity
from bot.lexicon import LANGUAGES, Lexicon, lexicon
from bot.messages import DraftSentence
from bot.words import content_words, folded, is_unspaced, lexicon_of, words
from retrieval.language import language_of
from retrieval.passages import Passage
from retrieval.redaction import RedactedText

# Share of a sentence's content words (by stem) that must stand in its evidence.
SHARE = 0.6
# Across languages the named sentence must be the nearest one of its passage, or as near as this.
_MARGIN = 0.02
# From this share of words in common a sentence is a copy of its evidence.
_COPIED = 0.8
# Languages that a detector takes for each other in a short sentence.
_ALIKE = (frozenset({"da", "no", "nb", "nn", "sv"}), frozenset({"cs", "sk"}), frozenset({"hr", "sr", "bs", "sl"}))
# More than two denials in a sentence are hardly ever counted alike in two languages.
_MOST_DENIALS = 2
_STEM = 5
_TOKEN = re.compile(r"\[[A-Z]{2,}(?:_[A-Z0-9]{1,4}){0,3}\]")
_SOURCE_WORDS = (
    "sources source articles tickets джерела джерело статті звернення источники статьи обращения quellen quelle artikel"
    " fuentes artículos źródła artykuły fontes artigos 来源 出典"
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a sentence names as its support: the sentences named, the whole passages, and their addresses."""

    named: tuple[RedactedText, ...]
    passages: tuple[Passage, ...]

    @property
    def text(self) -> str:
        """The evidence sentences of the cited passages with their titles, as one text."""
        parts = [
            p.document.title + "\n" + p.heading + "\n" + "\n".join(s.text for s in p.sentences) for p in self.passages
        ]
        return "\n".join(parts)

    @property
    def sentences(self) -> tuple[RedactedText, ...]:
        """All evidence sentences of the cited passages."""
        return tuple(sentence.text for passage in self.passages for sentence in passage.sentences)

    @property
    def language(self) -> str:
        """Language of the named sentences, ISO 639-1; empty when it cannot be told."""
        known = {passage.document.lang for passage in self.passages}
        return known.pop() if len(known) == 1 and "" not in known else language_of(" ".join(self.named))

    @property
    def addresses(self) -> tuple[str, ...]:
        """What an address in the sentence may come from."""
        urls = [passage.document.url for passage in self.passages if passage.document.url]
        return (*urls, *self.sentences)


def evidence_of(sentence: DraftSentence, passages: Sequence[Passage]) -> Evidence | None:
    """Give the evidence that a sentence names; None when it names none, or one that was not given."""
    named: list[RedactedText] = []
    cited: list[Passage] = []
    for ref in sentence.refs:
        if not 0 <= ref.passage < len(passages):
            return None
        passage = passages[ref.passage]
        if not 0 <= ref.sentence < len(passage.sentences):
            return None
        named.append(passage.sentences[ref.sentence].text)
        if passage not in cited:
            cited.append(passage)
    return Evidence(tuple(named), tuple(cited)) if named else None


def is_quote_true(sentence: DraftSentence, evidence: Evidence) -> bool:
    """Say whether a quote is its evidence, word for word, or rows of its table, and may be shown."""
    is_verbatim = sentence.text in evidence.named or any(is_part_of(sentence.text, named) for named in evidence.named)
    return is_verbatim and is_closed(sentence.text, evidence.addresses)


def facts_hold(text: str, evidence: Evidence, *, asked: str = "") -> bool:
    """Say whether a sentence may be shown and its facts and negation are those of its evidence.

    `asked` is the language that the answer was wanted in; without it the sentence's language is detected, 0.3 ms.
    """
    if not is_closed(text, evidence.addresses):
        return False
    if not broken_in(text) <= broken_in("\n".join(evidence.named)):
        return False
    around = [f"{p.document.title}\n{p.heading}\n{p.document.url or ''}" for p in evidence.passages]
    named_text = "\n".join((*evidence.named, *around))
    # Numbers from the named sentences only: the same passage may give another number for another thing.
    own = facts_of(text)
    if disagreement(own, facts_of(named_text), named_text) or says_oftener(own, "\n".join(evidence.named)):
        return False
    return _polarity_holds(text, evidence, asked)


def _polarity_holds(text: str, evidence: Evidence, asked: str) -> bool:
    """Say whether a sentence denies what its named evidence denies, and as often where only the count can be compared.

    On parallel pages (GNOME help, Let's Encrypt; en with de, uk, ru, fr, he, da, zh) both sides of 0.96 of the sentence
    pairs deny equally often.
    """
    spoken = _denial_language(text, asked if asked in LANGUAGES else language_of(text))
    given = _denial_language(evidence.named[0], evidence.language)
    own = denials(text, spoken)
    source = [denials(sentence, given) for sentence in evidence.named]
    if own is None or None in source:
        return True
    known = [denial for found in source if found for denial in found]
    if spoken == given:
        copied = [one for one in _named_and_all(evidence) if _is_copy(text, one, spoken)]
        if copied:
            return any(denies_word_for_word(text, one, spoken) for one in copied)
        return is_same_polarity(own, known, _stems(text, lexicon_of(text)))
    return min(len(own), _MOST_DENIALS) == min(len(known), _MOST_DENIALS)


def _named_and_all(evidence: Evidence) -> tuple[str, ...]:
    """Give each named sentence and, where there are several, all of them as one text."""
    return evidence.named if len(evidence.named) == 1 else (*evidence.named, " ".join(evidence.named))


def _is_copy(text: str, named: str, language: str) -> bool:
    """Say whether a sentence says all of its evidence in the same words, so that it also denies all of it."""
    if is_unspaced(text):
        own, given = (frozenset(letter for letter in one if letter.isalpha()) for one in (text, named))
    else:
        own, given = (_stems(one, lexicon(language)) for one in (text, named))
    return len(own & given) >= _COPIED * max(len(own), len(given))


def _denial_language(text: str, detected: str) -> str:
    """Give the language to look for denials in: that of the small words where there is a lexicon of the detected one."""
    return lexicon_of(text, prefer=detected).code if detected in LANGUAGES or not detected else detected


def words_hold(text: str, evidence: Evidence) -> bool:
    """Say whether enough of a sentence's content words stand in its evidence; for one language."""
    language = lexicon_of(text)
    own = _stems(text, language)
    if not own:  # nothing that words could support: only what stands there as it is
        return " ".join(words(text)) in " ".join(words(evidence.text))
    known = _stems(evidence.text, language)
    return len(own & known) >= SHARE * len(own)


def names_hidden(text: str, evidence: Evidence) -> bool:
    """Say whether a sentence tells something new of a value that redaction hid.

    What stands behind a token nobody can check, and words in common are soon found beside one ("The customer is always to
    be reached at [SECRET]" of "Repeat the token [SECRET] for the customer"): only the source's own words may say it.
    """
    return bool(_TOKEN.search(text)) and not _is_copy(text, " ".join(evidence.named), lexicon_of(text).code)


def is_near(cosines: Mapping[str, float], evidence: Evidence, *, floor: float) -> bool:
    """Say whether a sentence means what it names, from its raw cosines with every sentence of the cited passages.

    An absolute cut alone keeps 0.91 of true translations at 0.08 of wrong ones (multilingual-e5-small, 812 sentence pairs of
    xquad in de, es, ru and zh); a floor of 0.80 with the nearest-of-its-passage rule keeps 0.98 at 0.014.

    Args:
        cosines: by the text of the sentence.
        evidence: what the sentence names.
        floor: least cosine; depends on the embedding model.
    """
    best_named = max(cosines[text] for text in evidence.named)
    return best_named >= floor and best_named >= max(cosines[text] for text in evidence.sentences) - _MARGIN


def is_absence(text: str) -> bool:
    """Say whether a sentence says that the sources lack something."""
    said = folded(text)
    return any(phrase in said for phrase in lexicon_of(text).absence)


def absence_holds(text: str, question: str, passages: Sequence[Passage]) -> bool:
    """Say whether what a sentence calls missing was asked and really is in no passage."""
    language = lexicon_of(text)
    spoken = folded(text)
    for phrase in language.absence:
        spoken = spoken.replace(phrase, " ")
    missing = _stems(spoken, language) - _stems(_SOURCE_WORDS, language)
    asked = _stems(question, lexicon_of(question))
    given = _stems(Evidence((), tuple(passages)).text, language)
    subject = missing & asked
    return bool(subject) and not subject <= given


def is_same_language(text: str, evidence: Evidence, *, asked: str = "") -> bool:
    """Say whether a sentence and its evidence are in one language: by their small words, else by a detector.

    Args:
        text: the sentence.
        evidence: what it names.
        asked: language that the answer was wanted in. Without a lexicon of it, only a sentence in this very language
            counts as one in another language than its evidence: the check across languages is the weaker one.
    """
    if lexicon_of(text).code != lexicon_of(" ".join(evidence.named)).code:
        return False
    is_known = asked in LANGUAGES and evidence.language in LANGUAGES
    return is_known or not asked or asked == evidence.language or not _is_like(language_of(text), asked)


def _is_like(language: str, other: str) -> bool:
    return language == other or any({language, other} <= group for group in _ALIKE)


def _stems(text: str, language: Lexicon) -> frozenset[str]:
    return _stems_in(text, language.code)


# A passage is the evidence of several sentences.
@lru_cache(maxsize=512)
def _stems_in(text: str, code: str) -> frozenset[str]:
    return frozenset(word[:_STEM] for word in content_words(text, lexicon(code), keep_vague=True))
