"""Reads a loopback source as the command does, and a ticket and an article to be read."""

from typing import Any

from pydantic import SecretStr

from bot.adapters.sources import Credentials, ReadOptions, SourceRead, parse_address, read_source
from retrieval.documents import Document, FieldMap, Problem
from tests.peers.knowledge import TOKEN, ZENDESK_USER, KnowledgePeer

NO_MAP = FieldMap({})
HERE = ("127.0.0.1", "localhost")


def credentials(hosts: tuple[str, ...] = HERE, **more: Any) -> Credentials:
    """Give credentials that the peers take; waiting takes no time."""
    token = SecretStr(TOKEN)
    values = {"zendesk_email": ZENDESK_USER, "zendesk_token": token, "confluence_token": token, **more}
    return Credentials(hosts=hosts, pause_s=0.001, **values)


async def read(peer: KnowledgePeer, kind: str, rest: str = "", *, cursor: str = "", **more: Any) -> SourceRead:
    """Read a source of the peer."""
    address = parse_address(f"{kind}+http://127.0.0.1:{peer.port}{rest}")
    return await read_source(address, credentials(**more), ReadOptions(NO_MAP, cursor=cursor))


def documents(found: SourceRead) -> dict[str, Document]:
    """Give the documents by id."""
    return {item.id: item for item in found.items if isinstance(item, Document)}


def reasons(found: SourceRead) -> str:
    """Give all problems as one text."""
    return "\n".join(str(item) for item in found.items if isinstance(item, Problem))


def article(number: int, **fields: Any) -> dict[str, Any]:
    """Make an article as Zendesk tells it."""
    values = {"id": number, "title": f"Article {number}", "body": f"<p>Text {number}.</p>", "locale": "en-us"}
    values |= {"html_url": f"https://help.desk.example/{number}", "updated_at": "2026-01-02T00:00:00Z"}
    return {**values, "user_segment_id": None, **fields}


def ticket(number: int, **fields: Any) -> dict[str, Any]:
    """Make a ticket as Zendesk tells it."""
    values = {"id": number, "subject": f"Subject {number}", "status": "solved", "requester_id": 1, "group_id": 50}
    return {**values, "updated_at": "2026-01-02T00:00:00Z", **fields}


def comments(number: int) -> list[dict[str, Any]]:
    """Make the comments of a ticket: the customer, a private note, the agent, over several pages."""
    return [
        {"author_id": 1, "public": True, "plain_body": f"Question {number}"},
        {"author_id": 2, "public": False, "plain_body": "A private note."},
        {"author_id": 3, "public": True, "plain_body": "Somebody unknown."},
        {"author_id": 2, "public": True, "plain_body": f"Resolution {number}"},
    ]


USERS = [{"id": 1, "name": "Pat Doe", "role": "end-user"}, {"id": 2, "name": "Ann Lee", "role": "agent"}]


def desk(tickets: int = 4, articles: int = 5) -> KnowledgePeer:
    """Make a peer with tickets and articles."""
    numbers = range(1, tickets + 1)
    return KnowledgePeer(
        articles=[article(n) for n in range(1, articles + 1)],
        tickets=[ticket(n) for n in numbers],
        comments={n: comments(n) for n in numbers},
        users=USERS,
    )
