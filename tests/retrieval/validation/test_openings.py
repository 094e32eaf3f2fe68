"""What a word must begin with before an expression is searched for."""

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from retrieval.validation import opposites, roles
from retrieval.validation.number_words import SPANS
from retrieval.validation.openings import Openings, beginnings

_EXPRESSIONS = [
    *(one for words in opposites.expressions().values() for one in words),
    *(one for words in roles.CUES.values() for one in words),
    *(pattern.pattern for pattern, _ in SPANS),
]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("immediate(?:ly)?", {"imme"}),
        ("at once(?= when)", {"at o"}),
        (r"\bcolou?rs?", {"colo"}),
        ("seule?s?", {"seul"}),
        ("n[uo]r", {"nur", "nor"}),
        ("(?:la|el)? ?mes", {"lame", "elme", "la m", "el m", "mes", " mes"}),
        (r"\w*inhaber", {"", "inha"}),
        (r"за (?:\w+ )?плату", {"за п", "за "}),
        ("a|(?P<role>admins)", {"a", "admi"}),
        ("x{0,2}yes|n{2}o", {"x", "yes", "n"}),
        (r"e\.g", {"e.g"}),
        ("(?:a+)b", {"a"}),
    ],
)
def test_a_beginning_is_as_long_as_it_is_known(expression: str, expected: set[str]) -> None:
    """Optional letters, groups, classes and repeats are followed; what may be anything ends it."""
    assert set(beginnings(expression)) == expected


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_no_match_begins_otherwise(data: st.DataObject) -> None:
    """Whatever an expression of the tables matches from the first letter of a word on begins as one of its beginnings."""
    expression = data.draw(st.sampled_from(_EXPRESSIONS))
    said = data.draw(
        st.from_regex(expression, fullmatch=True).filter(lambda text: re.match(r"[^\W\u3000-\uffff]", text))
    )
    assert any(map(said.startswith, beginnings(expression)))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("sign in, then pay", set()),
        ("(only here)", {"only"}),
        ("'at once'", {"now"}),
        ("commonly said", set()),
        ("", set()),
        ("only at once", {"only", "now"}),
    ],
)
def test_only_the_beginning_of_a_word_counts(text: str, names: set[str]) -> None:
    """Brackets and quotes stand before a word; letters within one do not begin it."""
    assert Openings({"only": ["only"], "now": ["at once", "immediate(?:ly)?"]}).names_in(text) == names
