"""A database by a query of the operator's: each row a document, columns named as fields or mapped to them."""

import datetime as dt
import decimal
import logging
import re
import socket
import ssl
import uuid
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import SecretStr
from sqlalchemy import create_engine, text
from sqlalchemy.engine import URL, Engine
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from bot.adapters.sources.address import SourceAddress, is_allowed, is_public
from bot.errors import SourceRefused
from retrieval.documents import Document, FieldMap, Problem, record_items

_DRIVERS = {"postgresql": "postgresql+pg8000", "mysql": "mysql+pymysql", "mariadb": "mysql+pymysql", "sqlite": "sqlite"}
_SINCE = re.compile(r"(?<![:\w]):since\b")
_FIRST = "1970-01-01 00:00:00"
_BATCH = 1_000
_DELETED = ("is_deleted", "deleted")
# It logs a traceback with the statement when a broken connection is closed; what matters is told as a problem.
logging.getLogger("sqlalchemy").setLevel(logging.CRITICAL)


@dataclass(slots=True)
class SqlRead:
    """What was read: documents and problems, ids of rows that say they are deleted, and the latest `updated_at`."""

    items: list[Document | Problem] = field(default_factory=list)
    gone: set[str] = field(default_factory=set)
    cursor: str = ""
    is_incremental: bool = False


def read_rows(
    address: SourceAddress,
    query: str,
    *,
    field_map: FieldMap,
    cursor: str,
    password: SecretStr | None,
    allowed: Collection[str],
) -> SqlRead:
    """Run the query, read-only, and read its rows. A database that breaks off gives a problem behind the rows before it.

    A query with `:since` is incremental: it gets the latest `updated_at` of the last time.

    Raises:
        SourceRefused: the address or the query cannot be used.
    """
    has_since = bool(_SINCE.search(query))
    if has_since and not address.options.get("prefix"):
        raise SourceRefused(
            "a query with :since needs ?prefix=… in the address: what the ids of its documents begin with"
        )
    read = SqlRead(cursor=cursor, is_incremental=has_since and bool(cursor))
    engine = _engine(address, password, allowed)
    number = 0
    try:
        with engine.connect() as connection:
            _read_only(connection, address.scheme)
            values = {"since": cursor or _FIRST} if has_since else {}
            rows = connection.execution_options(stream_results=True, yield_per=_BATCH).execute(text(query), values)
            for number, row in enumerate(rows.mappings(), start=1):
                _take(dict(row), f"{address.name}:{number}", read, field_map, address.options.get("prefix", ""))
    except (SQLAlchemyError, OSError) as error:
        reason = f"the database broke off after {number} rows ({_cause(error)})"
        read.items.append(Problem(address.name, reason, hides=True))
    finally:
        engine.dispose()
    return read


def _take(row: dict[str, Any], where: str, read: SqlRead, field_map: FieldMap, prefix: str) -> None:
    values = {name: _plain(value) for name, value in row.items()}
    is_deleted = any(
        bool(value) and str(value) not in ("f", "0") for name, value in row.items() if name.casefold() in _DELETED
    )
    for item in record_items(values, where, field_map):
        if isinstance(item, Document):
            document = item if item.id.startswith(prefix) else _named(item, prefix)
            read.cursor = max(read.cursor, _as_written(document.updated_at, field_map.apply(values).get("updated_at")))
            if is_deleted or not document.evidence:
                read.gone.add(document.id)
            if is_deleted:
                continue
            read.items.append(document)
        elif item.document and not item.document.startswith(prefix):
            read.items.append(replace(item, document=prefix + item.document))
        else:
            read.items.append(item)


def _as_written(date: str, value: object) -> str:
    """Give a date as the database wrote it, for it to be compared there; one without the year in front compares to nothing."""
    text = str(value)
    return text if date and text[:4] == date[:4] else ""


def _named(document: Document, prefix: str) -> Document:
    return replace(document, id=prefix + document.id)


def _plain(value: object) -> object:
    if isinstance(value, dt.datetime):
        return value.isoformat(sep=" ")
    if isinstance(value, decimal.Decimal | uuid.UUID):
        return str(value)
    if isinstance(value, bytes | memoryview):
        return bytes(value).decode("utf-8", "replace")
    return value


def _engine(address: SourceAddress, password: SecretStr | None, allowed: Collection[str]) -> Engine:
    driver = _DRIVERS.get(address.scheme)
    if driver is None:
        raise SourceRefused(f"databases are {', '.join(sorted(_DRIVERS))}, not {address.scheme}")
    if driver == "sqlite":
        path = Path(address.path.removeprefix("/"))
        if not path.is_file():
            raise SourceRefused("the file of the SQLite database does not exist")
        return create_engine(f"sqlite:///file:{path.absolute()}?mode=ro&uri=true", poolclass=NullPool)
    has_tls = address.options.get("tls") == "on"
    url = URL.create(
        driver,
        username=address.user or None,
        password=password.get_secret_value() if password else None,
        # With TLS the certificate proves the name; without it the address that was checked is the one spoken to.
        host=address.host if has_tls else _checked(address, allowed),
        port=address.port,
        database=address.path.removeprefix("/") or None,
    )
    if not has_tls:
        return create_engine(url, poolclass=NullPool)
    _checked(address, allowed)
    name = "ssl_context" if "pg8000" in driver else "ssl"
    return create_engine(url, poolclass=NullPool, connect_args={name: ssl.create_default_context()})


def _checked(address: SourceAddress, allowed: Collection[str]) -> str:
    try:
        found = socket.getaddrinfo(address.host, address.port or 0, type=socket.SOCK_STREAM)
    except OSError:
        raise SourceRefused("the host of the database has no address") from None
    addresses = [str(each[4][0]) for each in found]
    if not is_allowed(address.host, allowed) and not all(map(is_public, addresses)):
        raise SourceRefused(
            "the database stands at a private, loopback or metadata address; TRIAGE_SOURCE_HOSTS names hosts that may"
        )
    return addresses[0]


def _read_only(connection: Any, scheme: str) -> None:
    if scheme != "sqlite":  # that one is opened read-only
        connection.execute(text("SET TRANSACTION READ ONLY"))


def _cause(error: Exception) -> str:
    """Name what went wrong without what was asked: parameters and passwords stand in a driver's own words."""
    original = error.orig if isinstance(error, DBAPIError) else None
    told = original.args[0] if original is not None and original.args else ""
    code = told.get("C", "") if isinstance(told, dict) else told if isinstance(told, int) else ""
    return " ".join(str(part) for part in (type(original or error).__name__, code) if part != "")
