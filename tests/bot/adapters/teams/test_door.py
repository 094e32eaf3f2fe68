"""The messaging endpoint: proof first, then claim and enqueue, then the acknowledgement."""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from bot.adapters.teams import ActivityReader, ConnectorProof, TeamsCloud, TeamsRules, build_teams_door
from bot.adapters.web.listeners import bare_application
from retrieval.redaction import Redactor
from tests.fakes import FixedClock, RecordingQueue
from tests.peers.teams_connector import BOT_ID, CHANNEL, CLIENT_ID, ISSUER, TENANT_ID, TeamsConnector
from tests.web_server import serving, stalled_post


@dataclass
class Door:
    """The endpoint with its peer and its queue."""

    client: httpx.AsyncClient
    peer: TeamsConnector
    queue: RecordingQueue

    async def post(self, activity: object, token: str | None = None) -> httpx.Response:
        """Deliver an activity with a good token, or the given one."""
        headers = {"Authorization": f"Bearer {self.peer.token() if token is None else token}"}
        return await self.client.post("api/messages", content=json.dumps(activity), headers=headers)


@pytest.fixture
async def door() -> AsyncIterator[Door]:
    """Serve the endpoint beside a peer."""
    async with TeamsConnector() as peer:
        cloud = TeamsCloud(openid_metadata_url=peer.openid_url, token_issuer=ISSUER)
        proof = ConnectorProof(client_id=CLIENT_ID, cloud=cloud)
        rules = TeamsRules(tenant_id=TENANT_ID)
        reader = ActivityReader(redactor=Redactor(), rules=rules, clock=FixedClock(1000.0))
        queue = RecordingQueue()
        async with serving(bare_application([build_teams_door(proof, reader, queue)])) as client:
            yield Door(client, peer, queue)
        proof.close()


async def test_a_mention_is_enqueued_redacted_and_acknowledged(door: Door) -> None:
    """The queue gets the decoded and redacted question with its thread, and the Connector its 200."""
    activity = door.peer.activity(
        "reset the PIN, mail pat.doe@customer.example", number="1700000000002", root="1700000000001"
    )
    response = await door.post(activity)
    assert response.status_code == 200
    message = door.queue.messages[0]
    assert message.text == "reset the PIN, mail [EMAIL]"
    assert (message.thread.channel_id, message.thread.thread_id) == (CHANNEL, "1700000000001")
    assert message.audience == ("public", "internal")
    assert door.queue.claims[0] == (f"teams:msg:{CHANNEL}:1700000000002",)


async def test_a_body_that_stops_coming_is_given_up(door: Door) -> None:
    """A sender of three bytes gets 408 and holds no connection."""
    proof = ConnectorProof(client_id=CLIENT_ID, cloud=TeamsCloud())
    reader = ActivityReader(redactor=Redactor(), rules=TeamsRules(tenant_id=TENANT_ID), clock=FixedClock(1000.0))
    router = build_teams_door(proof, reader, door.queue, body_timeout_s=0.05)
    async with serving(bare_application([router])) as client:
        assert "408" in await stalled_post(client, "/api/messages", "Authorization: Bearer x\r\n")
    proof.close()


async def test_a_redelivery_is_acknowledged_and_not_enqueued(door: Door) -> None:
    """The same activity sixteen seconds later is taken as done."""
    activity = door.peer.activity("reset the PIN")
    assert [(await door.post(activity)).status_code for _ in range(3)] == [200, 200, 200]
    assert len(door.queue.messages) == 1


@pytest.mark.parametrize("audience", [CLIENT_ID, f"api://{CLIENT_ID}", f"api://botid-{CLIENT_ID}"])
async def test_the_known_forms_of_the_audience_are_accepted(door: Door, audience: str) -> None:
    """The bot's own id in its three forms is an audience."""
    assert (await door.post(door.peer.activity("x"), door.peer.token(aud=audience))).status_code == 200


def _foreign_token(peer: TeamsConnector) -> str:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    claims = jwt.decode(peer.token(), options={"verify_signature": False})
    return jwt.encode(claims, key, algorithm="RS256", headers={"kid": "peer-key"})


BAD_TOKENS: dict[str, Any] = {
    "wrong audience": lambda p: p.token(aud="somebody-else"),
    "wrong issuer": lambda p: p.token(iss="https://attacker.example"),
    "expired": lambda p: p.token(exp=1_600_000_000),
    "no service url": lambda p: p.token(serviceurl=None),
    "other service url": lambda p: p.token(serviceurl="https://attacker.example/"),
    "service url is a number": lambda p: p.token(serviceurl=7),
    "foreign key": _foreign_token,
    "unknown key id": lambda p: jwt.encode(
        {"aud": CLIENT_ID}, "a-key-of-thirty-two-bytes-or-more!", headers={"kid": "no"}
    ),
    "no signature": lambda p: jwt.encode({"aud": CLIENT_ID, "iss": ISSUER}, "", algorithm="none"),
    "not a token": lambda _p: "abc",
    "two words": lambda _p: "a b",
}


