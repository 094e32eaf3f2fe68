"""PDF and Word files to text, through pypdf and python-docx, within bounds that no honest article reaches.

Imported when the first such file is read: the parsers take 0.3 s.
"""

import io
import logging
import re
import time
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docx import Document as WordDocument
from docx.opc.exceptions import OpcError
from docx.oxml.exceptions import InvalidXmlError
from docx.oxml.ns import qn
from docx.table import Table
from docx.text.paragraph import Paragraph
from lxml.etree import LxmlError
from pypdf import PdfReader
from pypdf.errors import PyPdfError

from retrieval.documents.decoding import NotText, clean

MAX_FILE_BYTES = 50_000_000
MAX_PAGES = 1_000
# A page of text is some kilobytes; its drawing commands some hundred. What unfolds to more is a picture or a bomb.
MAX_PAGE_BYTES = 5_000_000
MAX_TEXT = 5_000_000
MAX_UNPACKED_BYTES = 100_000_000
MAX_SECONDS = 60.0
MAX_FIRST_LINE = 100
_PARAGRAPH = qn("w:p")
_TAKEN_OUT = (qn("w:del"), qn("w:moveFrom"))
_WRAPPERS = tuple(map(qn, ("w:ins", "w:moveTo", "w:sdt", "w:sdtContent", "w:smartTag", "w:customXml")))
_PDF_FAULTS = (PyPdfError, ValueError, TypeError, LookupError, AttributeError, ArithmeticError, NotImplementedError)
_WORD_FAULTS = (
    OpcError,
    InvalidXmlError,
    LxmlError,
    zipfile.BadZipFile,
    KeyError,
    ValueError,
    AttributeError,
    NotImplementedError,
)
# Of a library's warnings one a file is too many: what matters is a remark of the report.
logging.getLogger("pypdf").setLevel(logging.CRITICAL)


@dataclass(frozen=True, slots=True)
class Bound:
    """What was read: values by field name, and a sentence for each part that was left out."""

    values: dict[str, object]
    remarks: tuple[str, ...] = ()


def read_bound(path: Path) -> Bound:
    """Read a PDF or Word file.

    Raises:
        NotText: too large, encrypted, a bomb, broken, or pictures only; the message is one clear sentence.
    """
    if (size := path.stat().st_size) > MAX_FILE_BYTES:
        raise NotText(f"is {size / 1e6:.0f} MB; such a file may have at most {MAX_FILE_BYTES / 1e6:.0f} MB")
    data = path.read_bytes()
    bound = _read_pdf(data) if path.suffix.lower() == ".pdf" else _read_word(data)
    if not str(bound.values["text"]).strip():
        raise NotText("holds no text (scanned pages need a text layer)")
    return bound


def _read_pdf(data: bytes) -> Bound:
    if not data.lstrip()[:5].startswith(b"%PDF"):
        raise NotText("is no PDF file")
    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise NotText("is encrypted; save it without a password")
        count = len(reader.pages)
        title = str(reader.metadata.title or "") if reader.metadata else ""
    except (*_PDF_FAULTS, RecursionError) as error:
        if isinstance(error, NotText):
            raise
        raise NotText(f"is a PDF file that cannot be read ({type(error).__name__})") from None
    pages, remarks = _pages(reader, count)
    text = clean("\n\n".join(pages))
    return Bound({"title": clean(title).strip() or _first_line(text), "text": text}, tuple(remarks))


def _first_line(text: str) -> str:
    """Give what stands above the text of a file without a title when it is short; it stays in the text too."""
    first = " ".join(text.strip().partition("\n")[0].split())
    return first if len(first) <= MAX_FIRST_LINE and re.search(r"\w", first) else ""


def _pages(reader: PdfReader, count: int) -> tuple[list[str], list[str]]:
    pages: list[str] = []
    remarks: list[str] = []
    ends = time.monotonic() + MAX_SECONDS
    for number in range(count):
        if number >= MAX_PAGES or time.monotonic() > ends or sum(map(len, pages)) > MAX_TEXT:
            remarks.append(f"has {count} pages; only the first {number} were read")
            break
        try:
            page = reader.pages[number]
            contents = page.get_contents()
            if contents is not None and len(contents.get_data()) > MAX_PAGE_BYTES:
                remarks.append(f"page {number + 1} unfolds to more than {MAX_PAGE_BYTES / 1e6:.0f} MB; it is left out")
                continue
            pages.append(page.extract_text().strip())
        except (*_PDF_FAULTS, RecursionError, MemoryError) as error:
            remarks.append(f"page {number + 1} cannot be read ({type(error).__name__}); it is left out")
    return pages, remarks


def _read_word(data: bytes) -> Bound:
    if data[:8] == b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1":
        raise NotText("is encrypted, or an old .doc file; save it as .docx without a password")
    try:
        _check_unpacked(data)
        document = WordDocument(io.BytesIO(data))
        _settle(document.element.body)
        blocks = list(_blocks(document.iter_inner_content()))
        title = document.core_properties.title or ""
    except NotText:
        raise
    except (*_WORD_FAULTS, RecursionError) as error:
        raise NotText(f"is a Word file that cannot be read ({type(error).__name__})") from None
    if not title and blocks and blocks[0].startswith("# "):
        title = blocks.pop(0)[2:]
    return Bound({"title": clean(title).strip(), "text": clean("\n\n".join(blocks))})


def _settle(body: Any) -> None:
    """Take tracked changes for accepted, and what stands in content controls for text; python-docx passes both over."""
    for element in list(body.iter(*_TAKEN_OUT)):
        element.getparent().remove(element)
    for element in list(body.iter(*_WRAPPERS)):
        for child in list(element):
            element.addprevious(child)
        element.getparent().remove(element)


def _check_unpacked(data: bytes) -> None:
    """Refuse an archive that unfolds to more than a document has, by what it really holds and not by what it says."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        total = 0
        for entry in archive.infolist():
            if entry.flag_bits & 1:
                raise NotText("is encrypted; save it without a password")
            with archive.open(entry) as file:
                while block := file.read(1 << 20):
                    total += len(block)
                    if total > MAX_UNPACKED_BYTES:
                        limit = f"{MAX_UNPACKED_BYTES / 1e6:.0f} MB"
                        raise NotText(f"unfolds to more than {limit}, which no article does; it is not opened")


def _blocks(content: "Iterator[Paragraph | Table]") -> Iterator[str]:
    for item in content:
        if isinstance(item, Table):
            yield "\n".join(_rows(item))
        elif text := item.text.strip():
            yield _marked(text, str(getattr(item.style, "name", "") or ""))


def _marked(text: str, style: str) -> str:
    if style == "Title":
        return f"# {text}"
    if style.startswith("Heading "):
        return f"{'#' * min(6, int(style[8:]) if style[8:].isdigit() else 2)} {text}"
    if style.startswith("List Number"):
        return f"1. {text}"
    return f"- {text}" if style.startswith("List") else text


def _rows(table: Table) -> Iterator[str]:
    """Give a line a row. python-docx lays the whole grid out anew for each row it is asked for, so the XML is read."""
    for row in table._tbl.tr_lst:  # noqa: SLF001 - 10 000 rows take minutes by the public way
        cells = [" ".join(" ".join(part.text for part in cell.iter(_PARAGRAPH)).split()) for cell in row.tc_lst]
        yield f"| {' | '.join(cells)} |"
