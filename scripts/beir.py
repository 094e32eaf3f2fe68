"""Reads BEIR's layout of questions: `queries.jsonl` and judgements in `qrels/*.tsv`, given as rows of our own form.

Source: https://github.com/beir-cellar/beir, `beir/datasets/data_loader.py`.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from scripts.queries import Row, RowsInvalid, read_each_row

QUERIES = "queries.jsonl"
QRELS = "qrels"
# The split that is measured when none is named.
_SPLITS = ("test", "dev")
_COLUMNS = "query-id, corpus-id and score, separated by tabs"


@dataclass(frozen=True, slots=True)
class _Judged:
    """Scores of one query's documents, and the line that named the query first."""

    where: str
    scores: dict[str, float]


def has_layout(path: Path) -> bool:
    """Say whether a path is a folder, or a file of unlabelled queries beside a folder of judgements."""
    if path.is_dir() or not (path.is_file() and (path.parent / QRELS).is_dir()):
        return path.is_dir()
    first = next(read_each_row(path), None)
    return isinstance(first, Row) and "_id" in first.values and not {"relevant", "answerable"} & first.values.keys()


def read_beir(path: Path, *, qrels: Path | None = None, faults: list[RowsInvalid] | None = None) -> Iterator[Row]:
    """Give the judged queries of one split as rows with `id`, `query`, `relevant` and `grades`.

    Queries that the split does not judge belong to another one and are left out. One whose documents all have score 0
    has no relevant document. What else stands in a line is kept.

    Args:
        path: the folder, or its file of queries.
        qrels: file of the split; else `test`, else `dev`, else the only one.
        faults: takes the lines of queries that are broken, in place of the first one being an error; a judgement of a query
            that is not there may then be of such a line, and is none.

    Raises:
        RowsInvalid: a file cannot be read, or a line is not of this layout; names file and line.
    """
    queries = path / QUERIES if path.is_dir() else path
    if path.is_dir() and not queries.is_file():
        raise RowsInvalid(f"{path}: holds no {QUERIES}")
    judged = _judgements(qrels or _split(queries.parent / QRELS))
    seen: dict[str, str] = {}
    for row in read_each_row(queries):
        if isinstance(row, RowsInvalid):
            if faults is None:
                raise row
            faults.append(row)
            continue
        name = row.text("_id" if "_id" in row.values else "id")
        if name in seen:
            raise RowsInvalid(f"{row.where}: has the id {name!r} of {seen[name]}")
        seen[name] = row.where
        if name in judged:
            yield _row(row, name, judged[name].scores)
    for name, one in judged.items():
        if name not in seen and not faults:
            raise RowsInvalid(f"{one.where}: judges the query {name!r}, which {queries} does not hold")


def _row(row: Row, name: str, scores: Mapping[str, float]) -> Row:
    query = row.text("text" if "text" in row.values else "query")
    grades = {document: score for document, score in scores.items() if score > 0}
    return Row(row.where, {**row.values, "id": name, "query": query, "relevant": list(grades), "grades": grades})


def _split(folder: Path) -> Path:
    """Choose the file of judgements of a folder."""
    found = sorted(folder.glob("*.tsv")) if folder.is_dir() else []
    by_name = {file.stem: file for file in found}
    chosen = next((by_name[name] for name in _SPLITS if name in by_name), None)
    if chosen is None and len(found) == 1:
        chosen = found[0]
    if chosen is None:
        seen = f"holds {', '.join(by_name)}; choose one with --qrels" if found else "holds no judgements (*.tsv)"
        raise RowsInvalid(f"{folder}: {seen}")
    return chosen


def _judgements(path: Path) -> dict[str, _Judged]:
    judged: dict[str, _Judged] = {}
    try:
        with path.open("rb") as file:
            for number, raw in enumerate(file, start=1):
                where = f"{path}:{number}"
                if raw.strip() and (found := _judgement(raw, where, is_first=number == 1)):
                    query, document, score = found
                    # A document judged twice has its last score, as in BEIR's own reader.
                    judged.setdefault(query, _Judged(where, {})).scores[document] = score
    except OSError as error:
        raise RowsInvalid(f"{path}: {error.strerror}") from None
    if not judged:
        raise RowsInvalid(f"{path}: holds no judgements")
    return judged


def _judgement(raw: bytes, where: str, *, is_first: bool) -> tuple[str, str, float] | None:
    """Read one line; None for the header, which only the first line can be."""
    try:
        columns = [part.strip() for part in raw.decode("utf-8-sig").split("\t")]
    except UnicodeDecodeError:
        raise RowsInvalid(f"{where}: is not UTF-8") from None
    if len(columns) != 3 or not columns[0] or not columns[1]:
        raise RowsInvalid(f"{where}: must be {_COLUMNS}")
    try:
        score = float(columns[2])
    except ValueError:
        if is_first:
            return None
        raise RowsInvalid(f"{where}: has the score {columns[2]!r}, which is no number") from None
    if not math.isfinite(score):
        raise RowsInvalid(f"{where}: has the score {columns[2]!r}, which is no number")
    return columns[0], columns[1], score
