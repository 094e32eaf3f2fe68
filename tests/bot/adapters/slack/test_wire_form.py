"""Slack's wire form, decoded once (case A6)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.adapters.slack.wire_form import decode, mentions, rich_text
from tests.bot.adapters.slack.conftest import Desk
from tests.peers.slack_payloads import BOT, event_body, mention, message

CASE_A6 = (
    "error &lt;timeout&gt; &amp; retry on <http://app.example.com/a?x=1&amp;y=2|app.example.com>"
    " mail <mailto:pat@example.com|pat@example.com>, ask <@U0BEN> in <#C0DEV|dev>"
)


async def test_field_case_is_decoded_before_redaction(desk: Desk) -> None:
    """Entities, link, mail, mention and channel are decoded; ours is gone, the mail address is redacted."""
    await desk.event(event_body(mention(CASE_A6)))
    assert desk.queue.messages[0].text == (
        "error <timeout> & retry on app.example.com (http://app.example.com/a?x=1&y=2) mail [EMAIL], ask @U0BEN in #dev"
    )


@pytest.mark.parametrize(
    ("wire", "shown"),
    [
        ("&amp;lt;b&amp;gt;", "&lt;b&gt;"),
        ("&lt;@U0BOT&gt; is text", "<@U0BOT> is text"),
        ("<@U0BOT|triage>: why?", "why?"),
        ("hey <@U0BOT>, why <@U0BOT>", "hey , why"),
        ("<@U0BEN|ben> said", "@ben said"),
        ("<https://a.example/x>", "https://a.example/x"),
        ("<https://a.example/x|https://a.example/x>", "https://a.example/x"),
        ("<https://a.example|docs &amp; more>", "docs & more (https://a.example)"),
        ("<tel:+1555|call>", "call (+1555)"),
        ("<!here> <!channel> <!subteam^S0X|@crew> <!subteam^S0X>", "@here @channel @crew @S0X"),
        ("<!date^1392734382^{date}|Feb 18>", "Feb 18"),
        ("<!unknown>", ""),
        ("<#C0DEV>", "#C0DEV"),
        ("List<String> a < b", "List<String> a < b"),
        ("<|x>", "<|x>"),
        ("line one\n  code   kept\n<@U0BOT>", "line one\n  code   kept"),
    ],
)
def test_each_token(wire: str, shown: str) -> None:
    """Every token of the wire form is shown as people see it."""
    assert decode(wire, own_user_id="U0BOT") == shown


def test_unknown_own_id_keeps_mentions() -> None:
    """Before the bot knows who it is, no mention is dropped and none counts as its own."""
    assert decode("<@U0BOT> hi", own_user_id="") == "@U0BOT hi"
    assert not mentions({"text": "<@U0BOT> hi"}, "")


@given(st.text(alphabet="<>&|@#!^:/ abl;tmpgU0BOT\n", max_size=300))
def test_decoding_never_fails(wire: str) -> None:
    """Any text decodes, and plain text with no markup comes out as it went in."""
    shown = decode(wire, own_user_id="U0BOT")
    if not set(wire) & set("<&"):
        assert shown == wire.strip()


def test_all_rich_text_elements_are_read() -> None:
    """What stands after a link or an emoji is not lost, lists keep their lines, and our mention is dropped."""
    section = {
        "type": "rich_text_section",
        "elements": [
            {"type": "user", "user_id": BOT},
            {"type": "text", "text": " see "},
            {"type": "link", "url": "https://a.example/x", "text": "page"},
            {"type": "emoji", "name": "fire"},
            {"type": "text", "text": " then "},
            {"type": "user", "user_id": "U0BEN"},
            {"type": "channel", "channel_id": "C0DEV"},
            {"type": "broadcast", "range": "here"},
            {"type": "usergroup", "usergroup_id": "S0X"},
            {"type": "date", "fallback": " Monday"},
            {"type": "link", "url": 7},
        ],
    }
    items = {"type": "rich_text_list", "elements": [section, section]}
    event = {"blocks": [{"type": "rich_text", "elements": [items]}, {"type": "section", "text": {"text": "tail"}}]}
    line = "see page (https://a.example/x):fire: then @U0BEN#C0DEV@here@S0X Monday"
    assert rich_text(event, own_user_id=BOT).split("\n") == [line, f" {line}", "", "tail"]
    assert mentions(event, BOT)


async def test_message_without_text_is_read_from_its_blocks(desk: Desk) -> None:
    """Rich text is the fallback where `text` is empty; its angle brackets stay characters."""
    elements = [{"type": "user", "user_id": BOT}, {"type": "text", "text": " a <b> & c"}]
    block = {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": elements}]}
    await desk.event(event_body(message("", blocks=[block])))
    assert [m.text for m in desk.queue.messages] == ["a <b> & c"]


async def test_forwarded_message_is_read(desk: Desk) -> None:
    """A bare mention on a forwarded message asks about what was forwarded."""
    attachment = {"is_share": True, "text": "customer sees &lt;500&gt;", "fallback": "x"}
    await desk.event(event_body(mention("", attachments=[attachment])))
    assert [m.text for m in desk.queue.messages] == ["customer sees <500>"]


def test_hostile_nesting_is_cut() -> None:
    """Rich text nested without end is read to a fixed depth."""
    node: dict[str, object] = {"type": "text", "text": "deep"}
    for _ in range(400):
        node = {"type": "rich_text_section", "elements": [node]}
    assert rich_text({"blocks": [node]}, own_user_id=BOT) == ""
