"""Numbers of open findings by day."""

import json
from pathlib import Path

import pytest

from bot.adapters.files.history import HistoryFile
from bot.lead.findings import Finding

STALE, GAP = Finding("stale", ("kb-1",), "kb-1", ()), Finding("gap", (), "Why?", ())


def test_the_last_look_of_a_day_counts(tmp_path: Path) -> None:
    """Days stay in their order; the file is for its owner alone and holds numbers only."""
    history = HistoryFile(tmp_path / "h.json")
    assert history.read() == {}
    history.note("2026-11-30", (STALE, GAP, GAP))
    history.note("2026-11-29", (STALE,))
    known = history.note("2026-11-30", (STALE,))
    assert list(known.items()) == [("2026-11-29", {"stale": 1}), ("2026-11-30", {"stale": 1})]
    assert history.read() == known
    assert (tmp_path / "h.json").stat().st_mode & 0o077 == 0
    assert "kb-1" not in (tmp_path / "h.json").read_text()


def test_days_do_not_heap_up(tmp_path: Path) -> None:
    """The oldest go."""
    history, days = HistoryFile(tmp_path / "h.json"), [f"{2020 + n // 365}-{n % 365:03d}" for n in range(405)]
    (tmp_path / "h.json").write_text(json.dumps({day: {"stale": 1} for day in days[:398]}))
    for day in days[398:]:
        history.note(day, (STALE,))
    assert (len(history.read()), next(iter(history.read()))) == (400, "2020-005")


@pytest.mark.parametrize("text", ["[1]", "{", '{"2026-11-30": 3}', '{"2026-11-30": {"gap": "x"}}'])
def test_a_file_that_is_not_ours_holds_nothing(tmp_path: Path, text: str) -> None:
    """It is read as empty, and written anew."""
    (tmp_path / "h.json").write_text(text)
    assert HistoryFile(tmp_path / "h.json").read() == {}
    HistoryFile(tmp_path / "h.json").note("2026-11-30", ())
    assert HistoryFile(tmp_path / "h.json").read() == {"2026-11-30": {}}
