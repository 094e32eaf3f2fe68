"""Claims of `retrieval.documents.dates`: dates of exports are read, and one with two readings only when its column decides."""

import json
from pathlib import Path

import pytest

from retrieval.documents import FieldMap, Loaded, load_documents
from retrieval.documents.dates import DayOrder, NoDate, TwoReadings, iso_date, order_in

FIELDS = ("created_at", "updated_at", "valid_until", "review_by")


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("12.05.2026", "2026-05-12"),
        ("1.5.2026", "2026-05-01"),
        ("1. 5. 2026", "2026-05-01"),
        ("12.05.2026 14:30", "2026-05-12T14:30:00"),
        ("12.05.2026, 9:05:07", "2026-05-12T09:05:07"),
        ("12.05.2026 14:30 Uhr", "2026-05-12T14:30:00"),
        ("12.05.2026 14:30 +02:00", "2026-05-12T14:30:00+02:00"),
        ("2026/05/12", "2026-05-12"),
        ("2026/5/2 14:30", "2026-05-02T14:30:00"),
        ("2026.05.12", "2026-05-12"),
        ("2026-5-2", "2026-05-02"),
        ("20260512", "2026-05-12"),
        ("20260512T143000Z", "2026-05-12T14:30:00+00:00"),
        ("2026-05-12 14:30:00", "2026-05-12 14:30:00"),
        ("2026-05-12 2:30 PM", "2026-05-12T14:30:00"),
        ("2026-W20-2", "2026-W20-2"),
        ("13/05/2026", "2026-05-13"),
        ("05/13/2026 12:30 AM", "2026-05-13T00:30:00"),
        ("05/13/2026 12:30:01 p.m.", "2026-05-13T12:30:01"),
        ("13-05-2026 08:00 UTC", "2026-05-13T08:00:00+00:00"),
        ("05/05/2026", "2026-05-05"),
    ],
)
def test_dates_of_exports_are_read(text: str, iso: str) -> None:
    """Whatever can be meant in one way only; what is ISO 8601 already stays as it is."""
    assert iso_date(text) == iso


@pytest.mark.parametrize(
    "text",
    [
        "31.02.2026", "12.13.2026", "00.05.2026", "2026/13/01", "20261301", "12052026", "1712012345678", "13/13/2026",
        "31/02/2026", "12.05.26", "12.05.2026 25:00", "12.05.2026 14:61", "05/13/2026 13:00 PM", "05/13-2026",
        "12.05.2026 CET", "2026-W99-1", "2026-02-30", "46154", "soon",
    ],
)  # fmt: skip
def test_what_is_no_date_is_not_guessed(text: str) -> None:
    """Neither a day that there is not nor a number of another kind."""
    with pytest.raises(NoDate):
        iso_date(text)


def test_numbers_of_which_either_may_be_the_day_need_an_order() -> None:
    """Both readings are told; an order decides."""
    with pytest.raises(TwoReadings, match="2026-12-05 or 2026-05-12"):
        iso_date("05/12/2026 10:00")
    assert iso_date("05/12/2026 10:00", DayOrder.DAY_FIRST) == "2026-12-05T10:00:00"
    assert iso_date("5/12/2026", DayOrder.MONTH_FIRST) == "2026-05-12"


def test_a_column_tells_its_order() -> None:
    """By a number over 12; not by one that makes no day, and not when both orders are told."""
    assert order_in(["05/12/2026", " 13/12/2026"]) is DayOrder.DAY_FIRST
    assert order_in(["05/12/2026", "12-13-2026"]) is DayOrder.MONTH_FIRST
    for texts in (["05/12/2026"], ["13/05/2026", "05/13/2026"], ["31/02/2026", "12.05.2026", "40/40/2026"]):
        assert order_in(texts) is None


def _written(folder: Path, rows: list[dict[str, str]], form: str) -> Loaded:
    path = folder / f"a.{form}"
    if form == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    elif form == "json":
        path.write_text(json.dumps(rows), encoding="utf-8")
    else:
        lines = [";".join(rows[0]), *(";".join(row.values()) for row in rows)]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return load_documents([path])


@pytest.mark.parametrize("form", ["csv", "jsonl", "json"])
@pytest.mark.parametrize("name", FIELDS)
def test_the_column_decides_in_every_file_of_rows(tmp_path: Path, name: str, form: str) -> None:
    """For each field of a date by its own column, also for rows that stand before the one that decides."""
    other = FIELDS[FIELDS.index(name) - 1]
    rows = [{"id": "a", "text": "One.", name: "05/12/2026", other: "01/02/2026"}]
    rows.append({"id": "b", "text": "Two.", name: "12/31/2026", other: "12.05.2026"})
    loaded = _written(tmp_path, rows, form)
    assert [getattr(document, name) for document in loaded.documents] == ["2026-05-12", "2026-12-31"]
    assert [getattr(document, other) for document in loaded.documents] == ["", "2026-05-12"]
    (problem,) = loaded.problems
    assert (
        f"{other} '01/02/2026' may be 2026-02-01 or 2026-01-02, and nothing in its file decides; it is left out"
        in str(problem)
    )


def test_a_mapped_column_and_another_file_do_not_mix(tmp_path: Path) -> None:
    """The column that the map names tells the order; what another file writes tells nothing."""
    (tmp_path / "a.csv").write_text(
        "Nr;Text;Erstellt;created_at\n1;One.;05/12/2026;12/31/2026\n;x;31/12/2026;\n2;Two.;31/12/2026;\n"
    )
    (tmp_path / "b.csv").write_text("Nr;Text;Erstellt\n3;Three.;05/12/2026\n")
    columns = FieldMap.parse(["id=Nr", "created_at=Erstellt"])
    loaded = load_documents([tmp_path / "a.csv", tmp_path / "b.csv"], field_map=columns)
    assert [document.created_at for document in loaded.documents] == ["2026-12-05", "2026-12-31", ""]


def test_front_matter_has_no_column(tmp_path: Path) -> None:
    """One date is read when it has one reading, as text, as a day and as a number."""
    for number, (date, iso) in enumerate(
        [("12.05.2026", "2026-05-12"), ("20260512", "2026-05-12"), ("13/05/2026", "2026-05-13"), ("05/12/2026", "")]
    ):
        path = tmp_path / f"{number}.md"
        path.write_text(f"---\nupdated_at: {date}\n---\nText.\n", encoding="utf-8")
        loaded = load_documents([path])
        assert loaded.documents[0].updated_at == iso
        assert len(loaded.problems) == (iso == "")
