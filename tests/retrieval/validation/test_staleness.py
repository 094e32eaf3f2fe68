"""What has gone out of date, by what documents say of themselves."""

from datetime import date

import pytest

from retrieval.documents import Document
from retrieval.validation.staleness import passed_dates, stale_documents

TODAY = date(2026, 11, 30)


def _kinds(*documents: Document) -> list[tuple[str, str]]:
    return [(stale.id, stale.kind) for stale in stale_documents(documents, today=TODAY)]


@pytest.mark.parametrize(
    "text",
    [
        "The offer is valid until 31 March 2024.",
        "Das Angebot gilt bis 31.03.2024.",
        "Пропозиція діє до 31 березня 2024.",
        "La oferta es válida hasta el 31 de marzo de 2024.",
        "キャンペーンは2024年3月31日までです。",
    ],
)
def test_an_end_that_has_passed_is_found_in_many_languages(text: str) -> None:
    """Such as "until", "bis", "до" and their like before a date that lies in the past."""
    assert [day for day, _ in passed_dates(text, TODAY)] == [date(2024, 3, 31)]


def test_other_dates_are_no_ends() -> None:
    """A date to come, a date of an event, and a month that still runs are not passed."""
    assert (
        passed_dates("Valid until 31 March 2099. The shop opened on 3 May 2019. Use it until November 2026.", TODAY)
        == []
    )


def test_dates_of_documents_are_read_and_clocks_are_not_trusted() -> None:
    """Validity and review dates that lie in the past, and a change that is still to come."""
    assert _kinds(
        Document(id="a", text="x", valid_until="2024-01-01", owner="Ann"),
        Document(id="b", text="x", review_by="2025-01-01"),
        Document(id="c", text="x", updated_at="2031-01-01"),
        Document(id="d", text="x"),
    ) == [("a", "expired"), ("c", "future_date"), ("b", "review_due")]


def test_age_depends_on_the_topic() -> None:
    """A price of two years ago may be old, a rule of two years ago is not; tickets tell what was."""
    old = "2024-11-01"
    assert _kinds(
        Document(id="price", title="Prices", text="x", updated_at=old),
        Document(id="rule", title="Parking", text="x", updated_at=old),
        Document(id="ancient", title="Parking", text="x", updated_at="2020-01-01"),
        Document(id="t", kind="ticket", title="Prices", resolution="x", updated_at="2020-01-01"),
    ) == [("ancient", "age"), ("price", "age")]


def test_links_to_what_is_not_there_are_dead() -> None:
    """Within the base only: a missing file beside the page, a missing page in a folder of known ones; nothing is fetched."""
    host = "https://help.example.com/kb"
    pages = [Document(id=f"p{n}", text="x", url=f"{host}/p{n}") for n in range(3)]
    linking = Document(
        id="docs/a",
        text=f"See [one](b.md), [two](missing.md#x), [p0]({host}/p0), [p9]({host}/p9), [far](https://other.example.com/x.html).",
    )
    found = stale_documents([*pages, linking, Document(id="docs/b", text="x")], today=TODAY)
    assert sorted(stale.reason for stale in found) == [
        f"links to {host}/p9, which is not in the base",
        "links to missing.md#x, which is not in the base",
    ]


def test_a_version_that_newer_documents_left_behind_is_told() -> None:
    """Two newer documents speak of a later version of the same thing."""
    assert _kinds(
        Document(id="old", title="Build", text="The agent runs on Node 16.", updated_at="2026-01-01"),
        Document(id="n1", title="Build", text="The agent runs on Node 20.", updated_at="2026-05-01"),
        Document(id="n2", title="Deploy", text="Deploys need Node 20.", updated_at="2026-06-01"),
    ) == [("old", "old_version")]
