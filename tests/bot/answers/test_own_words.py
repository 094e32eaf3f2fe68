"""An answer to a follow-up holds something of the follow-up's own words."""

import pytest

from bot.answers.own_words import is_of_thread_alone
from bot.messages import NoticeKind
from tests.bot.flow_kit import Conversation, card
from tests.fakes import FakePassageSource, make_passage

DOMAIN = make_passage(
    "kb-1", "Open the console and add a custom domain, also for phones with Android. One operation.", relevance=0.9
)
GERMAN = make_passage(card("kb-2", lang="de"), "Domains stehen unter Einstellungen.", relevance=0.9)
BEFORE = "How do I add a custom domain?"


@pytest.mark.parametrize(
    ("asked", "is_alone"),
    [
        ("next track", True),
        ("what's my apr rate", True),
        ("and on Android?", False),
        ("why?", False),
        ("and when is that impossible?", False),
        ("a rate?", True),  # no part of "operation"
        ("How do I delete my account?", False),
    ],
)
def test_follow_ups_that_found_only_their_thread(asked: str, is_alone: bool) -> None:
    """Without words of its own a follow-up means its thread, and a question that stands alone found what it found."""
    assert is_of_thread_alone(asked, [BEFORE], [DOMAIN], "en") is is_alone
    assert not is_of_thread_alone(asked, [], [DOMAIN], "en")
    assert not is_of_thread_alone(asked, [BEFORE], [DOMAIN, GERMAN], "en")


def test_another_ending_is_the_same_word() -> None:
    """A language that inflects has another form in the source; Chinese has no blanks between words."""
    polish = make_passage(card("kb-3", lang="pl"), "Powstaje nowa wartość, a stara działa jeszcze 24 godziny.")
    assert not is_of_thread_alone("a stary?", ["Jak wymienić klucz API na nowy?"], [polish], "pl")
    chinese = make_passage(card("kb-4", lang="zh"), "在手机上打开设置。")
    assert not is_of_thread_alone("那手机上呢？", ["如何重置密码？"], [chinese], "zh")
    assert is_of_thread_alone("那发票呢？", ["如何重置密码？"], [chinese], "zh")


async def test_an_answer_that_only_repeats_the_thread_is_uncertain() -> None:
    """One that holds the new word is plain."""
    thread = Conversation(FakePassageSource(DOMAIN))
    await thread.ask(BEFORE)
    unsure = await thread.ask("next track")
    assert [notice.kind for notice in unsure.notices] == [NoticeKind.UNCERTAIN]
    assert not (await thread.ask("and on Android?")).notices
