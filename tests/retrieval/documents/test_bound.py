"""Claims of `retrieval.documents.bound`: PDF and Word files are read within bounds, and what is not read is named."""

import io
import zipfile
import zlib
from pathlib import Path

import docx
import pytest
from pypdf import PdfReader, PdfWriter

from retrieval.documents import bound, load_documents
from tests.retrieval.documents.test_load import reasons, write


def pdf(*pages: bytes, title: str = "") -> bytes:
    """Make a PDF with one line of text a page; `pages` are drawing commands or plain words."""
    count = len(pages)
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(count))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {count} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, words in enumerate(pages):
        stream = zlib.compress(b"BT /F1 12 Tf 50 700 Td (" + words + b") Tj ET")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {5 + 2 * number} 0 R"
            " /Resources << /Font << /F1 3 0 R >> >> >>".encode()
        )
        head = f"<< /Length {len(stream)} /Filter /FlateDecode >>\nstream\n".encode()
        objects.append(head + stream + b"\nendstream")
    objects.append(f"<< /Title ({title}) >>".encode())
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    tail = f"<< /Size {len(objects) + 1} /Root 1 0 R /Info {len(objects)} 0 R >>\nstartxref\n{len(out)}\n%%EOF"
    return out + f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer\n{tail}".encode()


def encrypted(data: bytes, password: str) -> bytes:
    """Encrypt a PDF."""
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(data)))
    writer.encrypt(password, owner_password="owner", algorithm="AES-256")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def word(*, rows: int = 2) -> bytes:
    """Make a Word file with headings, a list and a table."""
    document = docx.Document()
    document.core_properties.title = ""
    document.add_heading("Refund policy", 0)
    document.add_heading("Deadlines", 2)
    document.add_paragraph("Within 30 days.")
    document.add_paragraph("Write to billing", style="List Bullet")
    table = document.add_table(rows=1, cols=2)
    table.rows[0].cells[0].text, table.rows[0].cells[1].text = "Plan", "Price"
    row = table._tbl.tr_lst[0]
    for _ in range(rows - 1):
        row.addnext(row.__deepcopy__({}))
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def bomb() -> bytes:
    """Make a Word file that unfolds to 300 MB."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("word/document.xml", "w") as file:
        for _ in range(300):
            file.write(b"\0" * 1_000_000)
    return out.getvalue()


def test_a_pdf_is_read(tmp_path: Path) -> None:
    """Title of its metadata, text page by page, id by path."""
    write(tmp_path, "guides/setup.pdf", pdf(b"First page.", b"Second page.", title="Setup"))
    (document,) = load_documents([tmp_path]).documents
    assert (document.id, document.title, document.text) == ("guides/setup", "Setup", "First page.\n\nSecond page.")


@pytest.mark.parametrize(("line", "title"), [(b"Holiday deliveries", "Holiday deliveries"), (b"word " * 40, "my plan")])
def test_a_pdf_without_a_title_is_called_by_its_first_line(tmp_path: Path, line: bytes, title: str) -> None:
    """A whole paragraph is none; then the name of the file is."""
    write(tmp_path, "my_plan.pdf", pdf(line, b"Second page."))
    (document,) = load_documents([tmp_path]).documents
    assert document.title == title
    assert document.text.startswith(line.decode().strip())


def test_a_pdf_that_opens_without_a_password_is_read(tmp_path: Path) -> None:
    """Encrypted against printing only: everybody may read it."""
    write(tmp_path, "a.pdf", encrypted(pdf(b"Open words."), ""))
    assert load_documents([tmp_path]).documents[0].text == "Open words."


def test_a_word_file_is_read(tmp_path: Path) -> None:
    """Its title heading is the title; headings, lists and tables keep a Markdown form in their order."""
    write(tmp_path, "refunds.docx", word())
    (document,) = load_documents([tmp_path]).documents
    assert document.title == "Refund policy"
    assert document.text.startswith("## Deadlines\n\nWithin 30 days.\n\n- Write to billing\n\n| Plan | Price |")


def test_a_table_of_10_000_rows_is_read(tmp_path: Path) -> None:
    """Nothing of it is lost; the public way of python-docx would take minutes."""
    write(tmp_path, "a.docx", word(rows=10_000))
    assert load_documents([tmp_path]).documents[0].text.count("| Plan | Price |") == 10_000


def test_unusable_files_are_named_and_hide_what_was_there(tmp_path: Path) -> None:
    """Encrypted, bombs, broken, empty: one sentence each; the good file is read, and what they held is not taken for deleted."""
    faults = {
        "locked.pdf": (encrypted(pdf(b"Words."), "secret"), "is encrypted; save it without a password"),
        "locked.docx": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "is encrypted, or an old .doc file"),
        "bomb.docx": (bomb(), "unfolds to more than 100 MB"),
        "cut.docx": (word()[:3_000], "is a Word file that cannot be read"),
        "other.docx": (zipped("hello.txt"), "is a Word file that cannot be read"),
        "cut.pdf": (b"%PDF-1.4\n1 0 obj\n<<", "is a PDF file that cannot be read"),
        "blank.pdf": (pdf(b""), "holds no text"),
    }
    for name, (data, _) in faults.items():
        write(tmp_path, name, data)
    write(tmp_path, "good.pdf", pdf(b"Good words."))
    loaded = load_documents([tmp_path])
    assert [d.id for d in loaded.documents] == ["good"]
    for name, (_, says) in faults.items():
        assert f"{name}: {says}" in reasons(loaded), name
    assert len(loaded.problems) == len(faults)
    assert loaded.broken_places == faults.keys()


def zipped(name: str) -> bytes:
    """Make an archive that is no Word file."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(name, "x")
    return out.getvalue()


def test_a_page_that_is_a_bomb_costs_itself(tmp_path: Path) -> None:
    """A page that unfolds to megabytes is left out and named; its neighbours are read."""
    write(tmp_path, "a.pdf", pdf(b"First.", b" " * (bound.MAX_PAGE_BYTES + 1), b"Third."))
    loaded = load_documents([tmp_path])
    assert loaded.documents[0].text == "First.\n\nThird."
    assert "page 2 unfolds to more than 5 MB; it is left out" in reasons(loaded)


def test_pages_beyond_the_cap_are_named(tmp_path: Path) -> None:
    """The first pages are read, how many there are is said."""
    write(tmp_path, "a.pdf", pdf(*[b"Page."] * (bound.MAX_PAGES + 3)))
    loaded = load_documents([tmp_path])
    assert loaded.documents[0].text.count("Page.") == bound.MAX_PAGES
    assert "has 1003 pages; only the first 1000 were read" in reasons(loaded)


def test_a_file_that_is_too_large_is_not_opened(tmp_path: Path) -> None:
    """Its size is said."""
    path = write(tmp_path, "a.pdf", b"%PDF")
    with path.open("r+b") as file:
        file.truncate(bound.MAX_FILE_BYTES + 1)
    with pytest.raises(ValueError, match="is 50 MB; such a file may have at most 50 MB"):
        bound.read_bound(path)
