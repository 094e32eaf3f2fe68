"""Claims of `retrieval.documents.load`: what is read, what is skipped, and what is said of it."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from retrieval.documents import FieldInvalid, FieldMap, Loaded, load_documents


def write(folder: Path, name: str, data: str | bytes) -> Path:
    """Write a file and give its path."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def reasons(loaded: Loaded) -> str:
    """Give all problems as one text."""
    return "\n".join(map(str, loaded.problems))


def test_a_folder_gives_ids_by_path_and_titles_by_heading(tmp_path: Path) -> None:
    """The id is the path below the folder without extension, the title the first heading; the heading leaves the text."""
    write(tmp_path, "billing/refunds.md", "# Refunds\n\nWithin 30 days.")
    write(tmp_path, "plain.txt", "Just text.")
    found = {d.id: d for d in load_documents([tmp_path]).documents}
    assert found["billing/refunds"].title == "Refunds"
    assert found["billing/refunds"].text == "Within 30 days."
    assert found["plain"].title == ""


def test_front_matter_sets_the_fields(tmp_path: Path) -> None:
    """Front matter wins over path and heading; dates, lists and labels get one form."""
    text = (
        "---\nid: KB-1\ntitle: Plans\nupdated_at: 2026-01-05\nsupersedes: KB-0\nvisibility: [billing, leads]\n"
        "people: [Ann Lee]\n---\n# Other\n\nBody."
    )
    write(tmp_path, "a.md", text)
    (document,) = load_documents([tmp_path]).documents
    assert (document.id, document.title, document.updated_at) == ("KB-1", "Plans", "2026-01-05")
    assert (document.supersedes, document.visibility, document.people) == (
        ("KB-0",),
        ("billing", "leads"),
        ("Ann Lee",),
    )


def test_visibility_is_internal_when_absent_and_never_guessed(tmp_path: Path) -> None:
    """Absent labels mean internal; labels of a wrong kind keep the document out instead of opening it."""
    write(tmp_path, "a.md", "Text a.")
    write(tmp_path, "b.md", "---\nvisibility: public\n---\nText b.")
    write(tmp_path, "c.md", "---\nvisibility: {all: true}\n---\nText c.")
    loaded = load_documents([tmp_path])
    assert {d.id: d.visibility for d in loaded.documents} == {"a": ("internal",), "b": ("public",)}
    assert "c.md: field visibility must be text or a list" in reasons(loaded)


def test_html_keeps_structure_and_drops_scripts(tmp_path: Path) -> None:
    """Headings, steps, tables and code come through; scripts, styles and comments do not."""
    page = (
        "<html><head><title>Site</title><style>p{}</style></head><body><h1>Reset</h1><script>evil()</script>"
        "<!-- note --><h2>Steps</h2><ol><li>Open <b>Settings</b></li><li>Press Reset</li></ol>"
        "<table><tr><th>Plan</th><th>Price</th></tr><tr><td>Pro</td><td>5</td></tr></table><pre>a\n  b</pre></body></html>"
    )
    write(tmp_path, "page.html", page)
    (document,) = load_documents([tmp_path]).documents
    assert document.title == "Reset"
    assert "## Steps" in document.text
    assert "1. Open Settings" in document.text
    assert "2. Press Reset" in document.text
    assert "| Pro | 5 |" in document.text
    assert "```\na\n  b\n```" in document.text
    assert "evil" not in document.text
    assert "note" not in document.text


def test_a_broken_json_line_costs_only_itself(tmp_path: Path) -> None:
    """File and line are named and the other lines are read."""
    lines = ['{"id": "a", "text": "one"}', '{"id": "b", "text": ', "[1]", "", '{"id": "c", "text": "three"}']
    path = write(tmp_path, "kb.jsonl", "\n".join(lines))
    loaded = load_documents([path])
    assert [d.id for d in loaded.documents] == ["a", "c"]
    assert f"{path}:2: is not JSON" in reasons(loaded)
    assert f"{path}:3: must be a JSON object" in reasons(loaded)


