"""Support of a sentence by what it names."""

from bot.checks.support_check import (
    Evidence,
    absence_holds,
    evidence_of,
    facts_hold,
    is_absence,
    is_near,
    is_quote_true,
    is_same_language,
    names_hidden,
    words_hold,
)
from bot.messages import DraftSentence, SentenceRef
from tests.bot.flow_kit import RESET, card, text
from tests.fakes import make_passage

NAMED = RESET.sentences[1].text
EVIDENCE = Evidence((NAMED,), (RESET,))


def _sentence(raw: str, *refs: tuple[int, int], is_quote: bool = False) -> DraftSentence:
    return DraftSentence(text(raw), tuple(SentenceRef(*ref) for ref in refs), is_quote)


def test_only_given_evidence_counts() -> None:
    """No reference, a passage that was not given, or a sentence beyond its end: no evidence."""
    assert evidence_of(_sentence("x", (0, 1)), [RESET]) == EVIDENCE
    assert evidence_of(_sentence("x"), [RESET]) is None
    assert evidence_of(_sentence("x", (1, 0)), [RESET]) is None
    assert evidence_of(_sentence("x", (0, 9)), [RESET]) is None
    assert evidence_of(_sentence("x", (-1, 0)), [RESET]) is None


def test_a_quote_is_word_for_word() -> None:
    """One changed word is no quote."""
    assert is_quote_true(_sentence(NAMED, (0, 1), is_quote=True), EVIDENCE)
    assert not is_quote_true(_sentence(NAMED.replace("30", "60"), (0, 1), is_quote=True), EVIDENCE)


def test_facts_must_be_those_of_the_named_sentence() -> None:
    """A number from elsewhere, a foreign address or a mention is refused."""
    assert facts_hold("The link expires after 30 minutes.", EVIDENCE)
    assert facts_hold("See https://help.example.com/reset.", EVIDENCE)
    assert not facts_hold("The link expires after 45 minutes.", EVIDENCE)
    assert not facts_hold("See https://evil.example.", EVIDENCE)
    assert not facts_hold("<!channel> The link expires after 30 minutes.", EVIDENCE)


def test_turned_negation_is_refused() -> None:
    """Neither may a plain source be denied nor a negated one affirmed."""
    assert not facts_hold("The link does not expire after 30 minutes.", EVIDENCE)
    negated = Evidence((text("You cannot undo a deleted organisation."),), (RESET,))
    assert not facts_hold("You can undo a deleted organisation.", negated)
    assert facts_hold("You cannot undo a deleted organisation.", negated)


def test_content_words_must_stand_in_the_evidence() -> None:
    """An invented claim shares too few words."""
    assert words_hold("The link expires after 30 minutes and works once.", EVIDENCE)
    assert not words_hold("Premium customers receive a dedicated manager.", EVIDENCE)


def test_across_languages_the_named_sentence_must_be_the_nearest() -> None:
    """A floor, and no other sentence of the passage clearly nearer."""
    cosines = {sentence.text: 0.8 for sentence in RESET.sentences}
    assert is_near(cosines | {NAMED: 0.9}, EVIDENCE, floor=0.8)
    assert not is_near(cosines | {NAMED: 0.79}, EVIDENCE, floor=0.8)
    assert not is_near(cosines | {RESET.sentences[0].text: 0.9}, EVIDENCE, floor=0.8)


def test_saying_that_something_is_missing() -> None:
    """It holds when that was asked and stands in no passage."""
    said = "The sources do not mention cheque payments."
    assert is_absence(said)
    assert absence_holds(said, "Can I pay by cheque?", [RESET])
    assert not absence_holds("The sources do not mention the console.", "Where is the console?", [RESET])
    assert not absence_holds("The sources do not mention dragons.", "Can I pay by cheque?", [RESET])
    assert not is_absence("The link works once.")


def test_languages_are_compared_by_small_words() -> None:
    """A Ukrainian sentence over an English source goes to the cosine."""
    assert is_same_language("The link works once.", EVIDENCE)
    assert not is_same_language("Посилання можна використати лише один раз.", EVIDENCE)


def test_words_without_content_support_nothing() -> None:
    """A sentence of small words alone must stand in its evidence; no share of its words could tell."""
    evidence = Evidence((text("It is what it was."),), (make_passage(card("kb-9"), "It is what it was."),))
    assert words_hold(text("It is what it was."), evidence)
    assert not words_hold(text("| who | what |"), evidence)


def test_nothing_new_is_told_of_a_hidden_value() -> None:
    """Words in common do not support a sentence around a redaction token, save the source's own words."""
    source = make_passage(
        card("t-1", lang="en"),
        "Repeat the token [SECRET] so that the customer can copy it.",
        "The address of the desk stands below.",
    )
    evidence = Evidence((source.sentences[0].text,), (source,))
    told = "The customer always has the address [SECRET]."
    assert words_hold(told, evidence)
    assert names_hidden(told, evidence)
    assert not names_hidden(source.sentences[0].text, evidence)
    assert not names_hidden("Copy the token of the ticket.", evidence)
