"""Loopback Zendesk and Confluence: they check the credential, page, limit, change page sizes, and break off in the middle."""

import base64
from collections import deque
from dataclasses import dataclass, field
from typing import Any, Self

from aiohttp import web

ZENDESK_USER = "lead@desk.example"
TOKEN = "peer-token-4711"
GROUPS = [{"id": 50, "name": "billing"}]
SEGMENTS = [{"id": 12, "user_type": "staff"}, {"id": 13, "user_type": "signed_in_users", "tags": ["vip"]}]


@dataclass
class KnowledgePeer:
    """The peer. `faults` are played first: a status, or `cut` for half an answer; `asked` is every path in order."""

    articles: list[dict[str, Any]] = field(default_factory=list)
    tickets: list[dict[str, Any]] = field(default_factory=list)
    comments: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    users: list[dict[str, Any]] = field(default_factory=list)
    pages: list[dict[str, Any]] = field(default_factory=list)
    restrictions: dict[str, dict[str, Any]] = field(default_factory=dict)
    faults: deque[str] = field(default_factory=deque)
    fails_after: int = 1_000_000
    sizes: tuple[int, ...] = (2, 3, 1)
    next_host: str = ""
    redirect_to: str = ""
    is_listing_segments: bool = True
    asked: list[str] = field(default_factory=list)
    authorizations: set[str] = field(default_factory=set)

    async def __aenter__(self) -> Self:
        """Start on a free port."""
        application = web.Application(middlewares=[self._checked])
        routes = application.router
        routes.add_get("/api/v2/help_center/articles.json", self._articles)
        routes.add_get("/api/v2/help_center/{locale}/articles.json", self._articles)
        routes.add_get("/api/v2/help_center/user_segments.json", self._segments)
        routes.add_get("/api/v2/groups.json", self._groups)
        routes.add_get("/api/v2/incremental/tickets/cursor.json", self._tickets)
        routes.add_get("/api/v2/tickets/{id}/comments.json", self._comments)
        routes.add_get("/wiki/api/v2/spaces", self._spaces)
        routes.add_get("/wiki/api/v2/pages", self._pages_v2)
        routes.add_get("/wiki/rest/api/content", self._pages_v1)
        routes.add_get("/wiki/rest/api/content/{id}/restriction/byOperation/read", self._restriction)
        self._runner = web.AppRunner(application)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.port = self._runner.addresses[0][1]
        self.url = f"http://127.0.0.1:{self.port}"
        return self

    async def __aexit__(self, *_error: object) -> None:
        """Stop."""
        await self._runner.cleanup()

    @web.middleware
    async def _checked(self, request: web.Request, handler: Any) -> web.StreamResponse:
        self.asked.append(request.path_qs)
        self.authorizations.add(request.headers.get("Authorization", ""))
        basic = base64.b64encode(f"{ZENDESK_USER}/token:{TOKEN}".encode()).decode()
        if request.headers.get("Authorization") not in (f"Basic {basic}", f"Bearer {TOKEN}"):
            return web.Response(status=401)
        if self.redirect_to:
            return web.Response(status=302, headers={"Location": self.redirect_to})
        if len(self.asked) > self.fails_after:
            return web.Response(status=500, headers={"Retry-After": "0"})
        if self.faults:
            fault = self.faults.popleft()
            if fault == "cut":
                return web.Response(body=b'{"articles": [{"id"', content_type="application/json")
            return web.Response(status=int(fault), headers={"Retry-After": "0"})
        answer: web.StreamResponse = await handler(request)
        return answer

    def _slice(self, request: web.Request, rows: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], int | None]:
        """Give the rows of the page that is asked for, of a size that changes from page to page, and where the next begins."""
        start = int(request.query.get("at", "0"))
        size = self.sizes[start % len(self.sizes)]
        return rows[start : start + size], start + size if start + size < len(rows) else None

    def _zendesk(self, request: web.Request, name: str, rows: list[dict[str, Any]], **more: Any) -> web.Response:
        found, following = self._slice(request, rows)
        link = f"{self.next_host or self.url}{request.path}?at={following}"
        links = {"next": link} if following else {}
        return web.json_response({name: found, "meta": {"has_more": bool(following)}, "links": links, **more})

    async def _articles(self, request: web.Request) -> web.Response:
        return self._zendesk(request, "articles", self.articles)

    async def _segments(self, request: web.Request) -> web.Response:
        return (
            self._zendesk(request, "user_segments", SEGMENTS) if self.is_listing_segments else web.Response(status=403)
        )

    async def _groups(self, request: web.Request) -> web.Response:
        return self._zendesk(request, "groups", GROUPS)

    async def _comments(self, request: web.Request) -> web.Response:
        rows = self.comments.get(int(request.match_info["id"]), [])
        return self._zendesk(request, "comments", rows, users=self.users)

    async def _tickets(self, request: web.Request) -> web.Response:
        start = int(request.query.get("cursor", "0").removeprefix("c/") or 0)
        end = min(start + self.sizes[start % len(self.sizes)], len(self.tickets))
        values: dict[str, Any] = {"tickets": self.tickets[start:end], "after_cursor": f"c/{end}"}
        values["end_of_stream"] = end >= len(self.tickets)
        values["after_url"] = None if values["end_of_stream"] else f"{self.url}{request.path}?cursor=c/{end}"
        return web.json_response(values)

    async def _spaces(self, request: web.Request) -> web.Response:
        known = [{"id": "900", "key": "SUP"}]
        return web.json_response({"results": [s for s in known if s["key"] in request.query["keys"]], "_links": {}})

    async def _pages_v2(self, request: web.Request) -> web.Response:
        rows = [{k: v for k, v in page.items() if k not in ("restrictions", "ancestors")} for page in self.pages]
        return self._confluence(request, rows, "/wiki/api/v2/pages")

    async def _pages_v1(self, request: web.Request) -> web.Response:
        return self._confluence(request, self.pages, "/rest/api/content")

    def _confluence(self, request: web.Request, rows: list[dict[str, Any]], path: str) -> web.Response:
        found, following = self._slice(request, rows)
        links = {"base": "https://wiki.desk.example/wiki"} | ({"next": f"{path}?at={following}"} if following else {})
        return web.json_response({"results": found, "_links": links})

    async def _restriction(self, request: web.Request) -> web.Response:
        found = self.restrictions.get(request.match_info["id"])
        return web.json_response(found) if found is not None else web.Response(status=404)


def restricted(*, groups: tuple[str, ...] = (), users: tuple[str, ...] = ()) -> dict[str, Any]:
    """Give a read restriction as Confluence tells it; of nobody without arguments."""
    held = {
        "user": {"results": [{"accountId": name} for name in users]},
        "group": {"results": [{"name": name} for name in groups]},
    }
    return {"operation": "read", "restrictions": held}
