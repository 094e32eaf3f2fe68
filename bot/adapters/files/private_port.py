"""Where the private listener of a running bot is, for commands on its machine: written down while it serves, and tried before it is told."""

import http.client
import json
import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import structlog

from bot.adapters.files.whole_file import write_json

FILE = "listening.json"
_LONGEST_S = 5.0
_log = structlog.get_logger(__name__)


@contextmanager
def written_down(folder: Path, port: int) -> Iterator[None]:
    """Keep the port in the data folder until the end of the block; a folder that takes nothing costs the file, not the bot."""
    path = folder / FILE
    try:
        write_json(path, {"port": port, "pid": os.getpid()})
    except OSError as error:
        _log.warning("the private port is not written down", error=type(error).__name__)
    try:
        yield
    finally:
        if _read(path) == (port, os.getpid()):  # another bot on this folder may have begun since
            path.unlink(missing_ok=True)


def port_written_down(folder: Path) -> int:
    """Give the port of the bot that serves from this data folder; 0 when none is written down. After a kill it may be left over."""
    return _read(folder / FILE)[0]


def is_bot(port: int) -> bool:
    """Tell whether a bot answers on this port of this machine."""
    status, body = _got(port, "/livez")
    return status == http.client.OK and body.replace(b" ", b"") == b'{"live":true}'


def would_open(port: int, secret: str) -> bool:
    """Tell whether the bot on this port knows a link to the lead's page; does not spend it."""
    return _got(port, f"/lead?link={secret}")[0] == http.client.OK


def _read(path: Path) -> tuple[int, int]:
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        return int(values["port"]), int(values["pid"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return 0, 0


def _got(port: int, path: str) -> tuple[int, bytes]:
    """Give status and the first bytes of an answer; 0 when none comes."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=_LONGEST_S)) as connection:
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read(1_024)
        except (OSError, http.client.HTTPException, ValueError, OverflowError):
            return 0, b""
