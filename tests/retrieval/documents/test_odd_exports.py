"""Exports as programs write them and nobody would by hand: read, or named, and never a traceback."""

import json
import zipfile
from pathlib import Path

import docx
import pytest

from retrieval.documents import load_documents
from retrieval.documents.bound import read_bound

TICKETS = {
    "tickets": [
        {
            "id": 1,
            "subject": "Lost parcel",
            "status": "solved",
            "requester_id": 9,
            "comments": [
                {"author_id": 9, "public": True, "body": "Where is it?"},
                {"author_id": 5, "public": True, "body": "At the depot."},
                {"author_id": 5, "public": False, "body": "A private note."},
            ],
        },
        {
            "id": 3,
            "subject": "Again",
            "status": "closed",
            "tags": ["closed_by_merge"],
            "comments": [{"author_id": 5, "public": True, "body": "This request was merged into request #1."}],
        },
    ],
    "users": [{"id": 5, "name": "Ann Lee", "role": "agent"}, {"id": 9, "name": "Bo Kim", "role": "end-user"}],
    "groups": [{"id": 1, "name": "Depot"}],
}


@pytest.mark.parametrize(
    "table",
    [
        "id|title|text\n1|A|Hello\n",
        "sep=;\nid;title;text\n1;A;Hello\n",
        '\ufeff"sep=;"\r\nid;title;text\r\n1;A;Hello\r\n',
        "id,title,text\r1,A,Hello\r",
        "id,title,text,,\n\n1,A,Hello,,\n,,,,\n ,,,,\n",
    ],
)
def test_tables_of_spreadsheets(tmp_path: Path, table: str) -> None:
    """Bars, a line that names the separator, line ends of old programs, rows of nothing but separators."""
    (tmp_path / "a.csv").write_bytes(table.encode())
    loaded = load_documents([tmp_path / "a.csv"])
    assert [(each.id, each.title, each.text) for each in loaded.documents] == [("1", "A", "Hello")]
    assert not loaded.problems


def test_lists_beside_tickets_say_who_wrote_and_are_no_documents(tmp_path: Path) -> None:
    """The agent's words are the resolution, private ones nobody's; a merged ticket is told; users and groups are noted once."""
    (tmp_path / "z.json").write_text(json.dumps(TICKETS))
    loaded = load_documents([tmp_path / "z.json"])
    (ticket,) = loaded.documents
    assert (ticket.question, ticket.resolution, ticket.people) == (
        "Where is it?",
        "At the depot.",
        ("Ann Lee", "Bo Kim"),
    )
    assert not loaded.problems
    told = [note.reason for note in loaded.notes]
    assert told == [
        "ticket 'zendesk-ticket-3' was merged into another; it is not indexed",
        "holds users beside its documents; they are not indexed",
        "holds groups beside its documents; they are not indexed",
    ]
    assert not loaded.unresolved


def test_a_list_that_is_called_as_one_beside_tickets_may_hold_documents(tmp_path: Path) -> None:
    """Where its records have a text."""
    (tmp_path / "s.json").write_text('{"sections": [{"id": "s-1", "text": "Hours: nine to five."}]}')
    assert [each.id for each in load_documents([tmp_path / "s.json"]).documents] == ["s-1"]


def test_modules_of_mdx_are_no_text(tmp_path: Path) -> None:
    """Imports, exports of several lines and remarks go; prose that begins so, and code that shows some, stays."""
    (tmp_path / "a.mdx").write_text(
        'import Tabs from "@theme/Tabs"\nexport const meta = {\n  a: 1,\n}\n\n# Export\n\n{/* to do * soon */}Open it.\n\n'
        'import goods from Turkey by ship\n\n```js\n\nimport a from "b"\n```\n'
    )
    (document,) = load_documents([tmp_path / "a.mdx"]).documents
    assert document.title == "Export"
    assert "theme" not in document.text
    assert "a: 1" not in document.text
    assert "to do" not in document.text
    assert document.text.startswith("Open it.")
    assert 'import a from "b"' in document.text


def test_tracked_changes_are_taken_for_accepted(tmp_path: Path) -> None:
    """What is inserted stands, what is deleted or moved away does not, and a content control is text; in tables too."""
    word = docx.Document()
    word.add_table(1, 1).cell(0, 0).text = "MARK"
    word.save(str(tmp_path / "whole.docx"))
    changed = (
        '<w:r><w:t>A parcel is </w:t></w:r><w:del w:id="1" w:author="x"><w:r><w:delText>five</w:delText></w:r></w:del>'
        '<w:ins w:id="2" w:author="x"><w:r><w:t>seven</w:t></w:r></w:ins><w:r><w:t> EUR.</w:t></w:r>'
    )
    control = "<w:sdt><w:sdtPr/><w:sdtContent><w:p><w:r><w:t>In a control.</w:t></w:r></w:p></w:sdtContent></w:sdt>"
    moved = '<w:moveFrom w:id="3" w:author="x"><w:r><w:t>gone</w:t></w:r></w:moveFrom>'
    with zipfile.ZipFile(tmp_path / "whole.docx") as whole, zipfile.ZipFile(tmp_path / "a.docx", "w") as file:
        for entry in whole.infolist():
            data = whole.read(entry).decode("utf-8", "surrogateescape")
            if entry.filename == "word/document.xml":
                data = data.replace("<w:r><w:t>MARK</w:t></w:r>", changed)
                data = data.replace("<w:sectPr", f"<w:p>{changed}{moved}</w:p>{control}<w:sectPr", 1)
            file.writestr(entry, data.encode("utf-8", "surrogateescape"))
    assert read_bound(tmp_path / "a.docx").values["text"] == (
        "| A parcel is seven EUR. |\n\nA parcel is seven EUR.\n\nIn a control."
    )
