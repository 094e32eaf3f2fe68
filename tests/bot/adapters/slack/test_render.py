"""Replies as Slack messages: safe, complete, sources last (cases E3, F1 to F3)."""

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from bot.adapters.slack.markup import as_mrkdwn, safe_literal, safe_markdown, safe_url
from bot.adapters.slack.render import render
from bot.adapters.slack.split import LIMIT, size, split_markdown
from bot.adapters.slack.tables import without_pipes
from bot.messages import Citation, Notice, NoticeKind, Outcome, Triage
from tests.bot.adapters.slack.replies import a_message, a_reply, sealed
from tests.peers.slack_blocks import refusal_of_blocks

SCRIPT = "```python\n" + "\n".join(f"    step_{n}(value)  # {'x' * 20}" for n in range(700)) + "\n```"


def test_answer_with_sources() -> None:
    """The answer comes first, then the sources by id with link, title and date; `text` says the same."""
    (part,) = render(a_reply())
    assert part.markdown == (
        "Restart the agent [1].\n\n**Sources**  \n"
        "\\[1\\] [kb-101](https://kb.example/101) Sync errors (updated 2026-03-01)"
    )
    assert part.text.endswith("[1] <https://kb.example/101|kb-101> Sync errors (updated 2026-03-01)")
    assert part.blocks() == [{"type": "markdown", "text": part.markdown}]


def test_lines_stay_apart() -> None:
    """Neighbouring lines get a hard break, since standard Markdown joins them; code and paragraphs do not."""
    (part,) = render(a_reply("one\ntwo\n\n```\na\nb\n```", citations=()))
    assert part.markdown == "one  \ntwo\n\n```\na\nb\n```"
    assert part.text == "one\ntwo\n\n```\na\nb\n```"


def test_notices_triage_and_files() -> None:
    """Notices, unread files, queue, next step and similar tickets are all said."""
    triage = Triage("billing", 0.8, ("t-12",), sealed("Ask for the invoice id"), ("t-12", "t-40"))
    notice = Notice(NoticeKind.DEGRADED, (), sealed("Quotes only."))
    message = a_message(routing=(("files", "screen_1.png\nlog.txt"),))
    reply = a_reply(
        "Nothing found.",
        message,
        outcome=Outcome.NO_MATCH,
        citations=(),
        notices=(notice,),
        triage=triage,
    )
    (part,) = render(reply)
    for words in ("_Quotes only._", "screen\\_1.png", "log.txt", "**Queue:** billing", "t-12, t-40"):
        assert words in part.markdown
    assert "Ask for the invoice id" in part.text


def test_command_repeats_the_question() -> None:
    """A slash command's answer begins with the question: nobody else saw it."""
    message = a_message(is_command=True, text=sealed("what is <b> *this*"))
    (part,) = render(a_reply(message=message))
    assert part.markdown.startswith("> You asked: what is &lt;b&gt; \\*this\\*\n\nRestart")


def test_silence_has_no_parts() -> None:
    """An empty answer without anything beside it is not posted."""
    assert render(a_reply("", citations=(), outcome=Outcome.COURTESY)) == []


@pytest.mark.parametrize(
    "planted",
    [
        "<!channel>",
        "<!here>",
        "<!everyone>",
        "<!subteam^S0X>",
        "<@U0BEN>",
        "<#C0DEV>",
        "<https://a.example|fake>",
        "`<!here>`",
    ],
)
def test_tokens_become_literal(planted: str) -> None:
    """No token of Slack's survives in answer, title or notice, in either format."""
    source = Citation(1, planted, "article", sealed(planted), "https://a.example/<!here>|x", "", sealed(""))
    notice = Notice(NoticeKind.STALE, (), sealed(planted))
    (part,) = render(a_reply(f"See {planted} now", citations=(source,), notices=(notice,)))
    assert "<" not in part.markdown
    assert re.findall(r"<[^>]*>", part.text) == [
        f"<https://a.example/%3C!here%3E%7Cx|{as_mrkdwn(safe_literal(planted))}>"
    ]


