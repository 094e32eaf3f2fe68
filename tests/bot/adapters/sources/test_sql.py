"""Claims of `bot.adapters.sources.sql`: rows of a real PostgreSQL and of SQLite, read-only, nothing lost, nothing told."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from sqlalchemy import create_engine, text

from bot.adapters.sources import ReadOptions, SourceRead, parse_address, read_source
from bot.adapters.sources.sql import _engine
from bot.errors import SourceRefused
from retrieval.documents import FieldMap
from tests.bot.adapters.sources.reading import HERE, NO_MAP, credentials, documents, reasons
from tests.postgres_server import PASSWORD

ROWS = "SELECT id, kind, asked AS question, answer AS resolution, changed AS updated_at, is_deleted FROM cases"


@pytest.fixture
def cases(postgres: str) -> Iterator[str]:
    """Give the address of a database with a table of cases of many types."""
    engine = create_engine(f"postgresql+pg8000://{postgres}".replace("reader@", f"reader:{PASSWORD}@"))
    make = (
        "DROP TABLE IF EXISTS cases; DROP SEQUENCE IF EXISTS numbers; CREATE SEQUENCE numbers;"
        " CREATE TABLE cases (id numeric, kind text, asked text, answer text, changed timestamptz, is_deleted bool);"
        " INSERT INTO cases SELECT n, 'ticket', 'Question ' || n, 'Answer ' || n,"
        " timestamptz '2026-01-01 00:00:00Z' + n * interval '1 day', false FROM generate_series(1, 5) AS n"
    )
    with engine.begin() as connection:
        for statement in make.split(";"):
            connection.execute(text(statement))
    yield f"sql+postgresql://{postgres}"
    engine.dispose()


async def run(address: str, query: str, *, cursor: str = "", columns: FieldMap = NO_MAP, **more: Any) -> SourceRead:
    """Read by a query."""
    values = {"sql_password": SecretStr(PASSWORD), **more}
    return await read_source(parse_address(address), credentials(**values), ReadOptions(columns, query, cursor))


async def test_postgresql_is_read_by_a_query(cases: str) -> None:
    """Columns named as fields, types of the database, ids as they are; a map names others."""
    found = await run(cases, ROWS)
    assert sorted(documents(found)) == ["1", "2", "3", "4", "5"]
    first = documents(found)["1"]
    assert (first.kind, first.question, first.resolution) == ("ticket", "Question 1", "Answer 1")
    assert first.updated_at.startswith("2026-01-02 00:00:00")
    assert not found.is_incomplete
    mapped = FieldMap.parse(["id=nr", "resolution=reply"])
    other = await run(cases, "SELECT id AS nr, answer AS reply FROM cases WHERE id = 2", columns=mapped)
    assert documents(other)["2"].resolution == "Answer 2"


async def test_a_query_with_since_reads_what_changed(cases: str) -> None:
    """From the latest date on; a row that says it is deleted is gone; ids carry the prefix that is theirs."""
    address, query = f"{cases}?prefix=crm-", f"{ROWS} WHERE changed >= :since ORDER BY changed"
    whole = await run(address, query)
    assert (len(documents(whole)), whole.prefix) == (5, "")
    engine = create_engine(f"postgresql+pg8000://{cases[17:]}".replace("reader@", f"reader:{PASSWORD}@"))
    with engine.begin() as connection:
        connection.execute(text("UPDATE cases SET is_deleted = true, changed = '2026-02-01' WHERE id = 1"))
        connection.execute(text("UPDATE cases SET answer = NULL, changed = '2026-02-02' WHERE id = 2"))
        connection.execute(text("UPDATE cases SET answer = 'New', changed = '2026-02-03' WHERE id = 3"))
    engine.dispose()
    found = await run(address, query, cursor=whole.cursor)
    changed = {name: item for name, item in documents(found).items() if item.resolution}
    assert changed.keys() == {"crm-3", "crm-5"}  # the row at the cursor itself is read again
    assert (found.gone, found.prefix) == (frozenset({"crm-1", "crm-2"}), "crm-")
    assert found.cursor.startswith("2026-02-03")


async def test_nothing_can_be_written(cases: str) -> None:
    """The transaction is read-only; what the database says is told by its code."""
    assert (await run(cases, "DELETE FROM cases RETURNING id")).is_incomplete
    found = await run(cases, "SELECT nextval('numbers') AS id, 'x' AS text")
    assert found.is_incomplete
    assert "broke off after 0 rows (ProgrammingError 25006)" in reasons(found)
    assert len(documents(await run(cases, ROWS))) == 5


async def test_a_database_that_fails_in_the_middle_is_incomplete(cases: str) -> None:
    """The rows before are read."""
    query = f"SELECT id, answer AS text, 1 / (id - 4) AS x FROM ({ROWS.replace('answer AS resolution', 'answer')}) AS c"
    found = await run(cases, query.replace("asked AS question", "asked"))
    assert found.is_incomplete
    assert "22012" in reasons(found)


async def test_a_wrong_password_is_not_told(cases: str) -> None:
    """Nor anything else of what was sent."""
    found = await run(cases, ROWS, sql_password=SecretStr("wrong-secret-4712"))
    assert found.is_incomplete
    assert "28P01" in reasons(found)
    assert "wrong-secret-4712" not in repr(found)


async def test_a_database_inside_must_be_named(cases: str) -> None:
    """As with every source."""
    with pytest.raises(SourceRefused, match="private, loopback or metadata address"):
        await run(cases, ROWS, hosts=())


@pytest.mark.parametrize(
    ("address", "query", "says"),
    [
        ("sql+oracle://h.example/db", "SELECT 1", "databases are"),
        ("sql+mysql://u@h.example/db", " ", "needs --query"),
        ("sql+sqlite:///no/such.db", "SELECT 1", "does not exist"),
        ("sql+postgresql://u@no-such-host.invalid/db", "SELECT 1", "has no address"),
        ("sql+mysql://u@h.example/db", "SELECT 1 WHERE x > :since", "needs ?prefix="),
    ],
)
async def test_what_cannot_be_asked_is_refused(address: str, query: str, says: str) -> None:
    """One clear sentence each."""
    with pytest.raises(SourceRefused) as refused:
        await run(address, query)
    assert says in str(refused.value)


async def test_sqlite_is_read_only_and_read(tmp_path: Path) -> None:
    """A file; bytes become text; casts with two colons are no parameters."""
    path = tmp_path / "kb.db"
    with closing(sqlite3.connect(path)) as base:
        base.execute("CREATE TABLE kb (id TEXT, text BLOB)")
        base.execute("INSERT INTO kb VALUES ('kb-1', ?), ('kb-2', NULL)", (b"Bytes of text",))
        base.commit()
    found = await run(f"sql+sqlite:///{path}", "SELECT * FROM kb")
    assert documents(found)["kb-1"].text == "Bytes of text"
    assert (await run(f"sql+sqlite:///{path}", "DELETE FROM kb RETURNING id, 'x' AS text")).is_incomplete


async def test_a_cursor_is_a_date_as_the_database_writes_it(tmp_path: Path) -> None:
    """One that was put into another form is compared there as it stands; without the year in front it gives no cursor."""
    path = tmp_path / "kb.db"
    with closing(sqlite3.connect(path)) as base:
        base.execute("CREATE TABLE kb (id TEXT, text TEXT, changed TEXT, german TEXT)")
        base.executemany(
            "INSERT INTO kb VALUES (?, 'Text.', ?, ?)",
            [("a", "20260512", "31.12.2026"), ("b", "20260601", "01.06.2026")],
        )
        base.commit()
    address, query = f"sql+sqlite:///{path}?prefix=kb-", "SELECT id, text, {} AS updated_at FROM kb WHERE {} > :since"
    found = await run(address, query.format("changed", "changed"))
    assert documents(found)["kb-b"].updated_at == "2026-06-01"
    assert found.cursor == "20260601"
    found = await run(address, query.format("german", "german"))
    assert documents(found)["kb-a"].updated_at == "2026-12-31"
    assert found.cursor == ""


def test_mysql_speaks_through_a_driver_in_python() -> None:
    """By address; MariaDB is the same; with TLS the certificate proves the name."""
    for scheme in ("mysql", "mariadb"):
        plain = _engine(parse_address(f"sql+{scheme}://reader@localhost:3306/kb"), SecretStr(PASSWORD), HERE)
        assert (plain.dialect.driver, plain.url.host in ("127.0.0.1", "::1")) == ("pymysql", True)
        secured = _engine(parse_address(f"sql+{scheme}://reader@localhost/kb?tls=on"), SecretStr(PASSWORD), HERE)
        assert secured.url.host == "localhost"
    assert PASSWORD not in repr(plain.url)
