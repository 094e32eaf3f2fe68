"""Rows of questions: what cannot be read is a fault of its line and of nothing else."""

from pathlib import Path

import pytest

from scripts.queries import Row, RowsInvalid, exit_code, read_each_row, read_rows

DEEP = b'{"x":' + b"[" * 100_000 + b"\n"


@pytest.mark.parametrize(
    "raw", [DEEP, b"\xff\n", b"[1]\n", b"{\n", b'{"x":NaN}\n', b'{"x":-1e999}\n', b'{"n": ' + b"9" * 5_000 + b"}\n"]
)
def test_a_broken_line_is_named_and_the_next_is_read(tmp_path: Path, raw: bytes) -> None:
    """Nesting, encoding, form: each names file and line; reading rows strictly stops there."""
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b'{"id":"a"}\n' + raw + b'{"id":"b"}\n')
    first, fault, last = read_each_row(path)
    assert isinstance(first, Row)
    assert isinstance(last, Row)
    assert isinstance(fault, RowsInvalid)
    assert str(fault).startswith(f"{path}:2: ")
    with pytest.raises(RowsInvalid, match=r"rows\.jsonl:2: "):
        list(read_rows(path))


def test_texts_hold_no_half_characters(tmp_path: Path) -> None:
    """What cannot be written as UTF-8 is replaced, in single texts and in lists."""
    path = tmp_path / "rows.jsonl"
    path.write_text(r'{"id":"\ud800","one":"\udfff","list":["a\ud800"]}', encoding="ascii")
    (row,) = read_rows(path)
    assert (row.text("id"), row.texts("one"), row.texts("list")) == ("?", ("?",), ("a?",))


@pytest.mark.parametrize(("done", "skipped", "code"), [(0, 0, 0), (3, 0, 0), (3, 1, 1), (0, 1, 2)])
def test_the_exit_code_tells_a_part_from_everything(done: int, skipped: int, code: int) -> None:
    """1 says that a part was skipped, 2 that nothing could be done."""
    assert exit_code(done=done, skipped=skipped) == code


def test_a_null_is_a_value_that_is_not_there() -> None:
    """Exports of tables write null for an empty cell; what must be there is still missed."""
    row = Row("rows.jsonl:1", {"id": None, "query": None, "lang": None})
    assert (row.text("id", ""), row.text("lang", "en")) == ("", "en")
    with pytest.raises(RowsInvalid, match="needs 'query' as text"):
        row.text("query")
