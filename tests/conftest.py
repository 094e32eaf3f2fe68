"""Fixtures that several rooms share."""

from pathlib import Path

import pytest

from retrieval.dense import load_encoder
from retrieval.ports import Encoder

pytest_plugins = ("tests.postgres_server", "tests.redis_servers")
MODELS = Path(__file__).parent.parent / ".triage" / "tests"


def pytest_configure() -> None:
    """Make the folder that data folders of tests link to: whichever test comes first compiles the model into it."""
    (MODELS / "models").mkdir(mode=0o700, parents=True, exist_ok=True)


@pytest.fixture(scope="session")
def default_encoder() -> Encoder:
    """Give the real bundled model; its export and compilation (15 s) are kept between runs in `.triage/tests`."""
    return load_encoder("", data_dir=MODELS, device="cpu")


@pytest.fixture(scope="session")
def sample_index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give an index of the bundled sample; model and vectors are kept between runs in `.triage/tests`."""
    from bot.bootstrap import SAMPLE, index_tools
    from config.settings import RetrievalSettings
    from retrieval.documents import FieldMap, load_documents
    from retrieval.index import Update, update_index

    folder = tmp_path_factory.mktemp("sample") / "index"
    paths = (SAMPLE / "articles", SAMPLE / "tickets.jsonl")
    documents = load_documents(paths, field_map=FieldMap.parse([])).documents
    update_index(folder, documents, index_tools(RetrievalSettings(TRIAGE_DATA_DIR=MODELS)), update=Update())
    return folder
