"""Paths to documents. What cannot be read becomes a problem that names file and line; nothing here raises for bad input."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from retrieval.documents.decoding import MAX_DOCUMENT_BYTES, NotText, decode, too_large
from retrieval.documents.document import TICKET, Document, Loaded, Problem
from retrieval.documents.fields import FieldInvalid, FieldMap, document_from
from retrieval.documents.markup import html_to_text, is_blank, split_front_matter, split_title
from retrieval.documents.records import Record, read_csv, read_json_lines

_MARKDOWN = frozenset({".md", ".markdown", ".mdx"})
_HTML = frozenset({".html", ".htm", ".xhtml"})
_TEXT = frozenset({".txt", ".text", ".rst", ".adoc"})
_TABLES = frozenset({".csv", ".tsv"})
_JSON_LINES = frozenset({".jsonl", ".ndjson"})
_READ = _MARKDOWN | _HTML | _TEXT | _TABLES | _JSON_LINES
# Lies beside articles in every documentation folder and is no document.
_ASSET_SUFFIXES = ".png .jpg .jpeg .gif .svg .webp .ico .bmp .mp4 .webm .mov .css .js .ts .map .woff .woff2 .ttf .yaml .yml .toml .lock"
_ASSETS = frozenset(_ASSET_SUFFIXES.split())
NO_FIELDS = FieldMap({})


def load_documents(paths: Sequence[Path | str], *, field_map: FieldMap = NO_FIELDS) -> Loaded:
    """Read documents from folders and files.

    A folder gives its Markdown, HTML, text, CSV and JSON Lines files in the order of their names. The id of a single-document file
    is `id` of its front matter, else its path below the folder without extension. Of two documents with one id the
    first is kept. A ticket without a resolution and a document without text are problems too.
    """
    documents: dict[str, Document] = {}
    problems: list[Problem] = []
    blank = 0
    for item in _read_all([Path(path) for path in paths], field_map):
        problem = item if isinstance(item, Problem) else _refused(item, documents)
        if problem is None and isinstance(item, Document):
            documents[item.id] = item
        elif problem is not None:
            problems.append(problem)
            blank += isinstance(item, Document) and item.kind != TICKET and is_blank(item.evidence)
    return Loaded(tuple(documents.values()), tuple(problems), blank)


def _refused(document: Document, known: dict[str, Document]) -> Problem | None:
    if document.id in known:
        return Problem(document.source, f"repeats id {document.id!r} of {known[document.id].source}; the first is kept")
    if is_blank(document.evidence):
        if document.kind == TICKET:
            return Problem(document.source, f"ticket {document.id!r} has no resolution; it is not indexed")
        return Problem(document.source, f"document {document.id!r} has no text; it is not indexed")
    return None


def _read_all(paths: Iterable[Path], field_map: FieldMap) -> Iterator[Document | Problem]:
    for path in paths:
        if path.is_dir():
            for file in sorted(p for p in path.rglob("*") if _is_wanted(p, path)):
                yield from _read_file(file, file.relative_to(path).with_suffix("").as_posix(), field_map)
        elif path.exists():
            yield from _read_file(path, path.stem, field_map)
        else:
            yield Problem(str(path), "does not exist")


def _is_wanted(path: Path, root: Path) -> bool:
    hidden = any(part.startswith(".") for part in path.relative_to(root).parts)
    return not hidden and path.suffix.lower() not in _ASSETS and path.is_file()


def _read_file(path: Path, name: str, field_map: FieldMap) -> Iterator[Document | Problem]:
    suffix = path.suffix.lower()
    try:
        if suffix in _JSON_LINES:
            yield from _from_records(read_json_lines(path), field_map)
        elif suffix in _TABLES:
            yield from _from_records(read_csv(path), field_map)
        elif suffix in _READ:
            yield _single(path, name)
        else:
            yield Problem(str(path), "is of no kind that can be read (Markdown, HTML, text, CSV, JSON Lines)")
    except OSError as error:
        yield Problem(str(path), f"cannot be read ({error.strerror or type(error).__name__})")


def _from_records(records: Iterable[Record | Problem], field_map: FieldMap) -> Iterator[Document | Problem]:
    for record in records:
        if isinstance(record, Problem):
            yield record
            continue
        where, values = record
        try:
            yield document_from(field_map.apply(values), where)
        except FieldInvalid as error:
            yield Problem(where, str(error))


def _single(path: Path, name: str) -> Document | Problem:
    size = path.stat().st_size
    if size > MAX_DOCUMENT_BYTES:
        return Problem(str(path), too_large(size))
    try:
        text = decode(path.read_bytes())
        values, text = split_front_matter(text)
        if path.suffix.lower() in _HTML:
            title, text = html_to_text(text)
        elif path.suffix.lower() in _MARKDOWN:
            title, text = split_title(text)
        else:
            title = ""
        if not text.strip() and not values and not title:
            return Problem(str(path), "is empty")
        own: dict[str, object] = {"id": name, "title": title, "text": text}
        return document_from(NO_FIELDS.apply(own | _given(values)), str(path))
    except (NotText, FieldInvalid) as error:
        return Problem(str(path), str(error))


def _given(values: dict[str, object]) -> dict[str, object]:
    """Give the front matter without blanks: an empty `title:` must not hide the heading."""
    return {name: value for name, value in values.items() if value not in (None, "")}
