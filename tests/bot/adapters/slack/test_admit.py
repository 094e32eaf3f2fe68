"""What the worker asks of Slack before it answers: guests, groups, channels of unknown sharing (cases E4, E5)."""

from dataclasses import replace

import pytest

from bot.adapters.slack import SlackAdmission, build_client, slack_rules
from bot.messages import AcceptedMessage
from bot.questions.access import Place, Places
from tests.bot.adapters.slack.replies import a_message, sealed
from tests.fake_state import FakeClock
from tests.peers.slack_api import BOT_TOKEN, Fault, SlackPeer
from tests.peers.slack_payloads import ANA, BEN, CHANNEL, Json

HOME = ("public", "internal")
GROUP = "S0SUPPORT"


@pytest.fixture
def clock() -> FakeClock:
    """Give the clock by which answers are kept."""
    return FakeClock()


def admission(peer: SlackPeer, clock: FakeClock, **rules: object) -> SlackAdmission:
    """Build the worker's side with these rules."""
    client = build_client(BOT_TOKEN, base_url=peer.base_url)
    return SlackAdmission(client, rules=slack_rules(**rules), clock=clock, timeout_s=10)  # type: ignore[arg-type]


def asked(user: str = ANA, sharing: str = "private", **fields: object) -> AcceptedMessage:
    """Give a question as the receiver enqueued it."""
    message = a_message(text=sealed("why?"), audience=HOME if sharing == "private" else ("public",))
    return replace(message, user_id=user, routing=(("ts", "1.1"), ("sharing", sharing)), **fields)  # type: ignore[arg-type]


def seen(message: AcceptedMessage) -> tuple[str, tuple[str, ...], bool]:
    """Give what came out of it: refusal, audience, and whether the asker is told that less was searched."""
    return message.refusal, message.audience, bool(message.route("narrowed"))


async def test_a_member_sees_what_the_channel_shows(peer: SlackPeer, clock: FakeClock) -> None:
    """A member of the workspace keeps the audience; the answer of Slack is kept for five minutes."""
    admit = admission(peer, clock)
    assert [seen(await admit(asked())) for _ in range(2)] == [("", HOME, False)] * 2
    assert peer.calls.count("users.info") == 1
    peer.people[ANA] = {"is_restricted": True}
    clock.time += 301
    assert (await admit(asked())).refusal == "refused_guest"


@pytest.mark.parametrize("flags", [{"is_restricted": True}, {"is_ultra_restricted": True}, {"is_stranger": True}])
async def test_a_guest_of_the_workspace(peer: SlackPeer, clock: FakeClock, flags: Json) -> None:
    """Guest accounts are refused, or see public documents where the operator answers guests."""
    peer.people[ANA] = flags
    assert seen(await admission(peer, clock)(asked())) == ("refused_guest", HOME, False)
    assert seen(await admission(peer, clock, are_guests_answered=True)(asked())) == ("", ("public",), False)


@pytest.mark.parametrize("fault", [Fault(error="missing_scope"), Fault(status=500), Fault(is_held=True)])
async def test_a_person_who_cannot_be_looked_up(peer: SlackPeer, clock: FakeClock, fault: Fault) -> None:
    """Unknown counts as a guest: public documents only, and the asker is told; a failure is not kept."""
    peer.faults["users.info"] = fault
    admit = admission(peer, clock)
    assert seen(await admit(asked())) == ("", ("public",), True)
    assert seen(await admit(asked())) == ("", HOME, False)


async def test_an_answer_without_a_person_is_no_proof(peer: SlackPeer, clock: FakeClock) -> None:
    """Slack says yes and names nobody: that proves nothing."""
    admit = admission(peer, clock)
    assert seen(await admit(asked("U0NOBODY"))) == ("", ("public",), True)


async def test_unknown_sharing_is_asked_for(peer: SlackPeer, clock: FakeClock) -> None:
    """A delivery that does not say whether the channel is shared: Slack says no, and our own people see their documents."""
    assert seen(await admission(peer, clock)(asked(sharing="unknown"))) == ("", HOME, False)
    peer.channels[CHANNEL] = {"is_ext_shared": True}
    assert seen(await admission(peer, clock)(asked(sharing="unknown"))) == ("", ("public",), False)
    peer.channels[CHANNEL] = {"is_pending_ext_shared": True}
    assert seen(await admission(peer, clock)(asked(sharing="unknown"))) == ("", ("public",), False)


