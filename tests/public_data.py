"""Public evaluation sets for the tests that print figures: read from `TRIAGE_EVAL_DATA`, skipped visibly without it."""

import json
import os
from pathlib import Path

import pytest

Row = dict[str, object]


def public_rows(name: str) -> list[dict]:
    """Give the rows of `FOLDER/FILE.jsonl`, or skip the test when the sets are not on this machine."""
    root = os.environ.get("TRIAGE_EVAL_DATA")
    if not root:
        pytest.skip("TRIAGE_EVAL_DATA is not set: the public sets are not on this machine")
    return [json.loads(line) for line in (Path(root) / name).read_text("utf-8").splitlines()]
