"""The audit log on disk: private, appended, whole lines from many processes, rotated without loss."""

import io
import json
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from bot.adapters.files.audit_log import AuditFile, AuditStream
from tests.fakes import FixedClock

ROOT = Path(__file__).parents[4]
CLOCK = FixedClock(1_790_000_000.25)
WRITING = """
import sys
from pathlib import Path
from bot.adapters.files.audit_log import AuditFile
class Clock:
    def now(self):
        return 1.0
trail = AuditFile(Path(sys.argv[1]), Clock(), max_bytes=4_000, files=50)
for number in range(200):
    trail.write("answered", request_id=f"{sys.argv[2]}-{number}")
"""


def audit_file(folder: Path, *, max_bytes: int = 10_000, files: int = 3) -> AuditFile:
    """Build the log in a folder."""
    return AuditFile(folder / "audit.jsonl", CLOCK, max_bytes=max_bytes, files=files)


def rows(folder: Path) -> list[dict[str, object]]:
    """Read every file of the log."""
    return [json.loads(line) for path in folder.glob("audit.jsonl*") for line in path.read_text().splitlines()]


def test_rows_are_appended_to_a_private_file(tmp_path: Path) -> None:
    """Mode 0600 whatever the umask, one JSON object a line with its time; a second writer appends."""
    for outcome in ("answered", "declined"):
        audit_file(tmp_path).write(outcome, cited=["kb-1"], cost_usd=None)
    assert stat.S_IMODE((tmp_path / "audit.jsonl").stat().st_mode) == 0o600
    assert [row["event"] for row in rows(tmp_path)] == ["answered", "declined"]
    assert rows(tmp_path)[0] == {
        "at": "2026-09-21T14:13:20.250+00:00",
        "event": "answered",
        "cited": ["kb-1"],
        "cost_usd": None,
    }


def test_no_value_forges_a_row(tmp_path: Path) -> None:
    """Line breaks of every kind stay inside their value."""
    audit_file(tmp_path).write("answered", channel='C1\n{"event":"approved"}\r\u2028\u0085\x00')
    assert len((tmp_path / "audit.jsonl").read_bytes().splitlines()) == 1
    assert rows(tmp_path)[0]["event"] == "answered"


def test_processes_share_it_and_lose_no_row(tmp_path: Path) -> None:
    """Three processes write 200 rows each over many rotations: every row is there once, every line whole."""
    command = [sys.executable, "-c", WRITING, str(tmp_path / "audit.jsonl")]
    started = [subprocess.Popen([*command, name], cwd=ROOT) for name in "abc"]
    assert [process.wait(60) for process in started] == [0, 0, 0]
    found = [row["request_id"] for row in rows(tmp_path)]
    assert len(found) == len(set(found)) == 600
    assert max(path.stat().st_size for path in tmp_path.glob("audit.jsonl*")) <= 4_000


def test_the_oldest_file_goes(tmp_path: Path) -> None:
    """No more than the files that are kept, and the current one; each private."""
    trail = audit_file(tmp_path, max_bytes=200, files=2)
    for number in range(20):
        trail.write("answered", request_id=f"r{number}")
    names = sorted(path.name for path in tmp_path.glob("audit.jsonl*"))
    assert names == ["audit.jsonl", "audit.jsonl.1", "audit.jsonl.2"]
    assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.glob("audit.jsonl*")} == {0o600}


def test_a_row_that_cannot_be_written_is_no_fault_of_the_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The writer goes on; the check says what is wrong."""
    (tmp_path / "audit.jsonl").mkdir()
    audit_file(tmp_path).write("answered")
    with pytest.raises(OSError, match=r"audit\.jsonl"):
        audit_file(tmp_path).check()
    assert "answered" in capsys.readouterr().out


def test_a_stream_takes_the_same_rows() -> None:
    """One line a row."""
    stream = io.StringIO()
    AuditStream(stream, CLOCK).write("started", settings=["REDIS_URL"])
    assert json.loads(stream.getvalue())["settings"] == ["REDIS_URL"]
