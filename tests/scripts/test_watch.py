"""`triage index … --watch`: an update for every change that has come to rest, and an orderly end."""

import os
import threading
from collections.abc import Callable
from pathlib import Path

from retrieval.errors import IndexBusy, RemovalRefused
from scripts.watch import Watch, stamp_of


class Updates:
    """Counts updates, fails as told, and stops the watch after so many."""

    def __init__(self, *, last: int, faults: tuple[Exception | None, ...] = (), then: Callable[[int], None]) -> None:
        self.count = 0
        self.last = last
        self.faults = faults
        self.then = then
        self.watch: Watch | None = None

    def __call__(self) -> int:
        """Update once."""
        self.count += 1
        fault = self.faults[self.count - 1] if self.count <= len(self.faults) else None
        if self.count >= self.last and self.watch is not None:
            self.watch.stop()
        self.then(self.count)
        if fault is not None:
            raise fault
        return 0


def _run(paths: list[str], updates: Updates) -> int:
    updates.watch = Watch(paths, updates, look_s=0.01)
    guard = threading.Timer(20, updates.watch.stop)
    guard.start()
    try:
        return updates.watch.run()
    finally:
        guard.cancel()


def test_every_change_is_an_update(tmp_path: Path) -> None:
    """At the start, and again after a file came, and after another went."""
    (tmp_path / "a.md").write_text("one")

    def change(count: int) -> None:
        if count == 1:
            (tmp_path / "b.md").write_text("two")
        elif count == 2:
            (tmp_path / "a.md").unlink()

    updates = Updates(last=3, then=change)
    assert _run([str(tmp_path)], updates) == 0
    assert updates.count == 3


def test_a_busy_index_is_tried_again_and_a_refusal_waits_for_a_change(tmp_path: Path) -> None:
    """Another writer: the same change at the next look; what is refused is tried again only when the sources change."""
    file = tmp_path / "a.jsonl"
    file.write_text("one")

    def change(count: int) -> None:
        if count == 2:
            file.write_text("two words")

    updates = Updates(last=3, faults=(IndexBusy("busy"), RemovalRefused("many")), then=change)
    assert _run([str(file)], updates) == 0
    assert updates.count == 3


def test_a_stamp_sees_names_times_and_sizes(tmp_path: Path) -> None:
    """A touched file is a change, a hidden folder and an absent path are not seen."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "a.md").write_text("one")
    before = stamp_of([str(tmp_path), str(tmp_path / "absent")])
    (tmp_path / ".git" / "index").write_text("x")
    assert stamp_of([str(tmp_path), str(tmp_path / "absent")]) == before
    os.utime(tmp_path / "a.md", (1, 1))
    assert stamp_of([str(tmp_path)]) != before
