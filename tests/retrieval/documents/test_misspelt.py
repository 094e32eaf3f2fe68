"""Claims of `retrieval.documents.misspelt`: a slip in `visibility` closes a document, one in any other field is told."""

import json
from pathlib import Path

import pytest

from retrieval.documents import FieldMap, Loaded, load_documents
from retrieval.documents.fields import FIELDS
from retrieval.documents.misspelt import nearest
from tests.retrieval.documents.test_load import reasons, write


def notes(loaded: Loaded) -> str:
    """Give all notes as one text."""
    return "\n".join(map(str, loaded.notes))


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("visibilty", "visibility"),
        ("visbility", "visibility"),
        ("visiblity", "visibility"),
        ("visibilities", "visibility"),
        ("visibility:", "visibility"),
        ("valid until", "valid_until"),
        ("updated", "updated_at"),
        ("titel", "title"),
        ("supercedes", "supersedes"),
        ("visible", ""),
        ("tags", ""),
        ("test", ""),
        ("ids", ""),
        ("product_id", ""),
        ("", ""),
    ],
)
def test_the_nearest_field(name: str, field: str) -> None:
    """One slip in five letters, two in eight; a short name is near to too many others."""
    assert nearest(name, FIELDS) == field


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.md", "---\nid: a\nvisibilty: [restricted]\n---\nText."),
        ("a.html", '<html><head><meta name="Visibility" content="restricted"></head><body>Text.</body></html>'),
        ("a.csv", "id,text,visibilty\na,Text.,restricted\n"),
        ("a.jsonl", '{"id": "a", "text": "Text.", "Visiblity": ["restricted"]}\n'),
        ("a.json", '[{"id": "a", "text": "Text.", "visibilities": null}]'),
        ("a.md", "---\nid: a\nvisibility: {all: true}\n---\nText."),
        ("a.csv", 'id,text,visibility\na,Text.,";"\n'),
    ],
)
def test_a_document_whose_readers_are_in_doubt_is_not_taken(tmp_path: Path, name: str, data: str) -> None:
    """It is named with the field that was meant, and known as closed: nobody may see an earlier version either."""
    write(tmp_path, name, data)
    loaded = load_documents([tmp_path])
    assert not loaded.documents
    assert "visibility" in reasons(loaded)
    assert reasons(loaded).endswith("the document is not published")
    assert (set(loaded.closed), set(loaded.unread), loaded.is_incomplete) == ({"a"}, set(), False)


def test_a_right_name_beside_the_slip_decides(tmp_path: Path) -> None:
    """So do the column of a map and the front matter of a page with meta tags."""
    write(tmp_path, "a.md", "---\nvisibility: public\nvisibilty: x\n---\nText.")
    write(tmp_path, "b.html", '---\nvisibility: public\n---\n<meta name="visibility" content="x"><p>Text.</p>')
    write(tmp_path, "c.csv", "id,text,visibilty\nc,Text.,public\n")
    loaded = load_documents([tmp_path], field_map=FieldMap.parse(["visibility=visibilty"]))
    assert {document.id: document.visibility for document in loaded.documents} == dict.fromkeys("abc", ("public",))
    assert not loaded.problems


def test_another_slip_is_told_once_a_file(tmp_path: Path) -> None:
    """With the field that was meant; nothing is lost by it, and a column beside the field itself is no slip."""
    rows = [{"id": str(n), "text": "T.", "titel": "x", "question_id": 5, "question": "q"} for n in range(3)]
    write(tmp_path, "a.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    write(tmp_path, "b.md", "---\nowners: Ann\ntags: [x]\n---\nText.")
    loaded = load_documents([tmp_path])
    assert len(loaded.documents) == 4
    assert not loaded.problems
    assert notes(loaded).splitlines() == [
        f"{tmp_path}/a.jsonl: names 'titel', which is no field and is not read; title was perhaps meant",
        f"{tmp_path}/b.md: names 'owners', which is no field and is not read; owner was perhaps meant",
    ]


def test_another_name_of_the_id_is_no_slip(tmp_path: Path) -> None:
    """Corpus files of BEIR have `_id`; it is read, so nothing is told of it."""
    write(
        tmp_path,
        "corpus.jsonl",
        '{"_id": "d1", "title": "T", "text": "Text.", "metadata": {"url": "u"}}\n{"_id": "d2", "text": "T."}\n',
    )
    loaded = load_documents([tmp_path])
    assert ([document.id for document in loaded.documents], notes(loaded)) == (["d1", "d2"], "")


def test_a_broken_field_of_a_known_document_costs_that_document_alone(tmp_path: Path) -> None:
    """Its id is known, so what is gone beside it may still be taken for deleted."""
    write(tmp_path, "a.jsonl", '{"id": 7, "text": {"a": 1}}\n{"id": "b", "text": "B."}\n')
    write(tmp_path, "c.md", "---\nid: c-1\ntitle: [x]\n---\nText.")
    loaded = load_documents([tmp_path])
    assert (set(loaded.unread), set(loaded.closed), loaded.is_incomplete) == ({"7", "c-1"}, set(), False)


def test_of_two_with_one_id_the_first_counts(tmp_path: Path) -> None:
    """A second one is not published in the place of one that may be for fewer people; an unread one gives way to it."""
    closes = '{"id": "a", "text": "A.", "visibilty": "x"}\n'
    write(tmp_path, "a.jsonl", closes + '{"id": "b", "text": "B.", "title": []}\n')
    write(tmp_path, "b.jsonl", '{"id": "a", "text": "A."}\n{"id": "b", "text": "B."}\n')
    write(tmp_path, "c.jsonl", '{"id": "b", "text": "B.", "visibilty": "x"}\n')
    loaded = load_documents([tmp_path])
    assert [document.id for document in loaded.documents] == ["b"]
    assert (set(loaded.unread), set(loaded.closed)) == (set(), {"a"})
    assert "b.jsonl:1: repeats id 'a' of" in reasons(loaded)