def test_json_that_python_chokes_on_is_a_problem(tmp_path: Path) -> None:
    """Deep nesting and endless numbers are named, not raised."""
    path = write(
        tmp_path, "kb.jsonl", "[" * 200_000 + "\n" + '{"id": ' + "9" * 5_000 + "}\n" + '{"id":"ok","text":"x"}'
    )
    loaded = load_documents([path])
    assert [d.id for d in loaded.documents] == ["ok"]
    assert len(loaded.problems) == 2


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("empty.md", b"", "is empty"),
        ("blank.md", b"---\ntitle: T\n---\n![image](a.png)\n", "has no text"),
        ("binary.md", b"\x89PNG\r\n\x00\x00", "is binary"),
        ("nul.txt", b"text\x00text", "is binary"),
        ("latin.txt", b"line one\ncaf\xe9\n", "is not UTF-8 (byte 0xe9 in line 2)"),
        ("wide.txt", "text".encode("utf-16"), "is UTF-16"),
        ("yaml.md", b"---\na: [1\n---\nText", "front matter that is not YAML"),
        ("list.md", b"---\n- a\n---\nText", "front matter that is no list"),
        ("deep.html", b"<div>" * 20_000, "is nested too deeply"),
        ("deep.md", b"---\nid: " + b"[" * 5_000 + b"\n---\nText", "is nested too deeply"),
        ("tag.md", b"---\nid: !!timestamp x\n---\nText", "front matter that is not YAML"),
        ("bool.md", b"---\nid: !!bool x\n---\nText", "front matter that is not YAML"),
        ("nan.md", b"---\ntext: .nan\n---\n", "field text must be text, not nan"),
        ("labels.md", b"---\nvisibility: []\n---\nText", "field visibility names no label"),
        ("file.pptx", b"PK", "is of no kind that can be read"),
        ("file.docx", b"PK", "is a Word file that cannot be read"),
        ("file.pdf", b"PK", "is no PDF file"),
        ("huge.txt", b"word " * 1_100_000, "is 5.5 MB; a document may have at most 5 MB"),
    ],
)
def test_unusable_files_are_named(tmp_path: Path, name: str, data: bytes, says: str) -> None:
    """Each fault of a single file gives one sentence with its path, and its neighbour is still read."""
    write(tmp_path, name, data)
    write(tmp_path, "good.md", "Good text.")
    loaded = load_documents([tmp_path])
    assert [d.id for d in loaded.documents] == ["good"]
    assert len(loaded.problems) == 1
    assert f"{name}: " in reasons(loaded)
    assert says in reasons(loaded)


def test_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    """UTF-8 with a mark reads like UTF-8 without."""
    write(tmp_path, "a.md", "\ufeff# T\n\nBody.".encode())
    assert load_documents([tmp_path]).documents[0].title == "T"


def test_assets_and_hidden_files_are_no_problem(tmp_path: Path) -> None:
    """Pictures beside articles and hidden folders are passed over in silence."""
    write(tmp_path, "a.md", "Text.")
    write(tmp_path, "img/a.png", b"\x89PNG\x00")
    write(tmp_path, ".git/config.txt", "x")
    loaded = load_documents([tmp_path])
    assert len(loaded.documents) == 1
    assert not loaded.is_partial


def test_the_first_of_two_ids_is_kept_and_the_later_named(tmp_path: Path) -> None:
    """Duplicates name both places."""
    path = write(tmp_path, "kb.jsonl", '{"id":"a","text":"first"}\n{"id":"a","text":"second"}\n')
    loaded = load_documents([path])
    assert [d.text for d in loaded.documents] == ["first"]
    assert f"{path}:2: repeats id 'a' of {path}:1" in reasons(loaded)


