"""Zendesk: articles of the Help Center, all of them, and tickets, since the last time where there was one."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from bot.adapters.sources.guarded_http import GuardedHttp
from bot.errors import SourceUnavailable
from retrieval.documents import Document, Problem, record_items
from retrieval.documents.desk_export import RESOLVED, TICKET_PREFIX, article_record, ticket_record

_AT_ONCE = 4
_NOTHING = ""  # every sign of a cursor is escaped


@dataclass(slots=True)
class ZendeskRead:
    """What was read so far: documents and problems, ids that are gone, and where to go on."""

    items: list[Document | Problem] = field(default_factory=list)
    gone: set[str] = field(default_factory=set)
    cursor: str = ""


async def read_articles(http: GuardedHttp, read: ZendeskRead, *, locales: tuple[str, ...], where: str) -> None:
    """Read every article, of each locale; all of them every time, since a segment can change without the text.

    Raises:
        SourceUnavailable: it broke off; what was read stays in `read`.
    """
    segments = await _segments(http)
    for number, locale in enumerate(locales or ("",)):
        path = f"/api/v2/help_center/{locale}/articles.json" if locale else "/api/v2/help_center/articles.json"
        async for article in pages(http, f"{path}?page[size]=100", "articles"):
            suffix = f"-{locale}" if number else ""
            read.items += _items(article_record(article, where, segments=segments, suffix=suffix), where)


async def read_tickets(http: GuardedHttp, read: ZendeskRead, *, cursor: str, product_field: str, where: str) -> None:
    """Read the tickets that changed since the cursor, all without one. Deleted and reopened ones are gone.

    Raises:
        SourceUnavailable: it broke off; what was read stays in `read`, the cursor is not moved.
    """
    groups = {
        group.get("id"): str(group.get("name") or "") async for group in pages(http, "/api/v2/groups.json", "groups")
    }
    path = "/api/v2/incremental/tickets/cursor.json"
    target = f"{path}?cursor={quote(cursor, safe='')}" if cursor else f"{path}?start_time=0"
    last: dict[str, list[Document | Problem]] = {}  # a ticket that changes while it is read is told twice
    seen: set[str] = set()
    try:
        while True:
            page = await http.get(target)
            tickets = _listed(page, "tickets")
            for found in await _with_comments(http, tickets, groups, product_field, where):
                last.update(found)
            cursor = str(page.get("after_cursor") or cursor)
            if page.get("end_of_stream") or not page.get("after_url"):
                break
            target = _unseen(str(page["after_url"]), seen)
    finally:
        read.items += [item for items in last.values() for item in items]
    kept = {name for name, items in last.items() if any(map(_is_there, items))}
    read.gone = set(last) - kept
    read.cursor = cursor


def _is_there(item: Document | Problem) -> bool:
    """Whether a ticket has an answer, or cannot be read: what is known of it stays then."""
    return bool(item.document) if isinstance(item, Problem) else bool(item.evidence)


async def _with_comments(
    http: GuardedHttp, tickets: list[dict[str, Any]], groups: Mapping[object, str], product_field: str, where: str
) -> list[dict[str, list[Document | Problem]]]:
    slots = asyncio.Semaphore(_AT_ONCE)

    async def one(ticket: dict[str, Any]) -> dict[str, list[Document | Problem]]:
        name = f"{TICKET_PREFIX}{ticket.get('id')}"
        if ticket.get("status") == "deleted":
            return {name: []}
        comments: list[dict[str, Any]] = []
        people: dict[object, dict[str, Any]] = {}
        if ticket.get("status") in RESOLVED:
            async with slots:
                path = f"/api/v2/tickets/{ticket.get('id')}/comments.json?include=users&page[size]=100"
                comments = [comment async for comment in pages(http, path, "comments", people=people)]
        queue, product = groups.get(ticket.get("group_id"), ""), _product(ticket, product_field)
        return {name: _items(ticket_record(ticket, comments, people, where, queue=queue, product=product), where)}

    tasks = [asyncio.ensure_future(one(ticket)) for ticket in tickets]
    try:
        return list(await asyncio.gather(*tasks))
    finally:  # when one broke off, the others must not ask on behind a client that is closed
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def pages(
    http: GuardedHttp, target: str, name: str, *, people: dict[object, dict[str, Any]] | None = None
) -> AsyncIterator[dict[str, Any]]:
    """Give the rows of every page, following the links that Zendesk gives: sizes of pages may change on the way.

    Raises:
        SourceUnavailable: a page is missing, has no rows, or leads back to one that was read.
    """
    seen: set[str] = set()
    while True:
        page = await http.get(target)
        if people is not None:
            people.update({user.get("id"): user for user in page.get("users", ())})
        for row in _listed(page, name):
            yield row
        meta = page.get("meta") or {}
        following = (page.get("links") or {}).get("next") if meta.get("has_more") else None
        following = following or page.get("next_page")
        if not following:
            return
        target = _unseen(str(following), seen)


def _unseen(target: str, seen: set[str]) -> str:
    if target in seen:
        raise SourceUnavailable("the pages of the source lead back to one that was read")
    seen.add(target)
    return target


def _listed(page: dict[str, Any], name: str) -> list[dict[str, Any]]:
    rows = page.get(name)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise SourceUnavailable(f"a page of the source has no list of {name}")
    return rows


async def _segments(http: GuardedHttp) -> dict[object, str]:
    """Give the kind of each user segment; who may not list them gets labels by their ids."""
    try:
        rows = [row async for row in pages(http, "/api/v2/help_center/user_segments.json", "user_segments")]
    except SourceUnavailable:
        return {}
    # A segment that is narrowed by tags or organisations is not all of the staff.
    narrowed = ("tags", "or_tags", "organization_ids", "group_ids")
    return {row.get("id"): str(row.get("user_type")) for row in rows if not any(row.get(name) for name in narrowed)}


def _items(record: dict[str, object] | Problem, where: str) -> list[Document | Problem]:
    return [record] if isinstance(record, Problem) else list(record_items(record, f"{where} {record['id']}"))


def _product(ticket: dict[str, Any], product_field: str) -> str:
    fields = ticket.get("custom_fields") or []
    found = [each.get("value") for each in fields if str(each.get("id")) == product_field]
    return found[0] if found and isinstance(found[0], str) else ""
