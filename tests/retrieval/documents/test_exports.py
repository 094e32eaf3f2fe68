"""Exports as desks write them: cut in the middle, as one JSON value, and Zendesk's own form."""

import json
from pathlib import Path
from typing import Any

import pytest

from retrieval.documents import FieldMap, load_documents
from tests.retrieval.documents.test_load import reasons, write

TICKET: dict[str, Any] = {
    "id": 7,
    "subject": "Cannot sign in",
    "description": "private words",
    "status": "solved",
    "created_at": "2025-01-01T00:00:00Z",
    "updated_at": "2025-01-02T00:00:00Z",
    "requester": {"id": 1, "name": "Pat Doe", "role": "end-user"},
    "assignee": {"id": 2, "name": "Ann Lee"},
    "group": {"name": "access"},
    "comments": [
        {"author_id": 1, "public": True, "plain_body": "I cannot sign in."},
        {"author_id": 2, "public": False, "plain_body": "Customer is rude."},
        {"author_id": 3, "public": True, "body": "I have it too."},
        {"author_id": 2, "public": True, "html_body": "<p>Reset the <b>session</b>.</p>"},
        {"author_id": 2, "plain_body": "Nobody says whether this is public."},
    ],
}


@pytest.mark.parametrize("cut", range(40, 131, 9))
def test_a_cut_json_lines_export_is_incomplete(tmp_path: Path, cut: int) -> None:
    """Wherever it is cut, what stands before is read, the cut is named, and nothing may be taken for deleted."""
    text = "".join(json.dumps({"id": f"t-{n}", "text": f"Text number {n}."}) + "\n" for n in range(4))
    loaded = load_documents([write(tmp_path, "a.jsonl", text[:cut])])
    whole = text[:cut].endswith("}") or text[:cut].endswith("\n")
    assert len(loaded.documents) == text[:cut].count("}")
    assert loaded.is_incomplete is not whole
    assert whole or "an export cut in the middle?" in reasons(loaded)


def test_a_cut_table_is_incomplete(tmp_path: Path) -> None:
    """Inside quotation marks or with columns missing; a row without a line end at the end is no cut."""
    head = 'id,title,text\nt-1,One,"Text, one."\n'
    for tail in ('t-2,Two,"Text, tw', "t-2,Tw", "t-2"):
        loaded = load_documents([write(tmp_path, "a.csv", head + tail)])
        assert [d.id for d in loaded.documents] == ["t-1"]
        assert loaded.is_incomplete
        assert "a.csv:3: ends in the middle of a row" in reasons(loaded)
    for tail in ('t-2,Two,"Text, two."', 't-2,Two,5" pipe', "t-2,Two\n"):
        assert not load_documents([write(tmp_path, "a.csv", head + tail)]).is_incomplete


def test_a_map_holds_in_every_form(tmp_path: Path) -> None:
    """CSV, JSON Lines and a JSON list are read by other column names alike."""
    row = {"Ticket #": "9", "Last reply": "Restart it."}
    write(tmp_path, "a.csv", "Ticket #,Last reply\n9,Restart it.\n")
    write(tmp_path, "a.jsonl", json.dumps(row))
    write(tmp_path, "a.json", json.dumps([row]))
    mapped = FieldMap.parse(["id=Ticket #", "resolution=Last reply"])
    for name in ("a.csv", "a.jsonl", "a.json"):
        (document,) = load_documents([tmp_path / name], field_map=mapped).documents
        assert (document.id, document.kind, document.resolution) == ("9", "ticket", "Restart it.")


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ('[{"id": "a", "text": "x"}, {"id": "b", "text": "y"}]', ["a", "b"]),
        ('{"count": 2, "rows": [{"id": "a", "text": "x"}], "more": [{"id": "b", "text": "y"}]}', ["a", "b"]),
        ('{"id": "a", "text": "x"}', ["a"]),
        ('{"id": "a", "text": "x"}\n{"id": "b", "text": "y"}\n', ["a", "b"]),
        ('{"rows": []}', []),
    ],
)
def test_json_files_of_every_form_are_read(tmp_path: Path, text: str, ids: list[str]) -> None:
    """A list, lists in an object, one object, or an object a line."""
    loaded = load_documents([write(tmp_path, "a.json", text)])
    assert [d.id for d in loaded.documents] == ids
    assert not loaded.problems


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ('[{"id": "a", "text": "x"}, {"id": "b", "te', ["a"]),
        ('{"rows": [{"id": "a", "text": "x"}', ["a"]),
        ('{"rows": [{"id": "a", "text": "x"}], "more": ', ["a"]),
        ('{"rows" [', []),
        ("[" * 200_000, []),
        ("[5]", []),
        ("5", []),
        ("\xff", []),
    ],
)
def test_a_cut_or_broken_json_file_gives_what_stands_before(tmp_path: Path, text: str, ids: list[str]) -> None:
    """Items are read one by one; the place is named and the load is incomplete."""
    loaded = load_documents([write(tmp_path, "a.json", text.encode("latin-1"))])
    assert [d.id for d in loaded.documents] == ids
    assert len(loaded.problems) == 1
    assert loaded.is_incomplete


