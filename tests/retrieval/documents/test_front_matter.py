"""Claims of `retrieval.documents.front_matter`: what is meant as front matter is read or named, never taken for text."""

import re
from pathlib import Path

import pytest

from retrieval.documents import load_documents
from tests.retrieval.documents.test_load import reasons, write

_BODY = "The master code is kept at the fraud desk.\n"
_FIELDS = "id: sec-1\nvisibility: [restricted]\n"


@pytest.mark.parametrize("lead", ["\n", "\n\n  \n", "\ufeff\n", "\ufeff\ufeff", "\u200b\n", "\r\n\r\n"])
@pytest.mark.parametrize("name", ["a.md", "a.txt", "a.html"])
def test_it_may_stand_behind_blank_lines_and_marks(tmp_path: Path, name: str, lead: str) -> None:
    """Its labels and its id count, in every kind of file that has one."""
    write(tmp_path, name, f"{lead}---\n{_FIELDS}---\n{_BODY}")
    (document,) = load_documents([tmp_path]).documents
    assert (document.id, document.visibility) == ("sec-1", ("restricted",))
    assert document.text == _BODY.strip()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (f"---\n{_FIELDS}# Codes\n\n{_BODY}", "does not close"),
        (f"\n\n---\n{_FIELDS}\n{_BODY}", "does not close"),
        (f"---\n\n{_FIELDS}\n{_BODY}", "does not close"),
        (f"---\nid: sec-1\npeople:\n  - Ann\n- Bob\nvisibility: x\n\n{_BODY}", "does not close"),
        (f"---\ntags: [a]\n{_BODY}", "does not close"),
        (f"---\nTitle: Codes\n{_BODY}", "does not close"),
        (f"---\nVisibilty: [restricted]\n\n{_BODY}", "does not close"),
        (f"---\nCodes of the lockers\nvisibility [restricted]\n\n{_BODY}", "does not close"),
        (f"---\n{_FIELDS}----\n{_BODY}", "does not close"),
        (f"\u2014\n{_FIELDS}\u2014\n{_BODY}", "begins with '\u2014'"),
        (f"----\n{_FIELDS}----\n{_BODY}", "begins with '----'"),
        (f'+++\nid = "sec-1"\nvisibility = ["restricted"]\n+++\n{_BODY}', "begins with '+++'"),
        (f"  ---\n  {_FIELDS}---\n{_BODY}", "in line 3"),
        (f"{_FIELDS}---\n{_BODY}", "names its visibility in no front matter"),
        (f"# Codes\n\n---\n{_FIELDS}---\n{_BODY}", "names its visibility in no front matter"),
        (f"<!-- draft -->\n---\n{_FIELDS}---\n{_BODY}", "names its visibility in no front matter"),
        (f"---\nid: sec-1\nvisibility [restricted]\n---\n{_BODY}", "is not YAML"),
        (f"---\nid sec-1\nvisibility [restricted]\n---\n{_BODY}", "is no list of"),
    ],
)
def test_a_broken_one_is_named_and_its_document_not_taken(tmp_path: Path, text: str, says: str) -> None:
    """Its neighbour is read, and what may stand behind it stays: what did so before, and what its path and its head name."""
    write(tmp_path, "a.md", text)
    write(tmp_path, "good.md", "Good text.")
    loaded = load_documents([tmp_path])
    assert [document.id for document in loaded.documents] == ["good"]
    assert says in reasons(loaded)
    assert loaded.broken_places == {"a.md"}
    assert loaded.may_stay == ({"a", "sec-1"} if re.search("id.{1,5}sec-1", text) else {"a"})


@pytest.mark.parametrize(
    "text",
    [
        f"---\n\n{_BODY}",
        f"---\nNote: the desk is closed on Sunday.\n\n{_BODY}",
        f"---\nThe following holds: all codes are new.\n\n{_BODY}---\n\nMore.\n",
        f"---\n# Codes\n\n{_BODY}\n---\n\nMore.\n",
        f"-----\n\n{_BODY}",
        f"Note: see below.\nTip: ask.\n\n{_BODY}",
        f"Title: Codes\n\n{_BODY}",
        f"Visibility of orders depends on the role: ask.\n{_BODY}",
        f"# Codes\n\n{_BODY}\nvisibility: everybody\n",
        f"- a\n- b\n\n---\n{_BODY}",
        "---\n---\n" + _BODY,
    ],
)
def test_a_rule_above_prose_is_no_front_matter(tmp_path: Path, text: str) -> None:
    """Nothing of the text is lost."""
    write(tmp_path, "a.md", text)
    loaded = load_documents([tmp_path])
    assert not loaded.problems
    (document,) = loaded.documents
    assert _BODY.strip() in document.text
