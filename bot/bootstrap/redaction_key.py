"""The secret that marks of redacted values are made with: from the settings, else from a file in the data folder.

It lies beside the data and not in Redis, so that a copy of Redis alone does not tell which value a mark stands for.
"""

import os
import secrets
from pathlib import Path

import structlog

from config.settings import RetrievalSettings

FILE = "redaction.key"
_BYTES = 32
_log = structlog.get_logger(__name__)


def redaction_key(settings: RetrievalSettings) -> bytes:
    """Give the key; a new one is written with mode 0600.

    Processes that share Redis and no data folder need `TRIAGE_REDACTION_KEY`: with keys of their own, the same value told
    to two of them has two numbers in its thread. Nothing worse follows, so a folder that cannot be written is no error.
    """
    if settings.redaction_key is not None:
        return settings.redaction_key.get_secret_value().encode()
    try:
        settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        return _kept(settings.data_dir / FILE)
    except OSError as error:
        _log.warning("redaction key is not kept", reason=type(error).__name__)
        return secrets.token_bytes(_BYTES)


def _kept(path: Path) -> bytes:
    if path.exists() and len(key := path.read_bytes()) >= _BYTES:
        return key
    # Whole or not at all: of two processes that start together both read the one that came first.
    fresh = path.with_name(f"{FILE}.{secrets.token_hex(4)}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(secrets.token_bytes(_BYTES))
    try:
        if path.exists() and path.stat().st_size < _BYTES:
            path.unlink()  # cut short by a full disk
        os.link(fresh, path)
    except FileExistsError:
        pass
    finally:
        fresh.unlink()
    return path.read_bytes()
