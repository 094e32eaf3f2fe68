"""`emulate` 0.11.2 from npm, a Slack Web API that others wrote: `make peers`. It knows no streams, statuses and sockets."""

import asyncio
import shutil
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.peers.slack_api import BOT_TOKEN
from tests.skips import require_or_skip

ROOT = Path(__file__).parents[2]
PEERS = ROOT / ".peers"
CHANNEL = "C000000001"
PERSON_TOKEN = "xoxp-ana-token"


@asynccontextmanager
async def running_emulate() -> AsyncIterator[str]:
    """Start it and give its base URL; where it is not installed the test is skipped, and fails where CI is set."""
    require_or_skip((PEERS / "node_modules" / "emulate").is_dir(), "emulate is not installed (make peers)")
    node = shutil.which("node") or "node"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    script = str(ROOT / "tests" / "peers" / "emulate_slack.mjs")
    process = await asyncio.create_subprocess_exec(
        node, script, str(port), BOT_TOKEN, PERSON_TOKEN, cwd=PEERS, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        first_line = await asyncio.wait_for(process.stdout.readline(), 60)
        assert first_line.strip() == b"ready"
        yield f"http://127.0.0.1:{port}/api/"
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