@pytest.mark.parametrize("kind", BAD_TOKENS)
async def test_a_bad_token_gets_401_and_no_work(door: Door, kind: str) -> None:
    """Every way in which a token can be wrong is refused before anything is stored."""
    response = await door.post(door.peer.activity("x"), BAD_TOKENS[kind](door.peer))
    assert response.status_code == 401
    assert door.queue.messages == []


async def test_a_missing_header_gets_401(door: Door) -> None:
    """Without any token there is no work, whatever the body."""
    assert (await door.client.post("api/messages", content=b"{")).status_code == 401
    response = await door.client.post("api/messages", content=b"{}", headers={"Authorization": "Basic abc"})
    assert response.status_code == 401


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"[]", 400),
        (b"\xff\xfe", 400),
        (b"[" * 100_000, 400),
        (b"{}", 401),
        (b'{"serviceUrl": 7}', 401),
        (b'{"text": "' + b"x" * 300_000 + b'"}', 413),
    ],
)
async def test_hostile_bodies_are_refused_without_a_fault(door: Door, body: bytes, status: int) -> None:
    """No body that anybody can send makes the endpoint fail with 500."""
    headers = {"Authorization": f"Bearer {door.peer.token()}"}
    assert (await door.client.post("api/messages", content=body, headers=headers)).status_code == status


@pytest.mark.parametrize(
    "changes",
    [
        {"type": "conversationUpdate"},
        {"from": {"id": BOT_ID}},
        {"from": {"id": "28:other-bot"}},
        {"from": {"id": "29:x", "role": "bot"}},
        {"from": 7},
        {"conversation": {}},
        {"id": ""},
        {"mention": False},
    ],
)
async def test_what_asks_nothing_is_acknowledged_and_dropped(door: Door, changes: dict[str, Any]) -> None:
    """Bots, updates, broken activities and channel talk without a mention get a 200 and no work."""
    assert (await door.post(door.peer.activity("x", **changes))).status_code == 200
    assert door.queue.messages == []


async def test_a_store_that_is_away_gets_500_for_a_redelivery(door: Door) -> None:
    """While the question cannot be made durable it is not acknowledged, and the redelivery is taken."""
    activity = door.peer.activity("x")
    door.queue.is_away = True
    assert (await door.post(activity)).status_code == 500
    door.queue.is_away = False
    assert (await door.post(activity)).status_code == 200
    assert len(door.queue.messages) == 1


async def test_warm_keys_outlive_the_key_server(door: Door) -> None:
    """Keys are fetched once and kept while the key server is away."""
    await door.post(door.peer.activity("x"))
    door.peer.are_keys_away = True
    assert (await door.post(door.peer.activity("y"))).status_code == 200
    assert door.peer.key_fetches == 1


async def test_people_of_other_tenants_see_public_documents(door: Door) -> None:
    """A foreign or unnamed tenant narrows the audience."""
    foreign = {"id": f"{CHANNEL};messageid=1", "conversationType": "channel", "tenantId": "other"}
    await door.post(door.peer.activity("x", conversation=foreign))
    unnamed = {"id": f"{CHANNEL};messageid=1", "conversationType": "channel"}
    await door.post(door.peer.activity("y", number="77", conversation=unnamed, channelData={}))
    assert [m.audience for m in door.queue.messages] == [("public",), ("public",)]


async def test_a_one_to_one_chat_needs_no_mention(door: Door) -> None:
    """A direct message is a question, and its thread is the chat."""
    chat = {"id": "a:chat", "conversationType": "personal", "tenantId": TENANT_ID}
    await door.post(door.peer.activity("x", mention=False, conversation=chat))
    assert (door.queue.messages[0].thread.thread_id, door.queue.messages[0].is_direct) == ("chat", True)


def test_an_empty_client_id_is_refused_at_the_start() -> None:
    """Without a client id every token would be for somebody else, so the door is not opened."""
    with pytest.raises(ValueError, match="CLIENT_ID"):
        ConnectorProof(client_id="", cloud=TeamsCloud())


@pytest.fixture
def dangerous_switch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the SDK's variable that lets everybody in."""
    monkeypatch.setenv("DANGEROUSLY_ALLOW_UNAUTHENTICATED_REQUESTS", "true")


@pytest.mark.usefixtures("dangerous_switch")
async def test_the_sdks_dangerous_switch_changes_nothing(door: Door) -> None:
    """With the variable set, a request without a token still gets 401."""
    assert (await door.client.post("api/messages", content=b"{}")).status_code == 401