async def test_sharing_that_stays_unknown_counts_as_shared(peer: SlackPeer, clock: FakeClock) -> None:
    """`conversations.info` fails: public documents only, and the asker is told."""
    peer.faults["conversations.info"] = Fault(error="missing_scope")
    assert seen(await admission(peer, clock)(asked(sharing="unknown"))) == ("", ("public",), True)


async def test_a_shared_channel_stays_public(peer: SlackPeer, clock: FakeClock) -> None:
    """Nothing that Slack says of the asker opens a channel that others read; nothing more is told either."""
    peer.faults["users.info"] = Fault(error="missing_scope")
    admit = admission(peer, clock)
    assert [seen(await admit(asked(sharing="shared"))) for _ in range(2)] == [("", ("public",), False)] * 2


async def test_an_allowed_group(peer: SlackPeer, clock: FakeClock) -> None:
    """Members are answered, others are told that they are in no such group; membership is kept for five minutes."""
    peer.groups[GROUP] = [ANA]
    admit = admission(peer, clock, groups=[GROUP])
    assert [(await admit(asked(user))).refusal for user in (ANA, BEN)] == ["", "refused_group"]
    peer.groups[GROUP] = [ANA, BEN]
    assert (await admit(asked(BEN))).refusal == "refused_group"
    clock.time += 301
    assert (await admit(asked(BEN))).refusal == ""
    assert peer.calls.count("usergroups.users.list") == 2


@pytest.mark.parametrize("fault", [Fault(error="missing_scope"), Fault(error="no_such_subteam"), Fault(status=500)])
async def test_a_group_that_cannot_be_resolved_closes(peer: SlackPeer, clock: FakeClock, fault: Fault) -> None:
    """Nobody gets in, members neither; the asker is told why, and the next question asks again."""
    peer.groups[GROUP] = [ANA]
    peer.faults["usergroups.users.list"] = fault
    admit = admission(peer, clock, groups=[GROUP])
    assert [(await admit(asked())).refusal for _ in range(2)] == ["group_unknown", ""]


async def test_groups_and_people_of_a_channel(peer: SlackPeer, clock: FakeClock) -> None:
    """A channel's own list takes the place of the general one; a person named there needs no group."""
    peer.groups |= {GROUP: [ANA], "S0LEADS": []}
    places = Places({CHANNEL: Place(groups=("S0LEADS",), users=frozenset({BEN}))})
    admit = admission(peer, clock, groups=[GROUP], places=places)
    assert [(await admit(asked(user))).refusal for user in (ANA, BEN)] == ["refused_group", ""]


async def test_a_refusal_asks_nobody(peer: SlackPeer, clock: FakeClock) -> None:
    """What was refused at the door stays refused and costs no call."""
    assert (await admission(peer, clock)(asked(refusal="refused_channel"))).refusal == "refused_channel"
    assert peer.calls == []


async def test_a_group_of_leads(peer: SlackPeer, clock: FakeClock) -> None:
    """Who asks for the lead's page is marked as its member; nobody is refused for not being one, or marked when it cannot be read."""
    peer.groups[GROUP] = [ANA]
    client = build_client(BOT_TOKEN, base_url=peer.base_url)
    rules = replace(slack_rules(), lead_groups=(GROUP,))
    admit = SlackAdmission(client, rules=rules, clock=clock, timeout_s=0.5)
    wish = replace(asked(), routing=(*asked().routing, ("do", "lead")))
    found = [await admit(message) for message in (wish, replace(wish, user_id=BEN), asked())]
    assert [(one.refusal, one.route("leads")) for one in found] == [("", "yes"), ("", ""), ("", "")]
    assert GROUP in rules.all_groups
    peer.faults["usergroups.users.list"] = Fault(error="missing_scope")
    clock.time += 301
    assert (await admit(wish)).route("leads") == ""