def test_a_ticket_without_a_resolution_is_reported_and_not_indexed(tmp_path: Path) -> None:
    """The customer's words alone are no evidence; a ticket of only `text` counts as resolved by it."""
    rows = [
        {"id": "t1", "kind": "ticket", "question": "Why?", "resolution": " "},
        {"id": "t2", "kind": "ticket", "question": "Why?", "text": "customer writes"},
        {"id": "t3", "kind": "ticket", "text": "We reset it."},
        {"id": "t4", "question": "Why?", "resolution": "Because."},
    ]
    path = write(tmp_path, "t.jsonl", "\n".join(map(json.dumps, rows)))
    loaded = load_documents([path])
    assert {d.id: (d.kind, d.evidence) for d in loaded.documents} == {
        "t3": ("ticket", "We reset it."),
        "t4": ("ticket", "Because."),
    }
    assert "ticket 't1' has no resolution" in reasons(loaded)
    assert "ticket 't2' has no resolution" in reasons(loaded)


def test_csv_with_foreign_names_is_read_by_a_map(tmp_path: Path) -> None:
    """Mapped columns fill fields, quoted line breaks stay, semicolons separate too."""
    path = write(tmp_path, "t.csv", 'Ticket #;Last reply;Question\n17;"Reset it.\nThen wait.";Why?\n')
    loaded = load_documents([path], field_map=FieldMap.parse(["id=Ticket #", "resolution=Last reply"]))
    (ticket,) = loaded.documents
    assert (ticket.id, ticket.kind, ticket.question) == ("17", "ticket", "Why?")
    assert ticket.resolution == "Reset it.\nThen wait."


def test_a_missing_column_lists_what_was_found(tmp_path: Path) -> None:
    """Both a mapped column that is not there and a missing id list the names of the file."""
    path = write(tmp_path, "t.csv", "Number,Answer\n1,Yes it does\n")
    mapped = load_documents([path], field_map=FieldMap.parse(["id=Ticket #"]))
    assert "has no column 'Ticket #' for id; found 'Number', 'Answer'" in reasons(mapped)
    assert "has no id; found 'Number', 'Answer'" in reasons(load_documents([path]))


def test_a_csv_row_of_another_encoding_costs_only_itself(tmp_path: Path) -> None:
    """The row is named by its line and the others are read."""
    path = write(tmp_path, "t.csv", b"id,text\n1,caf\xe9\n2,fine\n3,a,b,c\n")
    loaded = load_documents([path])
    assert [d.id for d in loaded.documents] == ["2"]
    assert f"{path}:2: is not UTF-8" in reasons(loaded)
    assert f"{path}:4: has more columns than the header" in reasons(loaded)


def test_a_binary_csv_is_refused_whole(tmp_path: Path) -> None:
    """NUL bytes say that it is no table."""
    loaded = load_documents([write(tmp_path, "t.csv", b"PK\x00\x01")])
    assert "is binary" in reasons(loaded)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_a_table_in_the_unicode_text_of_excel(tmp_path: Path, encoding: str) -> None:
    """UTF-16 with its mark and tabs is read as any table."""
    mark = "" if encoding == "utf-16" else "\ufeff"
    text = f"{mark}id\ttitle\ttext\r\nu1\tTür\tÄpfel liegen dort.\r\n"
    loaded = load_documents([write(tmp_path, "t.csv", text.encode(encoding))])
    assert [(d.id, d.title, d.text) for d in loaded.documents] == [("u1", "Tür", "Äpfel liegen dort.")]
    assert loaded.problems == ()


def test_a_line_of_fifty_megabytes_is_refused_without_being_kept(tmp_path: Path) -> None:
    """One endless line names its size; the next line is read."""
    path = write(tmp_path, "kb.jsonl", b'{"id":"big","text":"' + b"a" * 6_000_000 + b'"}\n{"id":"ok","text":"fine"}\n')
    loaded = load_documents([path])
    assert [d.id for d in loaded.documents] == ["ok"]
    assert f"{path}:1: is 6.0 MB" in reasons(loaded)


