"""Names that stand twice in one record: the last one counts and it is told, save of who may see it, where nobody guesses."""

from pathlib import Path

import pytest

from retrieval.documents import load_documents

TWICE = {
    "front.md": "---\nid: a\n{0}: {1}\n{2}: {3}\n---\nText.",
    "line.jsonl": '{{"id": "a", "{0}": "{1}", "{2}": "{3}", "text": "Text."}}\n',
    "list.json": '[{{"id": "a", "{0}": "{1}", "{2}": "{3}", "text": "Text."}}]',
    "table.csv": "id,{0},{2},text\na,{1},{3},Text.\n",
}


@pytest.mark.parametrize("name", TWICE)
def test_the_last_counts_and_it_is_told(tmp_path: Path, name: str) -> None:
    """In every form of file."""
    (tmp_path / name).write_text(TWICE[name].format("title", "One", "title", "Two"))
    loaded = load_documents([tmp_path / name])
    assert [document.title for document in loaded.documents] == ["Two"]
    assert loaded.notes[0].reason.endswith("'title' twice; the last one counts")
    assert not loaded.problems


@pytest.mark.parametrize("name", TWICE)
@pytest.mark.parametrize("second", ["visibility", "Visibility"])
def test_two_words_on_who_may_see_it_publish_nothing(tmp_path: Path, name: str, second: str) -> None:
    """Neither is taken, whichever is last; two that are alike leave no doubt."""
    for values in (("leads", "public"), ("public", "leads")):
        (tmp_path / name).write_text(TWICE[name].format("visibility", values[0], second, values[1]))
        loaded = load_documents([tmp_path / name])
        assert not loaded.documents
        assert loaded.closed == {"a"}
        assert "gives visibility twice, and not alike" in loaded.problems[0].reason
    (tmp_path / name).write_text(TWICE[name].format("visibility", "public", second, "public"))
    assert load_documents([tmp_path / name]).documents[0].visibility == ("public",)
