"""An indexing run that was killed goes on where it stopped."""

import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
from contextlib import closing
from pathlib import Path

from retrieval.dense.vector_cache import BATCH
from retrieval.documents import Document
from tests.retrieval.indexes import article, build

COUNT = 3 * BATCH
# The engine of the killed process needs a moment for each batch, so that the kill comes in the middle.
SLOW = """
    import sys, time
    from pathlib import Path
    from tests.fakes import HashEncoder
    from tests.retrieval.index.test_restart import documents
    from tests.retrieval.indexes import build

    class Slow(HashEncoder):
        def encode_passages(self, texts):
            time.sleep(0.3)
            return super().encode_passages(texts)

    build(Path(sys.argv[1]), documents(), encoder=Slow(dimension=96))
"""


def documents() -> list[Document]:
    """Make texts that are all different."""
    return [article(f"kb-{number:04}", f"Text number {number} stands here.") for number in range(COUNT)]


def cached(folder: Path) -> int:
    """Count the vectors that were kept so far."""
    path = folder / "vectors.sqlite"
    if not path.is_file():
        return 0
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as base:
        try:
            return int(base.execute("SELECT count(*) FROM vectors").fetchone()[0])
        except sqlite3.OperationalError:  # its table is being made
            return 0


def test_a_killed_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """`kill -9` while chunks are embedded: no index yet; the next run embeds only the rest and ends in the same bytes."""
    process = subprocess.Popen([sys.executable, "-c", textwrap.dedent(SLOW), str(tmp_path)])
    deadline = time.monotonic() + 60
    while cached(tmp_path) < BATCH and time.monotonic() < deadline:
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    kept = cached(tmp_path)
    assert BATCH <= kept < COUNT
    assert not (tmp_path / "index" / "manifest.json").exists()
    report = build(tmp_path, documents())
    assert (report.chunks.embedded, report.chunks.reused) == (COUNT - kept, kept)
    assert report.manifest.counts.documents == COUNT
    build(tmp_path / "whole", documents())
    whole = tmp_path / "whole" / "index" / "manifest.json"
    assert (tmp_path / "index" / "manifest.json").read_bytes() == whole.read_bytes()
