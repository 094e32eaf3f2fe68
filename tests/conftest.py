"""Fixtures that several rooms share."""

from pathlib import Path

import pytest

from retrieval.dense import load_encoder
from retrieval.ports import Encoder
from tests.kept_index import MODELS, KeptEncoder, sample_index_folder

pytest_plugins = ("tests.postgres_server", "tests.redis_servers")


def pytest_configure() -> None:
    """Make the folder that data folders of tests link to: whichever test comes first compiles the model into it."""
    (MODELS / "models").mkdir(mode=0o700, parents=True, exist_ok=True)


@pytest.fixture(scope="session")
def default_encoder() -> Encoder:
    """Give the real bundled model; its export and compilation (15 s) are kept between runs in `.triage/tests`."""
    return load_encoder("", data_dir=MODELS, device="cpu")


@pytest.fixture(scope="session")
def kept_encoder(default_encoder: Encoder) -> Encoder:
    """Give the real encoder for tests that encode the banks or hundreds of texts; its vectors are kept between runs."""
    return KeptEncoder(default_encoder)


@pytest.fixture(scope="session")
def sample_index() -> Path:
    """Give an index of the bundled sample; model and vectors are kept between runs in `.triage/tests`."""
    return sample_index_folder()
