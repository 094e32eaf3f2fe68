"""Zendesk's articles and tickets, as its API and its exports write them, to records of our fields.

Of a ticket only public comments are read. What the agents wrote is the resolution; what anybody else wrote, or somebody of whom
nobody says that he is an agent, is the question, which is matched and never quoted.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from retrieval.documents.decoding import NotText
from retrieval.documents.document import INTERNAL, PUBLIC, TICKET, Problem

ARTICLE_PREFIX = "zendesk-article-"
TICKET_PREFIX = "zendesk-ticket-"
SEGMENT_PREFIX = "zendesk-segment-"
RESOLVED = ("solved", "closed")
_MERGED = "closed_by_merge"
_AGENTS = ("agent", "admin")
# Whoever reads "internal" documents here may read what Zendesk shows to its agents, or to everybody who signs in.
_SEGMENTS_OF_STAFF = ("staff", "signed_in_users")

Json = Mapping[str, Any]
People = Mapping[object, Json]


def is_desk_record(values: Json) -> bool:
    """Whether a record of a file is a ticket or an article of a Zendesk export, and not one of our own form."""
    if "resolution" in values or "text" in values:
        return False
    is_ticket = "subject" in values and isinstance(values.get("comments"), list) and "status" in values
    return is_ticket or (
        "body" in values and "title" in values and ("section_id" in values or "user_segment_id" in values)
    )


def from_desk_record(
    values: Json, where: str, beside: Callable[[], Mapping[object, Mapping[str, object]]] = dict
) -> dict[str, object] | Problem:
    """Give the record of an exported ticket or article, or why it is not indexed.

    `beside` gives the people whom the export lists by themselves, by id; asked when a comment does not say who its author is.
    """
    if "subject" not in values:
        return article_record(values, where)
    is_told = all(isinstance(each, Mapping) and "author" in each for each in values["comments"])
    people: dict[object, dict[str, Any]] = (
        {} if is_told else {name: dict(one) for name, one in _wrote(values, beside())}
    )
    for name in ("requester", "assignee", "submitter"):
        person = values.get(name)
        if isinstance(person, Mapping):
            people[person.get("id")] = {
                **people.get(person.get("id"), {}),
                **person,
                **({"role": "agent"} if name == "assignee" else {}),
            }
    comments = [comment for comment in values["comments"] if isinstance(comment, Mapping)]
    for author in (comment.get("author") for comment in comments):
        if isinstance(author, Mapping):
            people[author.get("id")] = {**people.get(author.get("id"), {}), **author}
    return ticket_record(values, comments, people, where)


def _wrote(ticket: Json, people: People) -> Iterator[tuple[object, Json]]:
    """Give those of a desk who have to do with a ticket: their names are looked for in it."""
    named = {ticket.get(f"{name}_id") for name in ("requester", "assignee", "submitter")}
    named |= {comment.get("author_id") for comment in ticket["comments"] if isinstance(comment, Mapping)}
    return ((name, people[name]) for name in named if name is not None and name in people)


def article_record(
    article: Json, where: str, *, segments: Mapping[object, str] | None = None, suffix: str = ""
) -> dict[str, object] | Problem:
    """Give the record of an article.

    Args:
        article: as Zendesk writes it.
        where: for messages.
        segments: the kind of each user segment by its id; unknown ones are labels of their own.
        suffix: what tells a translation from the article itself.
    """
    name = f"{ARTICLE_PREFIX}{article.get('id')}{suffix}"
    if article.get("draft"):
        return Problem(where, f"article {name!r} is a draft; it is not indexed", is_note=True)
    try:
        text = _html_text(article.get("body"))
    except NotText as error:
        return _unread(where, f"article {name!r} {error}", name if article.get("id") else "")
    return {
        "id": name if article.get("id") else "",
        "title": _text(article.get("title")),
        "text": text,
        "url": _text(article.get("html_url")),
        "lang": _text(article.get("locale")),
        "created_at": _text(article.get("created_at")),
        "updated_at": _text(article.get("edited_at") or article.get("updated_at")),
        "status": "outdated" if article.get("outdated") else "",
        "visibility": article_labels(article, segments or {}),
    }


def _unread(where: str, reason: str, name: str) -> Problem:
    return Problem(where, reason, hides=not name, document=name)


def article_labels(article: Json, segments: Mapping[object, str]) -> list[str]:
    """Give who may see an article: public only where Zendesk says that no segment restricts it."""
    if "user_segment_id" not in article and "user_segment_ids" not in article:
        return [INTERNAL]
    ids = article.get("user_segment_ids") or [article.get("user_segment_id")]
    named = [each for each in ids if each is not None]
    if not named:
        return [PUBLIC]
    return sorted(
        {INTERNAL if segments.get(each) in _SEGMENTS_OF_STAFF else f"{SEGMENT_PREFIX}{each}" for each in named}
    )


def ticket_record(
    ticket: Json, comments: Sequence[Json], people: People, where: str, *, queue: str = "", product: str = ""
) -> dict[str, object] | Problem:
    """Give the record of a resolved ticket; one that is still open is told and not indexed.

    Args:
        ticket: as Zendesk writes it.
        comments: all of its comments, oldest first; private ones are passed over.
        people: who wrote them, by id, with `name` and `role`.
        where: for messages.
        queue: the name of its group.
        product: what it is about.
    """
    name = f"{TICKET_PREFIX}{ticket.get('id')}"
    status = _text(ticket.get("status"))
    if status not in RESOLVED:
        reason = f"ticket {name!r} is {status or 'of no status'}, not resolved; it is not indexed"
        return Problem(where, reason, is_note=True, ticket=name)
    if _MERGED in (ticket.get("tags") or ()):  # what is said last in it tells of that alone
        return Problem(where, f"ticket {name!r} was merged into another; it is not indexed", is_note=True)
    try:
        asked, answered = _sides(ticket, comments, people)
    except NotText as error:
        return _unread(where, f"ticket {name!r} {error}", name if ticket.get("id") else "")
    return {
        "id": name if ticket.get("id") else "",
        "kind": TICKET,
        "title": _text(ticket.get("subject")),
        "question": "\n\n".join(filter(None, asked)),  # not the description: it may be a private first comment,
        "resolution": "\n\n".join(filter(None, answered)),
        "created_at": _text(ticket.get("created_at")),
        "updated_at": _text(ticket.get("solved_at") or ticket.get("updated_at")),
        "queue": queue or _text((ticket.get("group") or {}).get("name")),
        "product": product,
        "people": sorted({_text(person.get("name")) for person in people.values()} - {""}),
        "visibility": [INTERNAL],
    }


def _sides(ticket: Json, comments: Sequence[Json], people: People) -> tuple[list[str], list[str]]:
    """Give what was asked and what agents answered, in public."""
    asked: list[str] = []
    answered: list[str] = []
    requester = ticket.get("requester_id") or (ticket.get("requester") or {}).get("id")
    for comment in comments:
        if comment.get("public") is not True:  # unknown is private
            continue
        is_agent = people.get(comment.get("author_id"), {}).get("role") in _AGENTS
        (answered if is_agent and comment.get("author_id") != requester else asked).append(_comment(comment))
    return asked, answered


def _comment(comment: Json) -> str:
    plain = _text(comment.get("plain_body"))
    return plain or _html_text(comment.get("html_body")) or _text(comment.get("body"))


def _html_text(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        return ""
    from retrieval.documents.html import html_to_text  # its parser takes 60 ms to import

    title, text = html_to_text(value)
    return f"## {title}\n\n{text}" if title else text


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""
