"""Logs are JSON lines with fields; what somebody wrote, or a token, reaches stderr in no way."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SECRET = "xoxb-canary marta.new@fern-shop.example"
START = """
import asyncio, logging, structlog, warnings
from config.logs import configure_logs
configure_logs("info")
SECRET = "xoxb-canary marta.new@fern-shop.example"
ours, plain = structlog.get_logger("bot.pipeline"), logging.getLogger("bot.worker")
library = logging.getLogger("slack_bolt.App")
"""
LIBRARY = {
    "message": "library.warning(f'bad request {SECRET}')",
    "arguments": "library.warning('body: %s', {'text': SECRET})",
    "extra fields": "library.error('bad', extra={'body': SECRET})",
    "a name that begins like ours": "logging.getLogger('botocore.auth').warning(SECRET)",
    "exception": "try:\n    raise ValueError(SECRET)\nexcept ValueError:\n    library.exception(SECRET)",
    "stack": "library.warning(SECRET, stack_info=True)",
    "a task that nobody looks at": """
async def fail():
    raise ValueError(SECRET)
async def main():
    task = asyncio.create_task(fail())
    await asyncio.sleep(0)
    del task
asyncio.run(main())
""",
    "a handler in the web server": """
import httpx
from fastapi import APIRouter
from bot.adapters.web.listeners import Listener, bare_application, bind
router = APIRouter()
@router.get("/")
async def fail():
    raise ValueError(SECRET)
async def main():
    listener = Listener(bare_application([router]), bind("127.0.0.1", 0, first_tried=20300, setting=""))
    serving = asyncio.create_task(listener.serve_bound())
    async with httpx.AsyncClient(base_url=listener.address, trust_env=False) as client:
        assert (await client.get("/")).status_code == 500
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)
asyncio.run(main())
""",
}
OWN_ERRORS = {
    "structlog": "try:\n    raise ValueError(SECRET)\nexcept ValueError:\n    ours.exception('failed', request_id='r1')",
    "logging": "try:\n    raise ValueError(SECRET)\nexcept ValueError:\n    plain.exception('failed')",
    "given": "plain.error('failed', exc_info=ValueError(SECRET))",
    "chained": """
try:
    try:
        raise OSError(SECRET)
    except OSError as error:
        raise ValueError(SECRET) from error
except ValueError:
    plain.exception("failed")
""",
}


def logged(code: str) -> list[str]:
    """Run code in a process that logs as the bot does, and give the lines of its stderr."""
    done = subprocess.run(
        [sys.executable, "-c", START + code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    return done.stderr.splitlines()


def events(code: str) -> list[dict[str, Any]]:
    """Run code and give its events; every line must be one."""
    return [json.loads(line) for line in logged(code)]


@pytest.mark.parametrize("code", LIBRARY.values(), ids=LIBRARY.keys())
def test_a_library_says_only_where(code: str) -> None:
    """Of what a library logs the logger, the level and the place are kept."""
    found = events(code)
    assert found
    assert all(event["event"].startswith("a library logged at ") for event in found)
    assert all(event["level"] in {"warning", "error"} for event in found)
    assert "canary" not in json.dumps(found)
    assert "marta" not in json.dumps(found)


@pytest.mark.parametrize("code", OWN_ERRORS.values(), ids=OWN_ERRORS.keys())
def test_of_an_exception_only_the_class_is_kept(code: str) -> None:
    """Neither text nor traceback of an exception, nor of its cause, is written."""
    (event,) = events(code)
    assert (event["event"], event["error"], event["level"]) == ("failed", "ValueError", "error")
    assert "canary" not in json.dumps(event)


def test_our_events_are_fields() -> None:
    """Name, logger, level, time and the given fields, by both ways of logging."""
    first, second = events("ours.info('gate', request_id='r1', ms=1.5)\nplain.warning('late', extra={'attempt': 2})")
    assert (first["event"], first["logger"], first["level"]) == ("gate", "bot.pipeline", "info")
    assert (first["request_id"], first["ms"]) == ("r1", 1.5)
    assert (second["event"], second["logger"], second["attempt"]) == ("late", "bot.worker", 2)
    assert first["timestamp"].endswith("Z")


def test_a_value_cannot_forge_a_line() -> None:
    """New lines, terminal codes and line separators of a value stay inside its JSON string."""
    forged = 'x\n{"event": "fine"}\r\x1b[31mred\u2028\u0085\x00'
    lines = logged(f"ours.warning('odd', name={forged!r})")
    (line,) = lines
    assert json.loads(line)["name"] == forged
    assert line.isascii()
    assert line.isprintable()


def test_levels() -> None:
    """A library's remarks below a warning are not shown, nor ours below the chosen level."""
    assert logged("library.info('x')\nplain.debug('x')\nours.debug('x')") == []
    assert len(events("configure_logs('debug')\nplain.debug('x')\nlibrary.info('x')")) == 1
