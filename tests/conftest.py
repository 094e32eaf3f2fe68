"""Fixtures that several rooms share."""

from pathlib import Path

import pytest

from retrieval.dense import load_encoder
from retrieval.ports import Encoder

pytest_plugins = ("tests.redis_servers",)
MODELS = Path(__file__).parent.parent / ".triage" / "tests"


@pytest.fixture(scope="session")
def default_encoder() -> Encoder:
    """Give the real bundled model; its export and compilation (15 s) are kept between runs in `.triage/tests`."""
    return load_encoder("", data_dir=MODELS, device="cpu")
