"""A quote about another version is no plain answer."""

import pytest

from bot.answers.other_versions import is_of_other_versions
from bot.messages import NoticeKind
from tests.bot.flow_kit import ask
from tests.fakes import FakePassageSource, make_passage


@pytest.mark.parametrize(
    ("question", "quoted", "around", "is_other"),
    [
        ("Install Portal 8.5x on AIX 7.0", "Portal Version 6.1.0.5 and 6.1.5.2 needs these levels.", "", True),
        ("Upgrade to 16.04", "sudo do-release-upgrade -d brings you to 13.04", "", True),
        ("Does V9 run there?", "Release v8.0.1 runs on Linux.", "", True),
        ("Does V9 run there?", "Release 9.0.1 runs on Linux.", "", False),
        ("Fails after 7.0.0.37", "Any V7.0 fix pack, unlike 6.1, can be upgraded.", "", False),
        ("Install Portal 8.5", "Version 6.1 is no longer supported.", "Portal 8.5 and 6.1", False),
        ("Install Portal 8.5", "Start the installer as root.", "Version 6.1", False),
        ("Does it run on Android 14.0?", "| system | minimum version |\n| Android | 10.0 |", "", False),
        ("Läuft es auf Android 14.0?", "Ab Android 10.0 oder neuer läuft die App.", "", False),
        ("Працює на Android 14.0?", "Потрібен Android 10.0 або новіший.", "", False),
        ("Install Portal", "Version 6.1 is no longer supported.", "", False),
        ("The sync takes 2.5 hours", "It takes 1.5 hours at most.", "", False),
        ("Why was 9.99 charged on 12.05.2024?", "From 01.06.2024 the plan costs €10.99.", "", False),
    ],
)
def test_versions_are_compared_by_their_first_number(question: str, quoted: str, around: str, is_other: bool) -> None:
    """Only where both name some, and what stands around the quote none of those asked for; no amounts and dates."""
    assert is_of_other_versions(question, quoted, around) is is_other


async def test_an_answer_about_another_version_is_uncertain() -> None:
    """However relevant its source is; one about the version that was asked for is plain."""
    old = make_passage("kb-1", "On Android version 6.1 open Settings and choose Install.", relevance=0.9)
    new = make_passage("kb-2", "On Android version 14.1 open Settings and choose Install.", relevance=0.9)
    unsure = await ask("How do I install it on Android version 14.2?", FakePassageSource(old))
    assert [notice.kind for notice in unsure.notices] == [NoticeKind.UNCERTAIN]
    assert not (await ask("How do I install it on Android version 14.2?", FakePassageSource(new))).notices
