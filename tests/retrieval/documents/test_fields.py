"""Claims of `retrieval.documents.fields`: one map serves files of several forms, and a ticket needs no name of its kind."""

import json
from pathlib import Path

import pytest

from retrieval.documents import FieldMap, load_documents

DESK = "Ticketnr;Kundenfrage;Lösung\nT-1;Wo?;Hier.\n"


def _rows(*rows: dict[str, object]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def _loaded(folder: Path, files: dict[str, str], *pairs: str) -> tuple[dict[str, str], str]:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    loaded = load_documents([folder / name for name in files], field_map=FieldMap.parse(pairs))
    return {document.id: document.evidence for document in loaded.documents}, "\n".join(map(str, loaded.problems))


def test_a_file_without_the_mapped_column_is_read_by_its_own_names(tmp_path: Path) -> None:
    """Also a row of it that does not fill the field, an `_id`, and a table without rows."""
    own = _rows({"_id": "a", "question": "Why?", "resolution": "So."}, {"_id": "b", "text": "An article."})
    files = {
        "a.csv": DESK,
        "b.jsonl": own,
        "c.csv": "id,question,resolution\n",
        "d.csv": "id;question;resolution\nd;;D.\n",
    }
    found, problems = _loaded(tmp_path, files, "id=Ticketnr", "question=Kundenfrage", "resolution=Lösung")
    assert found == {"T-1": "Hier.", "a": "So.", "b": "An article.", "d": "D."}
    assert not problems


def test_a_file_with_neither_is_named(tmp_path: Path) -> None:
    """With what it has."""
    found, problems = _loaded(
        tmp_path, {"a.csv": DESK, "b.csv": "Number;resolution\n5;So.\n"}, "id=Ticketnr", "resolution=Lösung"
    )
    assert found == {"T-1": "Hier."}
    assert "b.csv:2: has no column 'Ticketnr' for id; found 'Number', 'resolution'" in problems


def test_a_file_may_lack_a_field_that_another_file_has(tmp_path: Path) -> None:
    """Articles beside a desk's tickets, and a second table of the desk without the column; the id stays asked for."""
    files = {
        "a.jsonl": _rows({"id": "a", "text": "An article."}),
        "b.csv": "Ticketnr;Kundenfrage;Lösung;Team\nT-1;Wo?;Hier.;Technik\n",
        "c.csv": DESK.replace("T-1", "T-2"),
        "d.jsonl": _rows({"Nummer": "d", "text": "No id."}),
    }
    pairs = ("id=Ticketnr", "question=Kundenfrage", "resolution=Lösung", "queue=Team")
    found, problems = _loaded(tmp_path, files, *pairs)
    assert found == {"a": "An article.", "T-1": "Hier.", "T-2": "Hier."}
    assert problems.splitlines() == [f"{tmp_path}/d.jsonl:1: has no column 'Ticketnr' for id; found 'Nummer', 'text'"]
    loaded = load_documents([tmp_path], field_map=FieldMap.parse(pairs))
    assert {document.id: document.queue for document in loaded.documents} == {"a": "", "T-1": "Technik", "T-2": ""}


def test_a_column_that_no_file_has_is_misspelt(tmp_path: Path) -> None:
    """Every row names it, so that nothing is indexed without its queue in silence."""
    files = {"a.csv": DESK, "b.jsonl": _rows({"id": "a", "text": "An article."})}
    found, problems = _loaded(tmp_path, files, "id=Ticketnr", "resolution=Lösung", "queue=Taem")
    assert found == {}
    assert problems.count("has no column 'Taem' for queue") == 2


def test_the_mapped_column_wins_over_the_own_name(tmp_path: Path) -> None:
    """And a row of such a file that lacks it is not read by the other one, whose ids are of another kind."""
    rows = _rows({"Nr": "T-1", "id": "17", "resolution": "Yes."}, {"id": "18", "resolution": "No."})
    found, problems = _loaded(tmp_path, {"a.jsonl": rows}, "id=Nr")
    assert found == {"T-1": "Yes."}
    assert "a.jsonl:2: has no column 'Nr' for id; found 'id', 'resolution'" in problems


def test_an_export_of_a_desk_beside_mapped_files_keeps_its_form(tmp_path: Path) -> None:
    """A map that names none of its columns is not for it; one that does is."""
    article = {"id": 5, "title": "T", "body": "<p>Text.</p>", "section_id": 1, "user_segment_id": None}
    files = {"a.csv": DESK, "b.json": json.dumps({"articles": [article]})}
    found, problems = _loaded(tmp_path, files, "id=Ticketnr", "resolution=Lösung")
    assert found == {"T-1": "Hier.", "zendesk-article-5": "Text."}
    assert not problems
    found, _ = _loaded(tmp_path, files, "text=body")
    assert found["5"] == "<p>Text.</p>"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "Nr;Frage;Lösung\nt-1;Warum?;\n"),
        ("b.csv", "Nr;Betreff;Lösung\nt-1;Webhooks;\n"),
        ("c.jsonl", _rows({"Nr": "t-1", "Frage": "Warum?", "Lösung": None})),
        ("d.csv", "Nr;Frage;Lösung;text\nt-1;Warum?;;\n"),
        ("e.jsonl", _rows({"Nr": "t-1", "question": "Why?", "Lösung": " "})),
    ],
)
def test_a_ticket_without_an_answer_is_unresolved(tmp_path: Path, name: str, text: str) -> None:
    """Though nothing says that it is a ticket: a column for resolutions does, or a question without a text."""
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    pairs = ["id=Nr", "resolution=Lösung", *(["question=Frage"] if "Frage" in text else [])]
    loaded = load_documents([path], field_map=FieldMap.parse(pairs))
    assert loaded.unresolved == ("t-1",)
    assert not loaded.documents


def test_an_article_is_no_unresolved_ticket(tmp_path: Path) -> None:
    """A text makes an article, also in a table of both, with a question beside it or empty."""
    table = "id,question,text,resolution\na,,Text.,\nb,Why?,Text.,\nc,,,\nd,Why?,,So.\n"
    found, problems = _loaded(tmp_path, {"a.csv": table})
    assert found == {"a": "Text.", "b": "Text.", "d": "So."}
    assert "document 'c' has no text" in problems
