"""Only redaction seals text; elsewhere a seal is put back on what was sealed, or on our own words."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from retrieval.redaction import EMPTY, RedactedText, Redactor

ROOT = Path(__file__).parents[3]
# Modules that read back what only redacted text was written to.
STORES = {
    "retrieval/index/opened.py",
    "retrieval/index/cards.py",
    "bot/questions/message_json.py",
    "bot/lead/corrections.py",
    "bot/lead/gaps.py",
    "bot/adapters/store/rewrites.py",
    "bot/adapters/store/incidents.py",
    "bot/adapters/store/answers.py",
}
# Modules that seal our own words, ids and dates, or words picked from sealed text. A new name here needs a reason.
OWN_WORDS = {
    "bot/texts.py",  # the words of languages/*.json and numbers
    "bot/answers/answer_tasks.py",  # document ids
    "bot/answers/belonging.py",  # a sealed sentence with a full stop for its colon
    "bot/answers/compose.py",  # quotation marks and citation numbers
    "bot/lead/correcting.py",  # citation numbers
    "bot/desk/requests.py",  # numbers and times, and a sealed text with its blanks made one
    "bot/answers/conflict_notices.py",  # document ids, dates and values of sealed sentences
    "bot/answers/drafting.py",  # an answer sealed whole, without its marks; the sign-off of the settings
    "bot/ends.py",  # document ids
    "bot/answers/extractive.py",  # the rows of a table that was sealed whole
    "bot/answers/freshness.py",  # document ids and dates
    "bot/desk/incidents.py",  # times
    "bot/checks/inert.py",  # a sealed text with its pings broken and its links written out
    "bot/lead/note.py",  # names of reasons and document ids
    "bot/lead/links.py",  # our own address with a one-time secret
    "bot/answers/repeated.py",  # document ids and citation numbers
    "bot/questions/unread_files.py",  # file names, redacted when accepted
    "bot/lead/withdrawn.py",  # document ids
    "bot/bootstrap/desk_answers.py",  # the sign-off of the settings
    "bot/bootstrap/recall.py",  # document ids
    "bot/questions/follow_up.py",  # words of sealed texts, checked one by one
    "bot/stages/verify.py",  # parts of the question, sealed whole, without what would ping
    "bot/questions/turns.py",  # file names, redacted when accepted
    "bot/adapters/slack/render.py",  # dates, and file names redacted when accepted
    "bot/adapters/slack/commands.py",  # the name of the command
    "bot/adapters/slack/answer_buttons.py",  # document ids
    "bot/adapters/slack/answer_views.py",  # document ids and dates
    "bot/adapters/slack/catch_up.py",  # links to messages, numbers
    "bot/adapters/slack/clicks.py",  # a thread's id, which goes where only sealed text goes
    "bot/adapters/slack/overhear.py",  # a redacted post without its people, redacted file names, numbers
    "bot/adapters/slack/working.py",  # nothing: the status that ends
    "bot/adapters/teams/render.py",  # dates, and file names redacted when accepted
}


def _seals(tree: ast.AST) -> Iterator[int]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        called = node.func
        if isinstance(called, ast.Name) and called.id == "RedactedText":
            yield node.lineno
        if isinstance(called, ast.Attribute) and ast.unparse(called) == "RedactedText.stored":
            yield node.lineno


def test_only_known_modules_seal_text() -> None:
    """A module that seals text and is not listed with its reason fails here."""
    found = {
        path.relative_to(ROOT).as_posix()
        for package in ("bot", "retrieval", "config", "scripts")
        for path in (ROOT / package).rglob("*.py")
        if any(True for _ in _seals(ast.parse(path.read_text("utf-8"))))
    }
    sealing = {name for name in found if not name.startswith("retrieval/redaction/")}
    assert sealing - STORES - OWN_WORDS == set()


def test_the_scan_sees_both_forms() -> None:
    """The scan finds the constructor and the way back from a store, and nothing else."""
    source = "RedactedText(x)\nRedactedText.stored(x)\nRedactedText.joined(x)\nother.stored(x)"
    assert list(_seals(ast.parse(source))) == [1, 2]


def test_the_constructor_refuses() -> None:
    """Calling the class is an error; only a redactor gives text."""
    with pytest.raises(TypeError):
        RedactedText("x")


def test_parts_and_joins_stay_sealed() -> None:
    """Cuts, parts and joins of sealed text are sealed, plain string operations are not."""
    text = Redactor().redact("write to a@b.com").text
    assert text.cut(5) == "write"
    assert isinstance(text.part(6, 8), RedactedText)
    assert RedactedText.joined((text, EMPTY, text), "|") == "write to [EMAIL]||write to [EMAIL]"
    assert not isinstance(text + "x", RedactedText)
