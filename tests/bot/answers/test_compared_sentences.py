"""Two sentences are read as statements only where that can bring anything, and nothing is lost by it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import config
from bot.answers.compared_sentences import Read, compared
from bot.answers.disagreement import CERTAIN
from retrieval.documents import Document, split_sentences
from retrieval.validation import Relation
from retrieval.validation.compare import compare
from retrieval.validation.number_words import SPAN_CUES, SPANS
from retrieval.validation.statements import Statement, statements_of
from retrieval.validation.telling import telling_of
from tests.retrieval.validation.desk import Kind, planted

ARTICLES = Path(config.__file__).parent / "sample" / "articles"


def _reads(document: Document) -> list[Read]:
    return [
        Read(document.id, text, f"{document.title}\n", document.lang, document.product)
        for text in split_sentences(document.evidence)
    ]


def _statements(read: Read) -> tuple[Statement, ...]:
    return statements_of(read.document, read.text, about=read.about, lang=read.lang, scope=read.scope)


def _sentences() -> Iterator[str]:
    for path in sorted(ARTICLES.glob("*.md")):
        yield from split_sentences(path.read_text("utf-8"))
    for kind in ("conflicts", "variants", "rewordings"):
        for pair in planted(kind):
            yield from split_sentences(f"{pair.first.evidence}\n{pair.second.evidence}")


def test_whatever_can_be_compared_is_told_before_it_is_read() -> None:
    """Every sentence of the sample and of the planted tickets with a value, a yes or a no is told to have one; half have none."""
    told = []
    for text in _sentences():
        found, telling = statements_of("", text), telling_of(text)
        told.append(any(telling))
        assert telling.has_value or not any(one.values for one in found), text
        assert telling.has_pole or not any({"yes", "no"} & one.signals for one in found), text
    assert sum(told) < 0.8 * len(told)


@pytest.mark.parametrize("kind", ["conflicts", "variants", "rewordings"])
def test_no_contradiction_is_lost(kind: Kind) -> None:
    """What two planted tickets say against each other is found as if every sentence of both had been read."""
    for pair in planted(kind):
        for ours in _reads(pair.first):
            for theirs in _reads(pair.second):
                found = [compare(a, b, {}) for a in _statements(ours) for b in _statements(theirs)]
                wanted = [c for c in found if c.relation is Relation.CONTRADICT and c.certainty >= CERTAIN]
                given = compared(ours, theirs, is_one_title=False, is_time=False)
                assert [c for c in given if c.relation is Relation.CONTRADICT and c.certainty >= CERTAIN] == wanted


def test_every_length_of_time_has_a_cue() -> None:
    """Each way to say one of `SPANS` holds one of `SPAN_CUES`, so that no text is passed over."""
    for pattern, _ in SPANS:
        for form in re.split(r"\|(?=\\b)", pattern.pattern):
            assert any(cue in form for cue in SPAN_CUES), form


def test_plain_sentences_are_not_read() -> None:
    """Without a value, a yes or no on both sides nothing is compared; lines of settings are."""
    plain, other = (Read(name, "Open the page of the printer.", "Printer\n", "en", "") for name in "ab")
    assert compared(plain, other, is_one_title=False, is_time=False) == ()
    assert not any(telling_of(plain.text))
    assert telling_of("Default: `true`").has_setting
    assert telling_of("It takes a month.").has_value
    assert telling_of("Open Oil > Pumps.").has_value
    assert telling_of("No, it is not.").has_pole
