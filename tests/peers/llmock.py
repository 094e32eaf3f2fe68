"""`llmock` 0.2.2, an Anthropic peer that others wrote, in its own environment: `make peers`, or TRIAGE_LLMOCK names it."""

import json
import os
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.skips import require_or_skip

DEFAULT = Path(__file__).parents[2] / ".peers" / "llmock" / "bin" / "llmock"


class Llmock:
    """The running process and its admin door."""

    def __init__(self, port: int) -> None:
        self.root = f"http://127.0.0.1:{port}"
        self.url = f"{self.root}/anthropic"

    def call(self, method: str, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(self.root + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.loads(response.read() or b"null")

    def script(self, *behaviors: dict[str, Any]) -> None:
        """Forget what was, and let the next requests meet these."""
        self.call("POST", "/_llmock/reset")
        if behaviors:
            self.call("POST", "/_llmock/scenario", {"behaviors": list(behaviors)})

    def verdict(self) -> Any:
        return self.call("GET", "/_llmock/verdict")


@contextmanager
def running_llmock(folder: Path) -> Iterator[Llmock]:
    """Start it; where it is not installed the test is skipped, and fails where CI is set."""
    executable = Path(os.environ.get("TRIAGE_LLMOCK") or DEFAULT)
    require_or_skip(executable.is_file(), "llmock is not installed (make peers)")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with (folder / "llmock.log").open("wb") as output:
        command = [str(executable), "serve", "--host", "127.0.0.1", "--port", str(port)]
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, cwd=folder)
        try:
            yield _ready(Llmock(port), process)
        finally:
            process.kill()  # asked to end, it first waits for the answers that it holds back
            process.wait(10)


def _ready(peer: Llmock, process: "subprocess.Popen[bytes]") -> Llmock:
    until = time.monotonic() + 60
    while time.monotonic() < until and process.poll() is None:
        try:
            peer.call("GET", "/health")
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.1)
        else:
            return peer
    raise AssertionError("llmock did not start")
