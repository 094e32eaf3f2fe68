"""Deleted messages and removed installations on Teams, and the deletion of the bot's own posts."""

from dataclasses import replace

import httpx
import pytest
from pydantic import SecretStr

from bot.adapters.teams import (
    ActivityReader,
    BotTokens,
    ConnectorProof,
    TeamsCloud,
    TeamsPoster,
    TeamsRules,
    build_teams_door,
)
from bot.adapters.teams.gone import read_gone
from bot.adapters.web.listeners import bare_application
from bot.errors import PlatformUnavailable, ReplyRejected, StateUnavailable
from bot.lead.receipts import Receipt
from bot.messages import MessageId, Platform, ThreadRef
from bot.ports import Place
from retrieval.redaction import RedactedText, Redactor
from tests.fakes import FixedClock, RecordingQueue
from tests.peers.teams_connector import CHANNEL, CLIENT_ID, CLIENT_SECRET, ISSUER, TENANT_ID, Fault, TeamsConnector
from tests.web_server import serving


class Told:
    """Keeps what it was told, or is without Redis."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.is_away = False

    async def withdraw(self, message_id: MessageId, thread: ThreadRef) -> None:
        """Keep it."""
        if self.is_away:
            raise StateUnavailable("away")
        self.said.append(f"{message_id} in {thread.thread_id}")

    async def leave(self, place: Place) -> None:
        """Keep it."""
        self.said.append(f"left {place.key}")


async def test_activities_that_say_what_is_gone() -> None:
    """A deletion and a removal are told on; without Redis the Connector is asked to come again; questions go their way."""
    told, queue = Told(), RecordingQueue()
    async with TeamsConnector() as peer:
        cloud = TeamsCloud(peer.openid_url, ISSUER, peer.login_url)
        proof = ConnectorProof(client_id=CLIENT_ID, cloud=cloud)
        reader = ActivityReader(redactor=Redactor(), rules=TeamsRules(TENANT_ID), clock=FixedClock(1.0))
        router = build_teams_door(proof, reader, queue, withdrawals=told)  # type: ignore[arg-type]
        async with serving(bare_application([router])) as client:

            async def post(**changes: object) -> httpx.Response:
                headers = {"Authorization": f"Bearer {peer.token()}"}
                body = peer.activity("hi", number="9", root="7", **changes)
                return await client.post("/api/messages", json=body, headers=headers)

            answers = [
                await post(type="messageDelete"),
                await post(type="installationUpdate", action="remove"),
                await post(type="installationUpdate", action="add"),
                await post(),
            ]
            told.is_away = True
            answers.append(await post(type="messageDelete"))
        proof.close()
    assert [answer.status_code for answer in answers] == [200, 200, 200, 200, 500]
    assert told.said == [f"teams:{CHANNEL}:9 in 7", f"left teams/{TENANT_ID}/{CHANNEL}"]
    assert len(queue.messages) == 1


@pytest.mark.parametrize(
    "activity", [{"type": "messageDelete"}, {"type": "installationUpdate", "action": "remove"}, {}]
)
def test_an_activity_without_a_place_says_nothing(activity: dict[str, str]) -> None:
    """What names no conversation names nothing."""
    assert read_gone(activity) is None


@pytest.fixture
def receipt() -> Receipt:
    """Give the receipt of a reply of two parts."""
    thread = ThreadRef(Platform.TEAMS, TENANT_ID, CHANNEL, "7")
    return Receipt(MessageId("m"), thread, ("sent-1", "sent-2"), (), "", 1.0)


async def test_posts_are_deleted(receipt: Receipt) -> None:
    """A corrected reply is its first part with other words; every part is deleted in its conversation; deleted twice is deleted; a 503 is passing, a 403 final."""
    async with TeamsConnector() as peer:
        tokens = BotTokens(
            client_id=CLIENT_ID,
            client_secret=SecretStr(CLIENT_SECRET),
            tenant_id=TENANT_ID,
            cloud=TeamsCloud(login_url=peer.login_url),
        )
        poster, posted = TeamsPoster(tokens), replace(receipt, service_url=peer.service_url)
        peer.stands = {"sent-1", "sent-2", "sent-3", "sent-4"}
        await poster.correct(replace(posted, post_ids=("sent-3", "sent-4")), RedactedText.stored("Withdrawn."))
        assert (peer.updated, peer.stands) == ({"sent-3": "Withdrawn."}, {"sent-1", "sent-2", "sent-3"})
        peer.stands.discard("sent-3")
        await poster.correct(replace(posted, post_ids=("sent-3",)), RedactedText.stored("Withdrawn."))
        await poster.remove(posted)
        assert (peer.stands, peer.deleted_in) == (set(), {f"{CHANNEL};messageid=7"})
        await poster.remove(posted)
        for status, error in ((503, PlatformUnavailable), (403, ReplyRejected)):
            peer.faults.append(Fault(status))
            with pytest.raises(error):
                await poster.remove(posted)
        await poster.close()
