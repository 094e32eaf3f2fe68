"""Error codes decide between sources."""

import pytest

from bot.messages import NoticeKind, Outcome
from bot.questions.codes import codes_of, ids_of, is_code_missing, is_only_code, with_codes
from tests.bot.flow_kit import ask
from tests.fakes import FakePassageSource, make_passage

DRAWER = make_passage("kb-144", ("TL-5207 means that the drawer did not open.", 0.88))
READER = make_passage("kb-106", ("TL-4012 means that the reader is not paired.", 0.84))


def test_codes_are_words_of_letters_and_digits() -> None:
    """Numbers, versions and plain words are none."""
    assert codes_of("Fehler TL-4012 und 0x80070005 in 2.4 nach 30 Tagen, iPad") == {"tl-4012", "0x80070005"}


@pytest.mark.parametrize(
    "text",
    [
        "Can my system run MQ V8.0 on 8.5.x or 10.0beta?",
        "after FP11 and IE11 with TLS1.2",
        "a 64-bit system, my 16-digit number, 500GB, the 30th, 12-month",
        "cells/dmgrCell01/nodes/dmgrNode01 fails",
        "at Servlet.java:837 on node01.example.com",
    ],
)
def test_what_only_looks_like_a_code(text: str) -> None:
    """A version, a count, a path, a line of a file or a host decides between no sources."""
    assert codes_of(text) == frozenset()


def test_codes_that_share_a_word() -> None:
    """Each of them counts by itself."""
    assert codes_of("TL-4012/TL-4013") == {"tl-4012", "tl-4013"}
    assert codes_of("SQLSTATE 42P01, CVE-2018-6551, SRVE0014E") == {"42p01", "cve-2018-6551", "srve0014e"}


async def test_a_version_does_not_choose_the_source() -> None:
    """The nearest source answers, plainly, also where only another one names the version."""
    right = make_passage("kb-1", ("Remove the instance with the option -r.", 0.9), relevance=0.97)
    other = make_passage("kb-2", ("Release V9.0 supports this printer.", 0.5), relevance=0.2)
    answer = await ask("What happens when I remove an instance of V9.0?", FakePassageSource(right, other))
    assert [citation.id for citation in answer.citations] == ["kb-1"]
    assert not answer.notices


def test_sources_with_the_code_are_the_evidence() -> None:
    """Others are left out when one has it."""
    codes = codes_of("TL-4012 on the till")
    assert with_codes([DRAWER, READER], codes) == (READER,)
    assert with_codes([DRAWER], codes) == (DRAWER,)
    assert is_code_missing([DRAWER], codes)
    assert not is_code_missing([DRAWER, READER], codes)
    assert not is_code_missing([DRAWER], frozenset())


def test_a_question_may_be_nothing_but_a_code() -> None:
    """Vague words beside it do not make a subject."""
    assert is_only_code("error TL-9210?", codes_of("error TL-9210?"))
    assert not is_only_code("TL-9210 on the printer", codes_of("TL-9210 on the printer"))


async def test_the_flow_answers_by_the_code() -> None:
    """With it; uncertain without it; nothing found when the code was all that was asked."""
    source = FakePassageSource(DRAWER, READER)
    assert [c.id for c in (await ask("Error TL-4012 at the till", source)).citations] == ["kb-106"]
    unsure = await ask("Error TL-9210 at the drawer", source)
    assert [notice.kind for notice in unsure.notices] == [NoticeKind.UNCERTAIN]
    assert (await ask("TL-9210", source)).outcome is Outcome.NO_MATCH


@pytest.mark.parametrize(
    ("question", "ids"),
    [
        ("please open kb-103", ("kb-103", "KB-103")),
        ("T-2002?", ("T-2002", "t-2002")),
        ("what does guide/reset say", ("guide/reset", "GUIDE/RESET")),
        ("20417", ("20417",)),
        ("error 20417 again", ()),
        ("0", ()),
        ("How do I reset my password?", ()),
    ],
)
def test_what_may_be_an_id_of_a_source(question: str, ids: tuple[str, ...]) -> None:
    """Words with a digit or a mark inside, in the usual spellings; a plain number only alone."""
    assert ids_of(question) == ids
