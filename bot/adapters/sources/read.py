"""One source to documents, problems, and what the index must know: ids that are gone, prefix, cursor."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pydantic import SecretStr

from bot.adapters.sources.address import SourceAddress
from bot.errors import SourceRefused, SourceUnavailable
from retrieval.documents import Document, FieldMap, Problem
from retrieval.documents.desk_export import TICKET_PREFIX


@dataclass(frozen=True, slots=True)
class Credentials:
    """Who asks. `hosts` may stand at private addresses and be spoken to without TLS."""

    zendesk_email: str = ""
    zendesk_token: SecretStr | None = None
    confluence_email: str = ""
    confluence_token: SecretStr | None = None
    sql_password: SecretStr | None = None
    hosts: tuple[str, ...] = ()
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    pause_s: float = 0.5


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How a database is asked, and where the last load ended; `cursor` is empty for a whole load."""

    field_map: FieldMap
    query: str = ""
    cursor: str = ""


@dataclass(frozen=True, slots=True)
class SourceRead:
    """What a source gave. With a `prefix` only what changed was told: other documents whose ids begin so are still there."""

    name: str
    items: tuple[Document | Problem, ...]
    prefix: str = ""
    gone: frozenset[str] = frozenset()
    cursor: str = ""

    @property
    def is_incomplete(self) -> bool:
        """Whether it broke off."""
        return any(isinstance(item, Problem) and item.hides for item in self.items)


async def read_source(address: SourceAddress, credentials: Credentials, options: ReadOptions) -> SourceRead:
    """Read a source. What breaks off on the way is a problem among the items, never an error.

    Raises:
        SourceRefused: the address, the query or a credential is missing or not to be used.
    """
    if address.kind == "sql":
        found = _read_sql(address, credentials, options)
    elif address.kind == "zendesk":
        found = await _read_zendesk(address, credentials, options)
    else:
        found = await _read_confluence(address, credentials)
    return replace(found, items=tuple(_relabelled(item, credentials.labels) for item in found.items))


def _relabelled(item: Document | Problem, labels: Mapping[str, tuple[str, ...]]) -> Document | Problem:
    """Give the labels of the source as the operator names them."""
    if isinstance(item, Problem) or not labels:
        return item
    named = sorted({new for label in item.visibility for new in labels.get(label, (label,))})
    return replace(item, visibility=tuple(named))


def _read_sql(address: SourceAddress, credentials: Credentials, options: ReadOptions) -> SourceRead:
    from bot.adapters.sources.sql import read_rows  # SQLAlchemy takes 0.3 s to import

    if not options.query.strip():
        raise SourceRefused("a database needs --query: SQL, or the path of a file with it")
    read = read_rows(
        address,
        options.query,
        field_map=options.field_map,
        cursor=options.cursor,
        password=credentials.sql_password,
        allowed=credentials.hosts,
    )
    prefix = address.options.get("prefix", "") if read.is_incremental else ""
    return SourceRead(address.name, tuple(read.items), prefix, frozenset(read.gone), read.cursor)


async def _read_zendesk(address: SourceAddress, credentials: Credentials, options: ReadOptions) -> SourceRead:
    from bot.adapters.sources.guarded_http import Access, GuardedHttp
    from bot.adapters.sources.zendesk import ZendeskRead, read_articles, read_tickets

    if credentials.zendesk_token is None or not credentials.zendesk_email:
        raise SourceRefused("Zendesk needs ZENDESK_EMAIL and ZENDESK_API_TOKEN")
    user = f"{credentials.zendesk_email}/token"
    access = Access(credentials.hosts, user, credentials.zendesk_token, credentials.pause_s)
    read, part = ZendeskRead(), address.path.strip("/")
    if part not in ("", "articles", "tickets"):
        raise SourceRefused("of Zendesk there are /articles and /tickets, or both without either")
    locales = tuple(each for each in address.options.get("locale", "").split(",") if each)
    product = address.options.get("product_field", "")
    async with GuardedHttp(address, access) as http:
        try:
            if part != "tickets":
                await read_articles(http, read, locales=locales, where=address.name)
            if part != "articles":
                await read_tickets(http, read, cursor=options.cursor, product_field=product, where=address.name)
        except SourceUnavailable as error:
            read.items.append(Problem(address.name, f"broke off: {error}", hides=True))
    prefix = TICKET_PREFIX if options.cursor else ""
    return SourceRead(address.name, tuple(read.items), prefix, frozenset(read.gone), read.cursor)


async def _read_confluence(address: SourceAddress, credentials: Credentials) -> SourceRead:
    from bot.adapters.sources.confluence import read_pages
    from bot.adapters.sources.guarded_http import Access, GuardedHttp

    if credentials.confluence_token is None:
        raise SourceRefused("Confluence needs CONFLUENCE_API_TOKEN, in the Cloud with CONFLUENCE_EMAIL")
    access = Access(credentials.hosts, credentials.confluence_email, credentials.confluence_token, credentials.pause_s)
    options = dict(address.options)
    options.setdefault("api", "v2" if address.host.endswith(".atlassian.net") else "v1")
    items: list[Document | Problem] = []
    async with GuardedHttp(address, access) as http:
        try:
            await read_pages(http, items, base=address.path, options=options, where=address.name)
        except SourceUnavailable as error:
            items.append(Problem(address.name, f"broke off: {error}", hides=True))
    return SourceRead(address.name, tuple(items))
