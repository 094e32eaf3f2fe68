"""Code and tables are quoted whole with the sentence that they belong to, and shown so by every door."""

import json

import pytest
from markdown_it import MarkdownIt

from bot.adapters.slack.render import render as render_slack
from bot.adapters.teams.render import render as render_teams
from bot.answers.answer_json import answer_as_json
from bot.answers.brevity import MOST_STEPS
from bot.answers.extractive import extract
from bot.messages import Answer, NoticeKind, Reply
from retrieval.passages import Passage
from scripts.console import as_text
from tests.bot.flow_kit import ask, card, message
from tests.fakes import FakePassageSource, make_passage

SCRIPT = '```sh\nstop <all> && echo "*done*"\n\n  ./run --now __init__.py\n```'
CODE = '\nstop <all> && echo "*done*"\n\n  ./run --now __init__.py\n'.lstrip("\n")
TABLE = "| setting | seconds |\n|---|---|\n| read | 30 |"
HOW = "How do I restart the service?"


def chosen(passage: Passage, question: str = HOW) -> list[int]:
    """Give the places of what is quoted."""
    return [sentence.refs[0].sentence for sentence in extract([passage], question, "en")]


def procedure(*below: tuple[int, str], steps: int = 3, best: int = 2) -> Passage:
    """Make numbered steps, some with a block below."""
    rows: list[tuple[str, float]] = []
    for step in range(1, steps + 1):
        blocks = [text for number, text in below if number == step]
        rows.append((f"{step}. Do the part number {step} of it{':' if blocks else '.'}", 0.88 if step == best else 0.8))
        rows += [(text, 0.75) for text in blocks]
    return make_passage(card("kb-7", lang="en"), *rows)


@pytest.mark.parametrize("block", [SCRIPT, TABLE])
@pytest.mark.parametrize("step", [1, 2, 3])
@pytest.mark.parametrize("best", [1, 2, 3])
def test_a_step_has_its_block(block: str, step: int, best: int) -> None:
    """First, middle, or last, whichever step is the nearest one."""
    assert chosen(procedure((step, block), best=best)) == [0, 1, 2, 3]


def test_blocks_are_no_steps() -> None:
    """Eight steps with a script each are eight steps, and so they are in a short answer of seven."""
    passage = procedure(*[(n, SCRIPT) for n in range(1, 9)], steps=8)
    assert chosen(passage) == list(range(16))


async def test_a_short_answer_counts_steps_not_scripts() -> None:
    """Seven steps with their scripts are said, the eighth is left out with its own."""
    answer = await ask(HOW, FakePassageSource(procedure(*[(n, SCRIPT) for n in range(1, 9)], steps=8)))
    assert answer.text.count("```sh") == MOST_STEPS
    assert [notice.kind for notice in answer.notices] == [NoticeKind.TRUNCATED]


async def test_scripts_have_room_for_two_screens() -> None:
    """What is longer together is cut between steps, never inside a script; a single one is whole however long."""
    long = "```\n" + "echo a rather long line of code\n" * 110 + "```"
    answer = await ask(HOW, FakePassageSource(procedure((1, long), (2, long), (3, long))))
    assert answer.text.count(long) == 1
    assert answer.text.count("```") == 2


@pytest.mark.parametrize("mark", ["", "- "])
def test_a_line_of_prose_and_a_bullet_have_theirs(mark: str) -> None:
    """Also when the line is too short to be an answer by itself, or the code is the nearest."""
    for near in ((0.88, 0.75), (0.75, 0.88)):
        passage = make_passage(
            "kb-7", (f"{mark}Run the script:", near[0]), (SCRIPT, near[1]), ("Nothing else is said here.", 0.5)
        )
        assert chosen(passage)[:2] == [0, 1]


def test_each_bullet_has_its_own() -> None:
    """The bullets of one list stay together over the scripts between them."""
    passage = make_passage(
        "kb-7",
        ("To restart it, do both of these:", 0.8),
        ("- on the hub, run this:", 0.88),
        (SCRIPT, 0.7),
        ("- on the till, run this:", 0.8),
        ("```\nother\n```", 0.7),
    )
    assert chosen(passage) == [0, 1, 2, 3, 4]


