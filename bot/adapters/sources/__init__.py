"""Where knowledge lives beside files: Zendesk, Confluence and databases, read into documents and problems."""

from bot.adapters.sources.address import SourceAddress, is_source, parse_address
from bot.adapters.sources.read import Credentials, ReadOptions, SourceRead, read_source

__all__ = [
    "Credentials",
    "ReadOptions",
    "SourceAddress",
    "SourceRead",
    "is_source",
    "parse_address",
    "read_source",
]
