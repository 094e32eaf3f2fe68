"""Resolved tickets asked again: what was known when, which tickets can be asked, and which sources are right."""

from math import inf
from pathlib import Path

import pytest

from bot.lead.backtest import cases_of, knowledge_times, known_from, moment, named_in, names_of, right_sources
from retrieval.documents import Document, FieldMap, load_documents

DAY = 86_400.0


def ticket(name: str, created: str, updated: str = "", *, question: str = "Why?", status: str = "resolved") -> Document:
    """Make a ticket."""
    return Document(
        name, kind="ticket", question=question, resolution="Because.", created_at=created, updated_at=updated,
        status=status,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "is_end", "seconds"),
    [
        ("1970-01-02", False, DAY),
        ("1970-01-02", True, 2 * DAY),
        ("1970-01-01T01:00:00Z", True, 3_600.0),
        ("1970-01-01T01:00:00+01:00", False, 0.0),
        ("", False, None),
        ("soon", True, None),
    ],
)
def test_a_date_alone_ends_with_its_day(text: str, is_end: bool, seconds: float | None) -> None:
    """What was written some time that day is known from the next one on; a text that is no date is none."""
    assert moment(text, is_end=is_end) == seconds


def test_a_document_is_known_from_its_last_change_on() -> None:
    """So a ticket never knows itself, and an article changed later is not known as it is now; without a date articles always were."""
    assert known_from(ticket("t", "2026-01-01T08:00:00Z", "2026-01-02T08:00:00Z")) == moment("2026-01-02T08:00:00Z")
    assert known_from(ticket("t", "2026-01-03T08:00:00Z", "2026-01-02T08:00:00Z")) == moment("2026-01-03T08:00:00Z")
    assert knowledge_times([Document("kb"), ticket("t", "")]) == {"kb": -inf, "t": inf}


def test_which_tickets_are_asked_again() -> None:
    """In the order of time; open ones, those without a question or a date are counted by reason; articles are none."""
    found = cases_of(
        [
            ticket("late", "2026-02-01"),
            ticket("early", "2026-01-01"),
            ticket("open", "2026-01-01", status="Open"),
            ticket("mute", "2026-01-01", question=" "),
            ticket("undated", ""),
            ticket("future", "2031-01-01"),
            Document("kb", text="An article", created_at="2026-01-01"),
        ],
        now=moment("2026-03-01") or 0.0,
    )
    assert [case.ticket.id for case in found.cases] == ["early", "late"]
    assert found.skipped == {"undated": 1, "without_question": 1, "open": 1, "dated_in_the_future": 1}


@pytest.mark.parametrize(
    "written",
    ["2026-01-05 09:12:33 UTC", "2026-01-05 10:12:33 +0100", "2026-01-05 09:12:33 gmt", "2026-01-05T09:12:33Z"],
)
def test_a_zone_behind_a_blank_is_read(written: str) -> None:
    """So Zendesk exports its times; a ticket of them was left out as undated, and never known."""
    assert moment(written) == moment("2026-01-05T09:12:33+00:00")
    assert moment("5 January UTC") is None


def test_a_resolution_names_documents_by_id_or_address() -> None:
    """Among punctuation, in any case, as the end of a path; a short number and a part of another id name nothing."""
    known = names_of(
        [Document("KB-101"), Document("7"), Document("123456"), Document("a", url="https://x.example/faq/")]
    )
    text = "See (kb-101), https://help.example/articles/123456 and https://x.example/faq. Not KB-1010, not 7."
    assert named_in(text, known) == ("KB-101", "123456", "a")


def test_a_source_is_right_by_name_or_by_what_it_says() -> None:
    """Named in the resolution, or as near to it as is asked for; others are not."""
    (case,) = cases_of([ticket("t", "2026-01-01")]).cases
    near = {"near": 0.6, "far": 0.2, "named": 0.0}
    right = right_sources(case, ["far", "near", "named"], {"named"}, alike=lambda _, name: near[name], least=0.5)
    assert right == {"near": "overlap", "named": "named"}


def test_tickets_of_a_german_export_are_asked_in_the_order_of_time(tmp_path: Path) -> None:
    """Their dates have the day in front, which no order of texts would put right."""
    path = tmp_path / "tickets.csv"
    rows = "a;Warum?;Darum.;01.06.2026 09:00\nb;Wo?;Hier.;30.05.2026\nc;Wann?;Jetzt.;31.05.2026 12:00\n"
    path.write_text(f"Nr;Frage;Antwort;Erstellt\n{rows}", encoding="utf-8")
    columns = FieldMap.parse(["id=Nr", "question=Frage", "resolution=Antwort", "created_at=Erstellt"])
    cases = cases_of(load_documents([path], field_map=columns).documents)
    assert [case.ticket.id for case in cases.cases] == ["b", "c", "a"]
    assert cases.skipped["undated"] == 0
