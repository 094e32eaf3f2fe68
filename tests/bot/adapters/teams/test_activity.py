"""What a Teams activity says."""

import pytest

from bot.adapters.teams.activity import file_names, is_mentioned, plain_text
from tests.peers.teams_connector import BOT_ID

BOT = {"id": BOT_ID, "name": "Triage Bot"}
OWN = {"type": "mention", "text": "<at>Triage Bot</at>", "mentioned": BOT}
BEN = {"type": "mention", "text": "<at>Ben</at>", "mentioned": {"id": "29:ben", "name": "Ben"}}
WIRE = "<at>Triage Bot</at>&nbsp;help <at>Ben</at> sees error &lt;404&gt;"


@pytest.mark.parametrize("entities", [[OWN, BEN], [], None])
def test_only_our_mention_is_removed(entities: object) -> None:
    """Ben stays as a name, entities are decoded, the angle brackets of an error survive; with and without entities."""
    assert plain_text({"text": WIRE, "recipient": BOT, "entities": entities}) == "help Ben sees error <404>"


def test_a_namesake_of_the_bot_is_kept_where_entities_tell_them_apart() -> None:
    """Our mention goes by its id; the text of somebody else's mention stays readable."""
    text = '<at id="1">Triage</at> and <at>Ben</at>: who resets it?'
    entities = [{"type": "mention", "text": '<at id="1">Triage</at>', "mentioned": BOT}, BEN]
    assert plain_text({"text": text, "recipient": BOT, "entities": entities}) == "and Ben: who resets it?"


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("a &amp;lt;b&amp;gt;", "a &lt;b&gt;"),
        ("<p>first</p><p>second<br>third</p>", "first\nsecond\nthird"),
        ("if a < b and c > d", "if a < b and c > d"),
        ("List<String> fails", "List<String> fails"),
        ("", ""),
    ],
)
def test_text_is_decoded_once(text: str, plain: str) -> None:
    """Entities are decoded once, markup of the editor goes, comparison signs and generics stay."""
    assert plain_text({"text": text, "recipient": BOT}) == plain


@pytest.mark.parametrize(
    ("entities", "text", "expected"),
    [
        ([OWN], "x", True),
        ([BEN], "<at>Triage Bot</at> x", False),
        ([], "<at>triage bot</at> x", True),
        ([], "Triage Bot x", False),
        ("broken", "x", False),
        ([{"type": "mention", "mentioned": 7}], "x", False),
    ],
)
def test_a_mention_counts_by_id_then_by_name(entities: object, text: str, expected: bool) -> None:
    """Entities decide; the name decides where there are none; broken entities are no mention."""
    assert is_mentioned({"entities": entities, "text": text, "recipient": BOT}) is expected


def test_files_are_named_and_the_html_copy_is_none() -> None:
    """An attached screenshot has a name; the HTML form of the text and cards are no files."""
    attachments = [
        {"contentType": "text/html", "content": "<p>x</p>"},
        {"contentType": "application/vnd.microsoft.card.adaptive"},
        {"contentType": "application/vnd.microsoft.teams.file.download.info", "name": "screen.png"},
        {"contentType": "image/png"},
        "broken",
    ]
    assert file_names({"attachments": attachments}) == ["screen.png", "image/png"]