@pytest.mark.parametrize("word", ["@here", "@channel", "@everyone", "(@Channel)", "x @here."])
def test_broadcast_words_are_broken(word: str) -> None:
    """`@here` and its kin are shown but cannot ping, while addresses that contain them stay whole."""
    assert not re.search(r"@(here|channel|everyone)", safe_markdown(word), re.IGNORECASE)
    assert safe_markdown(word).replace("\u200b", "") == word
    assert safe_markdown("me@here.example") == "me@here.example"


def test_links_and_images_in_answers_are_written_out() -> None:
    """A label cannot hide its target, an image loads nothing, and what looks like a link inside code is broken."""
    text = "[ok](https://evil.example/?d=1) ![x](https://evil.example/p.png) `[a](https://b.example)`"
    assert safe_markdown(text) == "ok (https://evil.example/?d=1) x `[a]\u200b(https://b.example)`"


def test_markdown_stays_faithful() -> None:
    """Code names, quotes, entities and ampersands are shown as they were written."""
    text = "> quoted\nuse `__init__.py` & a*b*c, x > y, &lt;tag&gt;"
    assert safe_markdown(text) == "> quoted\nuse `__init__.py` & a\\*b\\*c, x &gt; y, &amp;lt;tag&amp;gt;"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("edit __init__.py in pkg/__main__.py", "edit __init__.py in pkg/__main__.py"),
        ("a*b*c and 2*3", "a*b*c and 2*3"),
        ("press **Save** or *wait*", "press <strong>Save</strong> or <em>wait</em>"),
        ("set max_open_files and `a*b*c`", "set max_open_files and <code>a*b*c</code>"),
        ("```\nx = a*b*c  # __init__\n```", "<pre><code>x = a*b*c  # __init__\n</code></pre>"),
    ],
)
def test_names_are_no_emphasis(text: str, shown: str) -> None:
    """Read as standard Markdown, names keep their signs, and what is emphasised stays so."""
    assert MarkdownIt("commonmark").render(safe_markdown(text)).strip() in (f"<p>{shown}</p>", shown)


def test_sections_take_what_a_markdown_block_would_have_said() -> None:
    """Where Slack does not know the block: the whole text in order, each section within 3 000, fences balanced, buttons last."""
    (part,) = render(
        a_reply("\n\n".join(f"Paragraph {n}. " + "word " * 60 for n in range(20)) + f"\n\n{SCRIPT[:2000]}")
    )
    part = replace(part, below=({"type": "divider"},))
    *sections, last = part.sections()
    texts = [str(block["text"]["text"]) for block in sections]  # type: ignore[index]
    assert refusal_of_blocks(sections) == ""
    assert len(texts) > 2
    assert last == {"type": "divider"}
    assert [int(n) for n in re.findall(r"Paragraph (\d+)\.", "\n".join(texts))] == list(range(20))
    assert all(text.count("```") % 2 == 0 for text in texts)


@pytest.mark.parametrize(
    ("url", "safe"),
    [
        ("https://a.example/x(1)|y", "https://a.example/x%281%29%7Cy"),
        ("http://a.example/?a=1&b=2", "http://a.example/?a=1&b=2"),
        ("javascript:alert(1)", None),
        ("https://", None),
        ("https://a.example/ b", None),
        (None, None),
    ],
)
def test_link_targets(url: str | None, safe: str | None) -> None:
    """Targets are http(s) only, and no character in them can end the link or fake a label."""
    assert safe_url(url) == safe


def test_long_answer_is_whole_and_sources_are_last() -> None:
    """A long answer arrives complete, in order, each part within Slack's limit, the sources on the last one."""
    paragraphs = [f"Paragraph {n}. " + "word " * 60 for n in range(80)]
    parts = render(a_reply("\n\n".join(paragraphs)))
    assert len(parts) > 1
    assert all(refusal_of_blocks(part.blocks()) == "" and len(part.text) <= 3_900 for part in parts)
    joined = "\n".join(part.markdown for part in parts)
    assert [int(n) for n in re.findall(r"Paragraph (\d+)\.", joined)] == list(range(80))
    assert ["**Sources**" in part.markdown for part in parts] == [False] * (len(parts) - 1) + [True]