def test_the_line_below_the_answer_that_announces_a_script_comes_along() -> None:
    """Not for a number, and not when something stands between."""
    rows = [
        ("You can restart the service of the hub yourself at any time of the day.", 0.88),
        ("Run this:", 0.6),
        (SCRIPT, 0.6),
    ]
    assert chosen(make_passage("kb-7", *rows)) == [0, 1, 2]
    assert chosen(make_passage("kb-7", *rows), "How many minutes does it take?") == [0]
    between = [rows[0], ("Billing is described on a page of its own.", 0.5), *rows[1:]]
    assert chosen(make_passage("kb-7", *between)) == [0]


def test_a_table_belongs_to_a_colon_only() -> None:
    """Below any other sentence it stands for itself; code also belongs to a sentence that ends with a full stop."""
    assert chosen(make_passage("kb-7", ("The time-outs can be set by yourself.", 0.88), (TABLE, 0.6))) == [0]
    assert chosen(make_passage("kb-7", ("Run the following command on the hub.", 0.88), (SCRIPT, 0.6))) == [0, 1]


@pytest.mark.parametrize(
    "hidden", ["```\nping @here\n```", "```\n\n```", "```\na[0] = 1\n```", "```\nnever closed", "rest\n```"]
)
async def test_what_cannot_be_quoted_whole_is_named(hidden: str) -> None:
    """A ping, nothing, what reads like the number of a source, a torn piece: the step stays and says where to look."""
    passage = make_passage(card("kb-7", lang="en"), ("You restart it by this script:", 0.88), (hidden, 0.6))
    answer = await ask(HOW, FakePassageSource(passage))
    assert "```" not in answer.text
    assert [(notice.kind, notice.ids) for notice in answer.notices] == [(NoticeKind.TRUNCATED, ("kb-7",))]
    assert "kb-7" in answer.notices[0].text


async def test_code_with_an_address_that_may_not_be_shown_is_not_shown_broken() -> None:
    """An address on another host would be left out of it; one on the base's own host stays."""
    script = "```\ncurl https://other.example/v1\n```"
    rows = (("You restart it by this call:", 0.88), (script, 0.6))
    answer = await ask(HOW, FakePassageSource(make_passage(card("kb-7", lang="en"), *rows)))
    assert ("```" in answer.text, answer.notices[0].ids) == (False, ("kb-7",))
    own = card("kb-7", lang="en", url="https://other.example/kb-7")
    assert script in (await ask(HOW, FakePassageSource(make_passage(own, *rows)))).text
    detailed = await ask(f"{HOW} Please in detail.", FakePassageSource(make_passage(card("kb-7", lang="en"), *rows)))
    assert detailed.notices[0].ids == ("kb-7",)


async def _answer() -> Answer:
    rows = (
        ("1. Open the terminal of the hub.", 0.8),
        ("2. Run the script:", 0.88),
        (SCRIPT, 0.7),
        ("3. Wait for it.", 0.8),
    )
    return await ask(HOW, FakePassageSource(make_passage(card("kb-7", lang="en"), *rows)))


async def test_every_door_shows_it_whole() -> None:
    """Slack, Teams, console and HTTP: one fence with its language, each character of the code, between its steps."""
    answer = await _answer()
    reply = Reply(message(HOW), answer)
    (slack,), (teams,) = render_slack(reply), render_teams(reply)
    console, http = as_text(answer), json.loads(json.dumps(answer_as_json(answer)))["text"]
    for shown, entities in (
        (slack.markdown, {"&lt;": "<", "&gt;": ">", "&amp;": "&"}),
        (teams.text, {"&lt;": "<", "&amp;": "&"}),
    ):
        (fence,) = [token for token in MarkdownIt().parse(shown) if token.type == "fence"]
        code = fence.content
        for entity, sign in entities.items():
            code = code.replace(entity, sign)
        assert (fence.info, code) == ("sh", CODE)
    for shown in (console, http):
        (fence,) = [token for token in MarkdownIt().parse(shown) if token.type == "fence"]
        assert (fence.info, fence.content) == ("sh", CODE)
    assert http.index("2. Run the script:") < http.index("```sh") < http.index("3. Wait for it.")