def test_text_is_cleaned_of_what_stores_cannot_hold(tmp_path: Path) -> None:
    """NUL and lone surrogates of JSON escapes are replaced."""
    path = write(tmp_path, "kb.jsonl", r'{"id":"a","text":"x\u0000y \ud800 z"}')
    (document,) = load_documents([path]).documents
    assert document.text == "x y \ufffd z"
    document.text.encode()


def test_values_of_a_wrong_kind_are_named(tmp_path: Path) -> None:
    """A mapping where text belongs is a problem; numbers become text."""
    path = write(tmp_path, "kb.jsonl", '{"id":1,"text":{"a":1}}\n{"id":2,"text":"x","people":5}\n{"id":3,"text":"y"}')
    loaded = load_documents([path])
    assert [d.id for d in loaded.documents] == ["3"]
    assert "field text must be text, not dict" in reasons(loaded)
    assert "field people must be text or a list" in reasons(loaded)


def test_a_path_that_is_not_there_is_a_problem(tmp_path: Path) -> None:
    """Nothing is raised for a wrong path."""
    assert "does not exist" in reasons(load_documents([tmp_path / "none"]))


@pytest.mark.parametrize("pair", ["id", "id=", "nothing=Column"])
def test_a_wrong_map_is_refused(pair: str) -> None:
    """Pairs need a known field and a column."""
    with pytest.raises(FieldInvalid):
        FieldMap.parse([pair])


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("updated_at", "2024-99-99", "updated_at '2024-99-99' is no ISO 8601 date"),
        ("valid_until", "soon", "valid_until 'soon' is no ISO 8601 date"),
        ("kind", "a <b>", "kind 'a <b>' is no plain word"),
        ("url", "javascript:alert(1)", "is no plain http(s) address"),
        ("url", "data:text/html,x", "is no plain http(s) address"),
        ("url", "https://a.example/|<!here>", "is no plain http(s) address"),
        ("url", "https://name@a.example/", "is no plain http(s) address"),
        ("url", "http://[::1", "is no plain http(s) address"),
        ("queue", "<!channel>", "queue '<!channel>' holds a mention or markup"),
        ("owner", "team @here", "owner 'team @here' holds a mention or markup"),
        ("product", "[x](https://evil.example)", "holds a mention or markup"),
    ],
)
def test_an_unsafe_or_unreadable_value_is_left_out_and_named(tmp_path: Path, name: str, value: str, says: str) -> None:
    """The document is kept without the value, from front matter and from rows alike."""
    write(tmp_path, "a.md", f"---\n{name}: {json.dumps(value)}\n---\nText.")
    write(tmp_path, "b.jsonl", json.dumps({"id": "b", "text": "Text.", name: value}))
    loaded = load_documents([tmp_path])
    assert [d.id for d in loaded.documents] == ["a", "b"]
    assert all(getattr(d, name) in ("", None, "article") for d in loaded.documents)
    assert reasons(loaded).count(says) == 2
    assert "b.jsonl:1: " in reasons(loaded)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("updated_at", "2026-01-05"),
        ("updated_at", "2026-01-05T10:00:00Z"),
        ("created_at", "2026-01-05 10:00 UTC"),
        ("review_by", "2026-07"),
        ("url", "https://help.example/a?b=c#d"),
        ("url", "http://127.0.0.1:8080/x"),
        ("queue", "R&D > billing"),
        ("owner", "Ann Lee <ann@example.com>"),
        ("kind", "Ticket"),
    ],
)
def test_usual_values_are_kept(tmp_path: Path, name: str, value: str) -> None:
    """Dates, addresses and labels as people write them are no problem."""
    write(tmp_path, "b.jsonl", json.dumps({"id": "b", "text": "Text.", name: value}))
    loaded = load_documents([tmp_path])
    assert not loaded.problems
    assert getattr(loaded.documents[0], name) == (value.casefold() if name == "kind" else value)


