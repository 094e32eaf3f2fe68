"""What pings, dials or hides where it leads can be read, and no longer acts."""

import pytest

from bot.checks.closed_output import has_active_markup, has_mention, is_closed
from bot.checks.inert import broken_in, inert, inert_ranking, with_brackets
from retrieval.passages import Band, Ranking
from retrieval.redaction import RedactedText
from tests.fakes import make_passage

Z = "\u200b"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Tell <!channel> first.", f"Tell <{Z}!channel> first."),
        ("Tell <!here|here> first.", f"Tell <{Z}!here|here> first."),
        ("Ask <@U0BEN> or <!subteam^S0X|@ops>.", f"Ask <{Z}@U0BEN> or <{Z}!subteam^S0X|@ops>."),
        ("Cards say <at>Ben</AT>.", f"Cards say <{Z}at>Ben<{Z}/AT>."),
        ("Write @channel, @Here and @team.", f"Write @{Z}channel, @{Z}Here and @{Z}team."),
        ("<!<b reset <! @here it", f"<{Z}!<b reset <{Z}! @{Z}here it"),
        ("Begin with `<!DOCTYPE html>`.", f"Begin with `<{Z}!DOCTYPE html>`."),
        (f"Already <{Z}!channel> @{Z}here.", f"Already <{Z}!channel> @{Z}here."),
        ("On <https://a.example/b|the page> of it.", "On the page (https://a.example/b) of it."),
        ("On <https://a.example/b|https://a.example/b>.", "On https://a.example/b."),
        ('See <a class="x" href="https://a.example/b">the page</a>.', "See the page (https://a.example/b)."),
        ("Call <tel:+49301|+49301> or [us](tel:+49301).", "Call +49301 or us (+49301)."),
        ("It is file:///C:/till and tel:+49301.", f"It is file{Z}:///C:/till and tel{Z}:+49301."),
    ],
)
def test_it_can_be_shown(text: str, shown: str) -> None:
    """Each form is there to be read, passes the check of closed output, and stays the same a second time."""
    said = inert(RedactedText.stored(text))
    assert said == shown
    assert inert(said) == said
    assert is_closed(said, ("https://a.example/b",))


@pytest.mark.parametrize(
    "text",
    [
        "Write to user@here.example and read it, a < b.",
        "The file: report.txt",
        "<https://evil.example|https://help.example.com/reset>",
        "<https://evil.example|help.example.com>",
        "<slack://open|open it>",
        '<a href="https://evil.example">www.help.example</a>',
        "<img src=x onerror=y>",
        "javascript:alert(1)",
    ],
)
def test_the_rest_stays_as_it_is(text: str) -> None:
    """Plain text is not touched; images, scripts, acting schemes and links that say they lead elsewhere stay barred."""
    assert inert(RedactedText.stored(text)) == text


def test_brackets_are_shown_as_written_where_they_are_escaped() -> None:
    """The sign comes back whole for whoever escapes it; a bare "@here" stays broken."""
    text = "Tell <!channel>, <at>Ben</at> and @here in List<@NonNull T>."
    assert with_brackets(inert(RedactedText.stored(text))) == text.replace("@here", f"@{Z}here")


def test_pings_are_named() -> None:
    """Those of a sentence can be looked for in its source."""
    said = inert(RedactedText.stored("Tell <!channel> and @Here in <at>Ben</at>."))
    assert broken_in(said) == {f"<{Z}!channel", f"@{Z}here", f"<{Z}at", f"<{Z}/at"}
    assert broken_in(inert(RedactedText.stored("It is (file:///C:/till)."))) == {f"file{Z}:///c:/till"}
    assert broken_in("Tell <b>all</b> of it to a@here.example.") == frozenset()


def test_evidence_is_inert_and_the_rest_untouched() -> None:
    """A passage without pings is the very same; in the other every sentence keeps its place and nearness."""
    plain, loud = make_passage("a", "Restart the hub."), make_passage("b", "Restart it.", "Tell <!channel> so.")
    found = inert_ranking(Ranking((plain, loud), Band.ANSWERED, 0.5, 0.3, "i", "c")).passages
    assert found[0] is plain
    assert [s.text for s in found[1].sentences] == ["Restart it.", f"Tell <{Z}!channel> so."]
    assert [s.nearness for s in found[1].sentences] == [s.nearness for s in loud.sentences]
    assert not any(has_mention(s.text) or has_active_markup(s.text) for p in found for s in p.sentences)
