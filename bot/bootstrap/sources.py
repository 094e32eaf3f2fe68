"""Sources beside files, each read with the credentials of the settings."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

from bot.adapters.sources import Credentials, ReadOptions, SourceRead, parse_address, read_source
from bot.errors import SourceRefused
from config.source_settings import SourceSettings
from retrieval.documents import FieldMap
from retrieval.errors import RetrievalError
from retrieval.index import read_manifest


def read_sources(
    addresses: Sequence[str], settings: SourceSettings, *, field_map: FieldMap, query: str, cursors: Mapping[str, str]
) -> list[SourceRead]:
    """Read every source, one after the other; those with a cursor from there on.

    Raises:
        SourceRefused: an address, a query or a credential is missing or not to be used, or two sources are one.
    """
    parsed = [parse_address(address) for address in addresses]
    if len({address.name for address in parsed}) < len(parsed):
        raise SourceRefused("one source is named twice")
    credentials = Credentials(
        zendesk_email=settings.zendesk_email,
        zendesk_token=settings.zendesk_token,
        confluence_email=settings.confluence_email,
        confluence_token=settings.confluence_token,
        sql_password=settings.sql_password,
        hosts=settings.hosts,
        labels=settings.labels,
    )
    statement = _statement(query)

    async def all_of_them() -> list[SourceRead]:
        return [
            await read_source(address, credentials, ReadOptions(field_map, statement, cursors.get(address.name, "")))
            for address in parsed
        ]

    return asyncio.run(all_of_them())


def known_cursors(folder: Path) -> dict[str, str]:
    """Give up to where each source was read, as the index tells; nothing for an index that cannot be read."""
    try:
        return read_manifest(folder).cursors
    except RetrievalError:
        return {}


def _statement(query: str) -> str:
    if query.endswith(".sql"):
        try:
            return Path(query).read_text(encoding="utf-8")
        except (OSError, ValueError):
            raise SourceRefused(f"the file of the query, {query}, cannot be read") from None
    return query
