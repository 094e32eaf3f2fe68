"""What is read before an answer, and what after it."""

from bot.adapters.slack.render import render as slack_render
from bot.adapters.teams.render import render as teams_render
from bot.answers.notice_order import notices_above, notices_below
from bot.messages import Answer, Notice, NoticeKind, Outcome, Reply
from scripts.console import as_text
from tests.bot.flow_kit import message, text

DOUBT = Notice(NoticeKind.UNCERTAIN, (), text("I am not certain."))
HELD = Notice(NoticeKind.UNCERTAIN, (), text("A source is held back."))
BROKEN = Notice(NoticeKind.INCIDENT, (), text("Payments are down."))
OLD = Notice(NoticeKind.STALE, (), text("The article has expired."))
ANSWER = Answer(
    outcome=Outcome.ANSWERED,
    text=text("“Open the console.” [1]"),
    language="en",
    request_id="r",
    notices=(DOUBT, OLD, HELD, BROKEN),
)


def test_incidents_and_the_first_doubt_stand_above() -> None:
    """The others keep their order below; nothing is lost or said twice."""
    assert notices_above(ANSWER) == (BROKEN, DOUBT)
    assert notices_below(ANSWER) == (OLD, HELD)


def test_every_door_says_so_before_the_answer() -> None:
    """Slack, Teams and the console: doubt first, then the quote, then what else must be known."""
    reply = Reply(message("q"), ANSWER)
    shown = (
        "\n".join(part.markdown for part in slack_render(reply)),
        "\n".join(str(part) for part in teams_render(reply)),
        as_text(ANSWER),
    )
    for said in shown:
        places = [
            said.index(words)
            for words in ("Payments are down", "not certain", "Open the console", "expired", "held back")
        ]
        assert places == sorted(places)
