"""Confluence: the pages of spaces with who may read them, over REST v2 (Cloud) or v1 (Data Center).

All pages are read every time: a restriction changes without the page, and what is gone is only known from the whole list.
"""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from bot.adapters.sources.guarded_http import GuardedHttp
from bot.adapters.sources.zendesk import _listed, _unseen
from bot.errors import SourceUnavailable
from retrieval.documents import Document, Problem, record_items
from retrieval.documents.decoding import NotText
from retrieval.documents.document import INTERNAL
from retrieval.documents.storage_format import storage_to_text

PREFIX = "confluence-"
_EXPANDED = (
    "body.storage,version,history,ancestors,restrictions.read.restrictions.user,restrictions.read.restrictions.group"
)
# Two levels of restrictions that share nobody: a label that nobody has until somebody is given it.
_NOBODY = "confluence-restricted-"


@dataclass(frozen=True, slots=True)
class Page:
    """A page. `parents` are the ids above it, as far as known; `readers` who may read it, empty for everybody of the space."""

    values: Mapping[str, Any]
    url: str
    parents: tuple[str, ...]
    readers: frozenset[str] | None

    @property
    def id(self) -> str:
        """Its id in Confluence."""
        return str(self.values.get("id") or "")


async def read_pages(
    http: GuardedHttp, items: list[Document | Problem], *, base: str, options: Mapping[str, str], where: str
) -> None:
    """Read the pages of the spaces that the options name, or of all.

    Raises:
        SourceUnavailable: it broke off; what was read stays in `items`.
    """
    spaces = [key.strip() for key in options.get("space", "").split(",") if key.strip()]
    is_old = options.get("api", "") == "v1"
    found: dict[str, Page] = {}
    try:
        async for page in _v1(http, base, spaces) if is_old else _v2(http, base, spaces):
            found[page.id] = page
    finally:  # what was read before the source broke off is indexed too
        readers = _Readers(http, base, found)
        for page in found.values():
            items += await _page_items(page, readers, where, options.get("visibility", INTERNAL))


async def _v1(http: GuardedHttp, base: str, spaces: list[str]) -> AsyncIterator[Page]:
    for key in spaces or [""]:
        chosen = f"&spaceKey={quote(key)}" if key else ""
        target = f"{base}/rest/api/content?type=page&status=current&limit=50&expand={_EXPANDED}{chosen}"
        async for values, root in _pages(http, base, target):
            read = (values.get("restrictions") or {}).get("read")
            parents = tuple(str(each.get("id")) for each in reversed(values.get("ancestors") or ()))
            yield Page(values, root + str((values.get("_links") or {}).get("webui") or ""), parents, _principals(read))


async def _v2(http: GuardedHttp, base: str, spaces: list[str]) -> AsyncIterator[Page]:
    chosen = ""
    if spaces:
        keys = quote(",".join(spaces))
        rows = [row async for row, _ in _pages(http, base, f"{base}/api/v2/spaces?keys={keys}&limit=100")]
        missing = set(spaces) - {str(row.get("key")) for row in rows}
        if missing:  # a misspelt or hidden space is no empty one
            raise SourceUnavailable(f"Confluence knows no space {', '.join(sorted(missing))}")
        chosen = "".join(f"&space-id={row.get('id')}" for row in rows)
    async for values, root in _pages(
        http, base, f"{base}/api/v2/pages?body-format=storage&status=current&limit=100{chosen}"
    ):
        parent = values.get("parentId")
        parents = (str(parent),) if parent else ()
        yield Page(values, root + str((values.get("_links") or {}).get("webui") or ""), parents, None)


async def _pages(http: GuardedHttp, base: str, target: str) -> AsyncIterator[tuple[dict[str, Any], str]]:
    seen: set[str] = set()
    while True:
        page = await http.get(target)
        links = page.get("_links") or {}
        for row in _listed(page, "results"):
            yield row, str(links.get("base") or "")
        following = str(links.get("next") or "")
        if not following:
            return
        # v1 gives the link below the base, v2 with it.
        is_whole = following.startswith(("http:", "https:", f"{base}/"))
        target = _unseen(following if is_whole else f"{base}{following}", seen)


class _Readers:
    """Who may read a page: every restriction on the way down to it holds."""

    def __init__(self, http: GuardedHttp, base: str, pages: Mapping[str, Page]) -> None:
        self._http = http
        self._base = base
        self._pages = pages
        self._known: dict[str, frozenset[str]] = {
            name: page.readers for name, page in pages.items() if page.readers is not None
        }

    async def labels(self, page: Page, default: str) -> list[str]:
        """Give the labels of a page; `default` where nothing restricts it.

        Raises:
            SourceUnavailable: a restriction cannot be read.
        """
        levels = [level for name in self._way_up(page) if (level := await self._of(name))]
        if not levels:
            return [default]
        shared = frozenset.intersection(*levels)
        return sorted(shared) or [f"{_NOBODY}{page.id}"]

    def _way_up(self, page: Page) -> list[str]:
        way = [page.id, *page.parents]
        while (above := self._pages.get(way[-1])) is not None and above.id != page.id:
            further = [name for name in above.parents if name not in way]
            if not further:
                break
            way += further
        return way

    async def _of(self, name: str) -> frozenset[str]:
        if name not in self._known:
            path = f"{self._base}/rest/api/content/{quote(name)}/restriction/byOperation/read"
            found = _principals(await self._http.get(path))
            if found is None:
                raise SourceUnavailable("its restrictions are of no known form")
            self._known[name] = found
        return self._known[name]


def _principals(read: object) -> frozenset[str] | None:
    """Give the labels of groups and people that a page is restricted to, empty for none; None when it is not told."""
    held = read.get("restrictions") if isinstance(read, dict) else None
    if not isinstance(held, dict) or not {"user", "group"} <= held.keys():
        return None
    labels = set()
    for kind, names in (("user", ("accountId", "username", "userKey")), ("group", ("name", "id"))):
        for row in (held[kind] or {}).get("results") or ():
            told = next((str(row[name]) for name in names if row.get(name)), "")
            labels.add(f"confluence-{kind}-{told}")
    return frozenset(labels)


async def _page_items(page: Page, readers: _Readers, where: str, default: str) -> list[Document | Problem]:
    name, values = f"{PREFIX}{page.id}", page.values
    try:
        labels = await readers.labels(page, default)
        text = storage_to_text(str(((values.get("body") or {}).get("storage") or {}).get("value") or ""))
    except SourceUnavailable as error:
        reason = f"who may read it cannot be told ({error}); it is not indexed"
        return [Problem(f"{where} {name}", reason, hides=not page.id, document=name if page.id else "")]
    except NotText as error:
        return [Problem(f"{where} {name}", str(error), hides=not page.id, document=name if page.id else "")]
    version, history = values.get("version") or {}, values.get("history") or {}
    record = {
        "id": name if page.id else "",
        "title": values.get("title") or "",
        "text": text,
        "url": page.url,
        "updated_at": version.get("createdAt") or version.get("when") or "",
        "created_at": values.get("createdAt") or history.get("createdDate") or "",
        "owner": (version.get("by") or {}).get("displayName") or "",
        "visibility": labels,
    }
    return list(record_items(record, f"{where} {name}"))