def test_ids_and_titles_are_one_line(tmp_path: Path) -> None:
    """A line break in a title cannot begin a line of its own in an answer."""
    write(tmp_path, "b.jsonl", json.dumps({"id": "b\nc", "title": "One\n<!channel>\ntwo", "text": "Text."}))
    (document,) = load_documents([tmp_path]).documents
    assert (document.id, document.title) == ("b c", "One <!channel> two")


@contextmanager
def without_root() -> Iterator[None]:
    """Give up root's right to read everything, where the tests have it."""
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(65_534)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)


def test_a_folder_that_cannot_be_listed_is_a_problem() -> None:
    """Its documents would else be taken out of the index in silence; the root folder itself counts too."""
    with TemporaryDirectory() as name:  # pytest's own folders are closed to everybody but root
        folder = Path(name)
        write(folder, "a.md", "Text.")
        write(folder, "closed/b.md", "Text.")
        folder.chmod(0o755)
        (folder / "closed").chmod(0)
        with without_root():
            loaded, alone = load_documents([folder]), load_documents([folder / "closed"])
        (folder / "closed").chmod(0o700)
        assert [d.id for d in loaded.documents] == ["a"]
        assert f"{folder / 'closed'}: cannot be read (Permission denied)" in reasons(loaded)
        assert "cannot be read (Permission denied)" in reasons(alone)


def test_links_out_of_the_folder_and_into_nowhere_are_problems(tmp_path: Path) -> None:
    """Only a link to a file inside is read."""
    outside = write(tmp_path, "outside/secret.txt", "Nobody reads this.")
    root = tmp_path / "kb"
    write(root, "a.md", "Text.")
    (root / "inside.md").symlink_to("a.md")
    (root / "out.txt").symlink_to(outside)
    (root / "nowhere.md").symlink_to(root / "gone.md")
    (root / "ring.md").symlink_to(root / "ring.md")
    (root / "folder").symlink_to(outside.parent)
    loaded = load_documents([root])
    assert [d.id for d in loaded.documents] == ["a", "inside"]
    assert sorted(str(p) for p in loaded.problems) == [
        f"{root / 'folder'}: is a link out of the folder; it is not followed",
        f"{root / 'nowhere.md'}: is a link that leads nowhere",
        f"{root / 'out.txt'}: is a link out of the folder; it is not followed",
        f"{root / 'ring.md'}: is a link that leads nowhere",
    ]


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    """Named alone or found in a folder it is a problem."""
    os.mkfifo(tmp_path / "fifo.md")
    for path in (tmp_path / "fifo.md", tmp_path):
        assert "fifo.md: is no regular file" in reasons(load_documents([path]))


def test_an_empty_path_is_not_the_current_folder() -> None:
    """It is a problem."""
    loaded = load_documents([""])
    assert reasons(loaded) == "'': is an empty path"


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [("a.jsonl", "\n\n", "is empty"), ("a.csv", "", "is empty"), ("a.csv", "ID,text\n", "has a header and no rows")],
)
def test_a_table_without_rows_is_noted(tmp_path: Path, name: str, data: str, says: str) -> None:
    """Nothing was lost, so it is no problem, but it is said."""
    loaded = load_documents([write(tmp_path, name, data)])
    assert not loaded.problems
    assert [str(note) for note in loaded.notes] == [f"{tmp_path / name}: {says}"]


def test_a_row_in_the_place_of_the_header_is_a_problem(tmp_path: Path) -> None:
    """A table of one line that names no id lost that line."""
    loaded = load_documents([write(tmp_path, "a.csv", "kb-1,Some text\n")])
    assert "a.csv:1: has no id; found 'kb-1', 'Some text'" in reasons(loaded)