def test_code_is_split_with_balanced_fences() -> None:
    """Every part of a long script has its own fences, language and indentation, and no line is lost."""
    parts = split_markdown(f"Run this:\n\n{SCRIPT}\n\nDone.")
    assert len(parts) > 2
    assert all(part.count("```") == 2 for part in parts)
    assert all("```python\n" in part for part in parts)
    lines = [line for part in parts for line in part.split("\n") if line.startswith("    step_")]
    assert lines == [line for line in SCRIPT.split("\n") if line.startswith("    step_")]


def test_open_fence_is_closed_before_the_sources() -> None:
    """An answer cut inside code does not swallow its sources."""
    (part,) = render(a_reply("Run:\n```\nsudo restart"))
    assert part.markdown.index("\n```\n\n**Sources**")


def test_tail_that_does_not_fit_gets_its_own_part() -> None:
    """Sources that would break the limit follow in a part of their own."""
    parts = render(a_reply("x" * (LIMIT - 10)))
    assert parts[-1].markdown.startswith("**Sources**")


@settings(max_examples=300)
@given(
    st.lists(
        st.sampled_from(["word " * 9, "x" * 130, "", "```", "```sh", "~~~", "    code", "😀" * 40, "| a | b |"]),
        max_size=60,
    )
)
def test_parts_cover_the_text(lines: list[str]) -> None:
    """Whatever the text: parts stay within the limit, fences are balanced, and nothing but white space is lost."""
    text = "\n".join(lines)
    parts = split_markdown(text, 200)
    assert all(size(part) <= 200 for part in parts)
    fence = re.compile(r"^ {0,3}(```|~~~)\w*$", re.MULTILINE)
    kept = fence.sub("", "\n".join(parts))
    assert re.sub(r"\s", "", kept) == re.sub(r"\s", "", fence.sub("", text))


def test_table_becomes_aligned_monospace() -> None:
    """A pipe table is shown aligned, an empty cell stays empty, a link in a cell is written out, code is left alone."""
    table = "| Plan | Limit | Doc |\n|---|:-:|---|\n| Free | 5 | |\n| 专业版 | 10 | [x](https://a.example) |"
    code = "```\n| a | b |\n|---|---|\n```"
    shown = without_pipes(f"Plans:\n\n{table}\n\n{code}")
    assert shown == (
        "Plans:\n\n```\nPlan    Limit  Doc\n------  -----  ----------------------\nFree    5\n"
        f"专业版  10     [x](https://a.example)\n```\n\n{code}"
    )


def test_wide_table_becomes_a_list() -> None:
    """A table wider than a message falls back to one line a row; empty cells are left out."""
    shown = without_pipes(f"| A | B |\n| --- | --- |\n| {'x' * 60} | {'y' * 60} |\n| z | |\nafter")
    assert shown == f"- A: {'x' * 60}; B: {'y' * 60}\n- A: z\nafter"


def test_pipes_without_a_rule_are_no_table() -> None:
    """A line with pipes and no rule below is ordinary text."""
    assert without_pipes("a | b\nc | d") == "a | b\nc | d"


@pytest.mark.parametrize(("text", "end"), [("~~~\nx", "~~~"), ("````\nx\n```", "````"), ("```a`b\nx", "x")])
def test_any_open_fence_is_closed(text: str, end: str) -> None:
    """Tildes and longer runs too; a backtick behind the opening ones makes it no fence."""
    assert render(a_reply(text, citations=()))[0].markdown.rstrip().endswith(end)


@pytest.mark.parametrize(
    "text", ["``![x](https://b.example)`", "` a\n`![x](https://b.example)`", "\\`![x](https://b.example)`"]
)
def test_unpaired_backticks_hide_no_image(text: str) -> None:
    """Which backticks enclose what depends on all before them, so nothing between them is taken for code."""
    assert "![" not in safe_markdown(text)
    assert "](" not in safe_markdown(text)


@pytest.mark.parametrize("filler", [3_850, 3_870, 3_890])
def test_a_cut_text_halves_no_link(filler: int) -> None:
    """Half an address would lead elsewhere; half a link would show its target as its label."""
    (part,) = render(a_reply("word " * (filler // 5)))
    assert len(part.text) <= 3_900
    assert part.text.count("<") == part.text.count(">")
    assert set(re.findall(r"https?://[^\s…]*", part.text)) <= {"https://kb.example/101|kb-101>"}
