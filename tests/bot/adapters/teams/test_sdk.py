"""The SDK is imported without its habits."""

import os
import subprocess
import sys
from pathlib import Path

PROBE = """
import os
import bot.adapters.teams
print(os.environ.get("PLANTED"), os.environ.get("PYTHON_DOTENV_DISABLED"))
"""


def test_the_sdk_loads_no_env_file(tmp_path: Path) -> None:
    """A `.env` in the working directory stays unread, and the switch that did it is put back."""
    (tmp_path / ".env").write_text("PLANTED=yes\nDANGEROUSLY_ALLOW_UNAUTHENTICATED_REQUESTS=true\n", encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[4])}
    found = subprocess.run(
        [sys.executable, "-c", PROBE], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    assert found.stdout.split() == ["None", "None"]
