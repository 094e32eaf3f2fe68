"""Fuzz targets: the doors' decoders take any text, and no text that a model or a source writes acts when it is posted."""

import re
from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.adapters.slack.render import TEXT_LIMIT
from bot.adapters.slack.render import render as render_slack
from bot.adapters.slack.split import size
from bot.adapters.slack.wire_form import decode, rich_text
from bot.adapters.teams.activity import file_names, is_mentioned, plain_text
from bot.adapters.teams.render import LIMIT_UNITS
from bot.adapters.teams.render import render as render_teams
from bot.checks.closed_output import shown_title, unlinked
from bot.messages import Answer, Citation, Mode, Notice, NoticeKind, Outcome, Reply, Triage
from retrieval.redaction import RedactedText
from tests.attacks.wire import read_mrkdwn, read_slack, read_teams
from tests.attacks.world import message_of
from tests.peers.slack_blocks import refusal_of_blocks

# Pieces that mean something to one of the platforms, to be put together in any order with anything between.
PIECES = (
    "<", ">", "<!", "<@", "<#", "|", "&", "&lt;", "&gt;", "&amp;", "&amp;lt;", "!", "@", "here", "channel", "everyone",
    "@here", "<!channel>", "<!here|x>", "<@U0ADMIN>", "<#C0EXEC|x>", "<!subteam^S0OPS|x>", "<!date^0^{date}^https://evil.example|x>",
    "<at>", "</at>", "<at>Everyone</at>", '<at id="0">', "![", "](", ")", "[", "]", "![x](https://evil.example/p.png)",
    "[x](https://evil.example)", "[x][y]", "[y]: https://evil.example", "<https://evil.example|https://help.example>",
    "https://", "http://", "//", "www.", "evil.example", "javascript:", "mailto:", "<img src=x>", "<a href=x>", "<script>",
    "```", "~~~", "````", "`", "``", "    ", "\n", "\n\n", "\r\n", "| a | b |", "|---|---|", "\n| a | b |\n|---|---|\n| c | d |\n",
    "*", "_", "~", "#", "> ", "\\", "\\\\", "\u200b", "\u2028", "\x00", "\u202e", "ａ＠ｈｅｒｅ", "＜!channel＞", "слово", "word ",
)  # fmt: skip
HOSTILE = st.lists(st.sampled_from(PIECES) | st.text(max_size=6), max_size=24).map("".join)
LONG = st.tuples(HOSTILE, st.integers(1, 400), HOSTILE).map(lambda t: (t[0] + " ") * t[1] + t[2])
FAST = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
ASKED = message_of("How long is the export link valid?")


def _reply(text: str, *, name: str = "", is_command: bool = False) -> Reply:
    sealed = RedactedText.stored
    citation = Citation(1, "kb-1", "article", sealed(name), "https://help.example.com/a", "2026-01-01", sealed(name))
    answer = Answer(
        Outcome.ANSWERED, sealed(text), "en", "r1",
        citations=(citation,),
        notices=(Notice(NoticeKind.UNCERTAIN, (), sealed(name)),),
        triage=Triage(name, 0.8, ("t-1",), sealed(name), ("t-1",)),
        mode=Mode.MODEL,
    )  # fmt: skip
    message = replace(
        ASKED, is_command=is_command, text=sealed(name or "x"), routing=(("files", name.replace("\n", " ")),)
    )
    return Reply(message, answer)


def _fences(text: str) -> int:
    """Count the fences that are open at the end, as CommonMark counts them."""
    fence = ""
    for line in text.split("\n"):
        mark = re.match(r" {0,3}(`{3,}|~{3,})([^\n]*)", line)
        if not fence and mark and not (mark[1][0] == "`" and "`" in mark[2]):
            fence = mark[1]
        elif fence and mark and mark[1][0] == fence[0] and len(mark[1]) >= len(fence) and not mark[2].strip():
            fence = ""
    return bool(fence)


@FAST
@given(text=HOSTILE | LONG, name=HOSTILE, is_command=st.booleans())
def test_slack_messages_hold(text: str, name: str, is_command: bool) -> None:
    """No mention, image, hidden link or open fence, every part within Slack's limits, and Slack takes the blocks."""
    for part in render_slack(_reply(text, name=name, is_command=is_command)):
        seen, plain = read_slack(part.markdown), read_mrkdwn(part.text)
        assert (seen.pings, seen.loads, plain.pings) == ((), (), ())
        assert not _fences(part.markdown)
        assert refusal_of_blocks(part.blocks()) == ""
        assert size(part.markdown) <= 12_000
        assert len(part.text) <= TEXT_LIMIT


@FAST
@given(text=HOSTILE | LONG, name=HOSTILE)
def test_teams_messages_hold(text: str, name: str) -> None:
    """No mention, image, HTML or open fence, and every part within Teams' limit."""
    for part in render_teams(_reply(text, name=name)):
        seen = read_teams(part.text)
        assert [ping for ping in seen.pings if "at" in ping.casefold() and "<" in ping] == []
        assert seen.loads == ()
        assert not _fences(part.text)
        assert size(part.text) <= 2 * LIMIT_UNITS


@FAST
@given(name=HOSTILE)
def test_names_lead_nowhere(name: str) -> None:
    """A title, a queue, a file name or a command's echo holds no address that a client makes a link of."""
    for part in render_slack(_reply("Fine.", name=name, is_command=True)):
        links = {*read_slack(part.markdown).links, *read_mrkdwn(part.text).links}
        assert links <= {"https://help.example.com/a"}
    title = shown_title(name)
    assert read_slack(title).pings == read_teams(title).loads == ()
    assert read_slack(title).links == read_slack(unlinked("see https://x.example and www.x.example")).links == ()


@FAST
@given(text=HOSTILE | LONG)
def test_the_decoders_take_anything(text: str) -> None:
    """Slack's and Teams' decoders end, give text, never our own mention, and read what they gave as text alone."""
    decoded = decode(text, own_user_id="U0BOT")
    assert "<@U0BOT>" not in decoded
    elements = [
        {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [{"type": "text", "text": text}]}]}
    ]
    assert isinstance(rich_text({"blocks": elements}, own_user_id="U0BOT"), str)
    activity = {
        "text": text,
        "recipient": {"id": "28:bot", "name": text[:20]},
        "attachments": [{"name": text}],
        "entities": [text],
    }
    without = text.replace("<", "").replace("&", "")  # "&lt;at>" is the asker's own words, once decoded
    assert "<at>" not in plain_text({**activity, "text": f"<at>Ana</at> {without}"})
    assert isinstance(is_mentioned(activity), bool)
    assert all(isinstance(name, str) for name in file_names(activity))
