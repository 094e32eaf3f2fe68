"""A real PostgreSQL for tests: Debian's, in a folder of its own, never as root."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.skips import require_or_skip

PASSWORD = "peer-password-4711"


def _programs() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return found[-1].parent if found else None


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """Give `USER@HOST:PORT/DATABASE` of a server of this run; its password is `PASSWORD`."""
    programs = _programs()
    require_or_skip(programs is not None, "Debian's postgresql")
    assert programs
    folder = Path(tempfile.mkdtemp(prefix="triage-postgres-"))
    owner: dict[str, str] = {}
    if os.geteuid() == 0:  # PostgreSQL refuses to run as root
        owner = {"user": "postgres", "group": "postgres"}
        shutil.chown(folder, pwd.getpwnam("postgres").pw_uid, pwd.getpwnam("postgres").pw_gid)
    secret = folder / "secret"
    secret.write_text(PASSWORD)
    secret.chmod(0o644)
    data, log = folder / "data", (folder / "log").open("wb")
    initialised = [programs / "initdb", "-D", data, "-U", "reader", "-A", "scram-sha-256", "--pwfile", secret, "-N"]
    subprocess.run(initialised, check=True, stdout=log, stderr=log, cwd=folder, **owner)  # type: ignore[call-overload]
    port = _free_port()
    options = ["-p", str(port), "-c", "listen_addresses=127.0.0.1", "-c", f"unix_socket_directories={folder}"]
    started = [programs / "postgres", "-D", data, *options, "-c", "fsync=off"]
    process = subprocess.Popen(started, stdout=log, stderr=log, cwd=folder, **owner)  # type: ignore[call-overload]
    try:
        deadline = time.monotonic() + 60
        while not _answers(port):
            assert time.monotonic() < deadline, (folder / "log").read_text()
            time.sleep(0.05)
        yield f"reader@127.0.0.1:{port}/postgres"
    finally:
        process.terminate()
        process.wait(30)
        log.close()
        shutil.rmtree(folder, ignore_errors=True)


def _answers(port: int) -> bool:
    import pg8000.dbapi

    try:
        pg8000.dbapi.connect(user="reader", host="127.0.0.1", port=port, password=PASSWORD, database="postgres").close()
    except (pg8000.dbapi.Error, OSError):
        return False
    return True
