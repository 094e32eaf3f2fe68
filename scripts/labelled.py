"""Labelled questions of `triage eval` and `triage calibrate`: rows of our own form, or BEIR's layout."""

import argparse
import math
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from retrieval.errors import EvaluationInvalid
from retrieval.evaluation import LabelledQuestion
from scripts.beir import has_layout, read_beir
from scripts.queries import Row, RowsInvalid, read_each_row, read_rows

ROWS = '{"id", "query", "relevant": [ids], "answerable"?, "previous_user_turns"?, "lang"?, "reference_answer"?, "grades"?, "held_out"?}'

Used = TypeVar("Used")


def add_question_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare where the labelled questions are."""
    parser.add_argument(
        "--queries",
        type=Path,
        required=True,
        metavar="FILE.jsonl|FOLDER",
        help=f"rows {ROWS}, or a folder in BEIR's layout (queries.jsonl, qrels/*.tsv)",
    )
    parser.add_argument(
        "--qrels", type=Path, metavar="FILE.tsv", help="judgements of a BEIR folder (default: qrels/test.tsv, else dev)"
    )


def labelled_rows(path: Path, *, qrels: Path | None = None) -> Iterator[Row]:
    """Give the rows of a file of our own form, or of a folder (or its queries.jsonl) in BEIR's layout.

    Raises:
        RowsInvalid: the file, a line, or a judgement cannot be read; names file and line.
    """
    if qrels is not None or has_layout(path):
        return read_beir(path, qrels=qrels)
    return read_rows(path)


def read_questions(path: Path, *, qrels: Path | None = None) -> list[LabelledQuestion]:
    """Read the labelled questions, in the order of the file.

    Raises:
        RowsInvalid: as `labelled_rows`, or a row has values of a wrong kind.
        EvaluationInvalid: there are none, or a row is not labelled.
    """
    questions = [question_of(row) for row in labelled_rows(path, qrels=qrels)]
    if not questions:
        raise EvaluationInvalid(f"{path}: holds no questions")
    return questions


def usable_questions(path: Path, *, qrels: Path | None = None) -> tuple[list[LabelledQuestion], int]:
    """Read the labelled questions that can be used, tell every line that cannot, and give how many those are.

    Raises:
        RowsInvalid: the file cannot be read, or a judgement of BEIR's layout.
        EvaluationInvalid: there are none.
    """
    if qrels is not None or has_layout(path):
        faults: list[RowsInvalid] = []
        rows = list(read_beir(path, qrels=qrels, faults=faults))
        return _usable([*faults, *rows], path, question_of, "questions")
    return usable_rows(path, question_of, "questions")


def usable_rows(path: Path, read: Callable[[Row], Used], what: str) -> tuple[list[Used], int]:
    """Give what `read` makes of every row of a file (`what`, for messages), and how many lines were told and left out.

    Raises:
        RowsInvalid: the file cannot be read.
        EvaluationInvalid: there is no row that can be used.
    """
    return _usable(read_each_row(path), path, read, what)


def _usable(
    rows: Iterable[Row | RowsInvalid], path: Path, read: Callable[[Row], Used], what: str
) -> tuple[list[Used], int]:
    found: list[Used] = []
    skipped = 0
    for row in rows:
        try:
            if isinstance(row, RowsInvalid):
                raise row
            found.append(read(row))
        except (RowsInvalid, EvaluationInvalid) as fault:
            print(f"triage: {fault}", file=sys.stderr)
            skipped += 1
    if not found:
        raise EvaluationInvalid(f"{path}: holds no {what}" + (" that can be used" if skipped else ""))
    return found, skipped


def question_of(row: Row) -> LabelledQuestion:
    """Give the labelled question of a row.

    Raises:
        RowsInvalid: a value is of a wrong kind.
        EvaluationInvalid: it says neither what is relevant nor that nothing answers.
    """
    relevant = row.texts("relevant")
    answerable = row.values.get("answerable")
    if not (answerable is None or isinstance(answerable, bool)):
        raise RowsInvalid(f"{row.where}: 'answerable' must be true or false")
    if not isinstance(row.values.get("previous_user_turns") or [], list):
        raise RowsInvalid(f"{row.where}: 'previous_user_turns' must be a list of texts")
    if not row.text("query").strip():
        raise RowsInvalid(f"{row.where}: 'query' is empty")
    if "relevant" not in row.values and answerable is None:
        raise EvaluationInvalid(f"{row.where}: needs 'relevant' (a list of ids) or 'answerable': false")
    return LabelledQuestion(
        id=row.text("id", ""),
        query=row.text("query"),
        relevant=relevant,
        is_answerable=bool(relevant) if answerable is None else answerable,
        previous_user_turns=row.texts("previous_user_turns"),
        lang=row.text("lang", ""),
        grades=_grades(row),
        held_out=row.texts("held_out"),
        reference_answer=row.text("reference_answer", "") if row.values.get("reference_answer") is not None else "",
    )


def _grades(row: Row) -> tuple[tuple[str, float], ...]:
    value = row.values.get("grades")
    if value is None:
        return ()
    if not isinstance(value, dict) or not all(map(_is_number, value.values())):
        raise RowsInvalid(f"{row.where}: 'grades' must name a number from 0 for each id")
    return tuple((str(name), float(grade)) for name, grade in value.items())


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value >= 0