def test_an_empty_json_file_is_a_note(tmp_path: Path) -> None:
    """As with other files of records."""
    loaded = load_documents([write(tmp_path, "a.json", " ")])
    assert (loaded.problems, len(loaded.notes)) == ((), 1)


def test_an_exported_ticket_is_read(tmp_path: Path) -> None:
    """Agents' public words are the resolution, all others the question; private or unknown ones are nowhere."""
    (document,) = load_documents([write(tmp_path, "a.json", json.dumps({"tickets": [TICKET]}))]).documents
    assert (document.id, document.kind, document.title) == ("zendesk-ticket-7", "ticket", "Cannot sign in")
    assert document.question == "I cannot sign in.\n\nI have it too."
    assert document.resolution == "Reset the session."
    assert (document.queue, document.visibility, document.people) == ("access", ("internal",), ("Ann Lee", "Pat Doe"))
    assert "rude" not in repr(document)
    assert "private words" not in repr(document)
    assert "Nobody says" not in repr(document)


def test_tickets_without_a_resolution_are_told_and_not_indexed(tmp_path: Path) -> None:
    """An open one is a note, a solved one without an agent's public word a problem; both are listed by id."""
    rows = [{**TICKET, "status": "open"}, {**TICKET, "id": 8, "comments": TICKET["comments"][:2]}]
    loaded = load_documents([write(tmp_path, "a.jsonl", "\n".join(map(json.dumps, rows)))])
    assert loaded.documents == ()
    assert sorted(loaded.unresolved) == ["zendesk-ticket-7", "zendesk-ticket-8"]
    assert (len(loaded.problems), len(loaded.notes)) == (1, 1)
    assert not loaded.is_incomplete


@pytest.mark.parametrize(
    ("fields", "labels"),
    [
        ({"user_segment_id": None}, ("public",)),
        ({"section_id": 4}, ("internal",)),
        ({"user_segment_id": 12}, ("zendesk-segment-12",)),
        ({"user_segment_id": 12, "user_segment_ids": [12, 13]}, ("zendesk-segment-12", "zendesk-segment-13")),
    ],
)
def test_articles_keep_their_segments(tmp_path: Path, fields: dict[str, object], labels: tuple[str, ...]) -> None:
    """Public only where it is said that no segment restricts; a segment is a label; a draft is left out."""
    article = {"id": 3, "title": "T", "body": "<h1>Head</h1><p>Text.</p>", "locale": "en-us", **fields}
    rows = [article, {**article, "id": 4, "draft": True}]
    loaded = load_documents([write(tmp_path, "a.json", json.dumps({"articles": rows}))])
    (document,) = loaded.documents
    assert (document.id, document.visibility, document.lang) == ("zendesk-article-3", labels, "en-us")
    assert document.text == "## Head\n\nText."
    assert "is a draft" in str(loaded.notes[0])


def test_a_bomb_in_an_export_costs_only_itself(tmp_path: Path) -> None:
    """Pages nested too deeply, of too many tags or of unclosed ones are named; the next article is read."""
    bombs = ["<div>" * 20_000, "</" * 50_000, "<!--" * 50_000, "<p>" * 400_001]
    rows = [{"id": n + 1, "title": "T", "body": bomb, "user_segment_id": None} for n, bomb in enumerate(bombs)]
    rows.append({"id": 9, "title": "T", "body": "Good.", "user_segment_id": None})
    ticket = {**TICKET, "comments": [{**TICKET["comments"][3], "html_body": bombs[1]}]}
    loaded = load_documents([write(tmp_path, "a.json", json.dumps({"articles": rows, "tickets": [ticket]}))])
    assert [d.id for d in loaded.documents] == ["zendesk-article-9"]
    assert len(loaded.problems) == 5
