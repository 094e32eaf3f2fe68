"""Who may ask where on Teams: conversations, people and tenants by their ids."""

import pytest

from bot.adapters.teams import ActivityReader, TeamsRules
from bot.messages import AcceptedMessage
from bot.questions.access import Place, Places
from retrieval.redaction import Redactor
from tests.fakes import FixedClock
from tests.peers.teams_connector import CHANNEL, TENANT_ID, TeamsConnector


async def read(rules: TeamsRules, **changes: object) -> AcceptedMessage:
    """Read a message of Ana in the support channel by these rules."""
    async with TeamsConnector() as peer:
        reader = ActivityReader(redactor=Redactor(), rules=rules, clock=FixedClock(1000.0))
        incoming = reader.read(peer.activity("why?", **changes))
    assert incoming is not None
    return incoming.message


@pytest.mark.parametrize(
    ("rules", "refusal", "audience"),
    [
        (TeamsRules(TENANT_ID), "", ("public", "internal")),
        (TeamsRules(TENANT_ID, frozenset({"19:other"})), "refused_channel", ("public", "internal")),
        (TeamsRules(TENANT_ID, places=Places({CHANNEL: Place(labels=("billing",))})), "", ("public", "billing")),
        (
            TeamsRules(TENANT_ID, places=Places({"*": Place(is_allowed=False)})),
            "refused_channel",
            ("public", "internal"),
        ),
        (TeamsRules(TENANT_ID, users=frozenset({"ana-aad"})), "", ("public", "internal")),
        (TeamsRules(TENANT_ID, users=frozenset({"ben-aad"})), "refused_group", ("public", "internal")),
        (
            TeamsRules(TENANT_ID, places=Places({CHANNEL: Place(groups=("S0",))})),
            "refused_group",
            ("public", "internal"),
        ),
        (TeamsRules("other", tenants=frozenset({TENANT_ID})), "", ("public", "internal")),
        (TeamsRules("other"), "", ("public",)),
        (TeamsRules("other", are_guests_answered=False), "refused_guest", ("public",)),
        (TeamsRules(""), "", ("public",)),
    ],
)
async def test_rules(rules: TeamsRules, refusal: str, audience: tuple[str, ...]) -> None:
    """Settings go by id; a group, which cannot be resolved here, closes; other tenants see public documents at most."""
    message = await read(rules)
    assert (message.refusal, message.audience) == (refusal, audience)


async def test_a_person_of_another_tenant_in_our_channel() -> None:
    """The asker's own tenant counts too where the activity names it."""
    message = await read(TeamsRules(TENANT_ID), **{"from": {"id": "29:eve", "name": "Eve", "tenantId": "theirs"}})
    assert message.audience == ("public",)
