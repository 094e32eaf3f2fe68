"""What tests with the real model share: the model and the vectors of runs before, and one index of the sample a process."""

import atexit
import fcntl
import shutil
import sqlite3
import tempfile
from contextlib import closing
from functools import cache
from pathlib import Path

# Kept between runs: the model's export and compilation take 15 s, the vectors of the sample and the banks 29 s of processor.
MODELS = Path(__file__).parent.parent / ".triage" / "tests"


@cache
def sample_index_folder() -> Path:
    """Build the index of the bundled sample; where several processes begin, one embeds and the others take its vectors."""
    from bot.bootstrap import SAMPLE, index_tools
    from config.settings import RetrievalSettings
    from retrieval.documents import FieldMap, load_documents
    from retrieval.index import Update, update_index

    folder = Path(tempfile.mkdtemp(prefix="triage-sample-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    documents = load_documents((SAMPLE / "articles", SAMPLE / "tickets.jsonl"), field_map=FieldMap.parse([])).documents
    MODELS.mkdir(parents=True, exist_ok=True)
    with (MODELS / "sample.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # released by the kernel when the process dies
        tools = index_tools(RetrievalSettings(TRIAGE_DATA_DIR=MODELS))
        update_index(folder / "index", documents, tools, update=Update())
    return folder / "index"


def copy_vectors(folder: Path) -> None:
    """Give a data folder the vectors of the sample and of the banks: encoding the banks alone takes 13 s of processor."""
    sample_index_folder()
    with (
        closing(sqlite3.connect(MODELS / "vectors.sqlite")) as kept,
        closing(sqlite3.connect(folder / "vectors.sqlite")) as own,
    ):
        kept.backup(own)
