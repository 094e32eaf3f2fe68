"""`/kb show`, `/kb incident` and their kin, from the signed form to what the asker reads (case A8)."""

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.adapters.slack import slack_rules
from bot.adapters.slack.commands import Wanted, read_wanted
from bot.adapters.slack.rules import SlackRules
from bot.desk.requests import SHOWN_CHARACTERS, Task
from tests.bot.adapters.slack.counter import Counter, FakeIncidents, open_counter
from tests.bot.flow_kit import RESET, card
from tests.fakes import FakePassageSource, make_passage
from tests.peers.slack_api import Fault, SlackPeer
from tests.peers.slack_payloads import ANA, BEN, CHANNEL, command_fields, event_body, mention

NOW = datetime(2027, 1, 15, 8, 0, tzinfo=UTC)  # the fakes' clock; 10:00 in Kyiv, where Slack says that everybody is
TOLD = "Card payments fail until 17:30"


def _may(*users: str, groups: tuple[str, ...] = ()) -> SlackRules:
    return replace(slack_rules(), incident_users=frozenset(users), incident_groups=groups)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("why?", Wanted("", "why?")),
        ("show kb-101", Wanted(Task.SHOW, "kb-101")),
        ("SHOW TCK-2001 ", Wanted(Task.SHOW, "TCK-2001")),
        ("show my invoices", Wanted("", "show my invoices")),
        ("show docs/fax gateway ", Wanted(Task.SHOW, "docs/fax gateway")),
        ("show “fax gateway”", Wanted(Task.SHOW, "fax gateway")),
        ('show "fax gateway"', Wanted(Task.SHOW, "fax gateway")),
        ("show docs/fax", Wanted(Task.SHOW, "docs/fax")),
        ("show me how 2FA works\nin settings/security", Wanted("", "show me how 2FA works\nin settings/security")),
        ("show", Wanted("", "show")),
        ("incident", Wanted(Task.INCIDENT_LIST, "")),
        ("incident list", Wanted(Task.INCIDENT_LIST, "")),
        ("incident end", Wanted(Task.INCIDENT_LIST, "")),
        ("incident end a1b2c", Wanted(Task.INCIDENT_END, "a1b2c")),
        ("incident list of orders is empty until 5pm", Wanted(Task.INCIDENT, "list of orders is empty", "5pm")),
        ("incident end customers wait\nuntil 5pm", Wanted(Task.INCIDENT, "end customers wait", "5pm")),
        ("incident list nothing", Wanted(Task.INCIDENT, "list nothing")),
        ("incidental costs", Wanted("", "incidental costs")),
        (" Lead ", Wanted(Task.LEAD, " Lead ")),
        ("lead times of suppliers", Wanted("", "lead times of suppliers")),
    ],
)
def test_words_of_a_command(text: str, wanted: Wanted) -> None:
    """Questions that begin like a task stay questions."""
    assert read_wanted(text) == wanted


async def test_show_gives_the_source_with_its_question_above(peer: SlackPeer) -> None:
    """The whole text, its id as a link, and nothing of a search."""
    source = FakePassageSource(RESET)
    async with open_counter(peer, source) as counter:
        shown = await counter.command("show kb-101")
    assert "Open the console and choose Forgot password." in shown
    assert "expires after 30 minutes" in shown
    assert "[kb-101](https://help.example.com/reset)" in shown
    assert shown.startswith("> You asked: kb-101")
    assert source.searched == []


@pytest.mark.parametrize(
    ("id_", "asked"),
    [("kb-101", "KB-101"), ("TCK-2001", "tck-2001"), ("docs/fax gateway", "docs/fax gateway"), ("fax 2", "“fax 2”")],
)
async def test_show_takes_ids_as_people_write_them(peer: SlackPeer, id_: str, asked: str) -> None:
    """In capitals or without, with a space in it, in the quotation marks that Slack makes."""
    source = FakePassageSource(make_passage(card(id_), "Send it to port 4559."))
    async with open_counter(peer, source) as counter:
        assert "Send it to port 4559." in await counter.command(f"show {asked}")
    assert source.searched == []


@pytest.mark.parametrize("id_", ["kb-999", "kb-7"])
async def test_show_of_what_is_not_there_or_not_to_be_seen(peer: SlackPeer, id_: str) -> None:
    """An unknown id and one of another label give the same words."""
    hidden = make_passage(card("kb-7", visibility=("leads",)), "Only for leads.")
    async with open_counter(peer, FakePassageSource(hidden)) as counter:
        assert f"There is no source {id_}, or you may not see it." in await counter.command(f"show {id_}")


async def test_show_of_a_word_is_a_question(peer: SlackPeer) -> None:
    """A word that is no id, as in "show invoices", asks something."""
    async with open_counter(peer, FakePassageSource(RESET)) as counter:
        assert "Forgot password" in await counter.command("show passwords")


async def test_show_of_a_long_source_says_that_it_is_cut(peer: SlackPeer) -> None:
    """Nine thousand characters are shown, foreign links are not, and no part pings anybody."""
    body = "<!channel> see https://evil.example/x now. " + "word " * SHOWN_CHARACTERS
    async with open_counter(peer, FakePassageSource(make_passage(card("kb-1"), body))) as counter:
        shown = await counter.command("show kb-1")
    assert "The rest is cut off here" in shown
    assert "evil.example" not in shown
    assert "<!channel>" not in shown


async def test_similar_and_show_fail_politely(peer: SlackPeer) -> None:
    """Without an index a task ends as unavailable, in its own words."""
    from retrieval.errors import IndexMissing

    async with open_counter(peer, FakePassageSource(failure=IndexMissing("gone"))) as counter:
        assert "cannot look this up right now" in await counter.command("why does sync fail?")


async def _told(counter: Counter, text: str = TOLD) -> str:
    return await counter.command(f"incident {text}")


async def test_incident_heads_matching_answers_until_it_is_ended(peer: SlackPeer) -> None:
    """Told once, it stands first in the answer, in the teller's own time; ended, it does not any more."""
    incidents = FakeIncidents()
    async with open_counter(peer, FakePassageSource(RESET), rules=_may(ANA), incidents=incidents) as counter:
        confirmed = await _told(counter)
        assert "Ongoing incident (until 2027-01-15 17:30 UTC+02:00): Card payments fail" in confirmed
        (incident,) = incidents.kept.values()
        assert datetime.fromtimestamp(incident.until, UTC) == datetime(2027, 1, 15, 15, 30, tzinfo=UTC)
        (post,) = await counter.say(mention("why do card payments fail?"))
        assert post.shown.startswith(":rotating_light: **Ongoing incident (until")
        assert "Forgot password" in post.shown
        assert incident.id in await counter.command("incident list")
        assert "Ended: Card payments fail" in await counter.command(f"incident end {incident.id}")
        (post,) = await counter.say(mention("why do card payments fail?"))
        assert "incident" not in post.shown
        assert "No incident is known" in await counter.command("incident list")


async def test_incident_is_silent_where_it_explains_nothing(peer: SlackPeer) -> None:
    """A far question, thanks, and people who may not see it are not told of it."""
    incidents = FakeIncidents()
    source = FakePassageSource(RESET, cosine=0.5)
    async with open_counter(peer, source, rules=_may(ANA), incidents=incidents) as counter:
        await _told(counter)
        (post,) = await counter.say(mention("how do I reset a password?"))
        assert "incident" not in post.shown
        source.cosine = 0.95
        (post,) = await counter.say(mention("thanks"))
        assert "incident" not in post.shown
        (post,) = await counter.say(mention("why do card payments fail?"), is_ext_shared_channel=True)
        assert "incident" not in post.shown


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Card payments fail", "Say what is broken and until when"),
        ("until 17:30", "Say what is broken and until when"),
        ("Card payments fail until whenever", "I could not read until when"),
        ("Card payments fail until today 9:00", "That time has passed"),
        ("Card payments fail until 2027-03-01", "30 days at most"),
    ],
)
async def test_incident_without_an_end_is_explained(peer: SlackPeer, text: str, word: str) -> None:
    """Nothing stands, and the words name a time that would do, two hours from now where the asker is."""
    incidents = FakeIncidents()
    async with open_counter(peer, rules=_may(ANA), incidents=incidents) as counter:
        said = await _told(counter, text)
    assert word in said
    assert "12:00" in said
    assert not incidents.kept


async def test_incident_is_for_whom_the_settings_name(peer: SlackPeer) -> None:
    """Nobody by default; a person or a group by name; a group that cannot be asked lets nobody in."""
    peer.groups["S0LEADS"] = [BEN]
    for rules, user, is_taken in (
        (slack_rules(), ANA, False),
        (_may(BEN), ANA, False),
        (_may(BEN), BEN, True),
        (_may(groups=("S0LEADS",)), BEN, True),
        (_may(groups=("S0LEADS",)), ANA, False),
        (_may(groups=("S0GONE",)), ANA, False),
    ):
        incidents = FakeIncidents()
        async with open_counter(peer, rules=rules, incidents=incidents) as counter:
            said = await counter.command(f"incident {TOLD}", user_id=user)
        assert bool(incidents.kept) is is_taken
        assert is_taken or re.search("administrator", said)


async def test_incident_told_twice_is_one(peer: SlackPeer) -> None:
    """A delivery that comes again changes nothing; ending an unknown one says so."""
    incidents = FakeIncidents()
    async with open_counter(peer, rules=_may(ANA), incidents=incidents) as counter:
        fields = command_fields(f"incident {TOLD}", response_url=peer.response_url())
        for _ in range(2):
            await counter.desk.command(fields)
        await counter.worker.run()
        assert len(incidents.kept) == 1
        assert "There is no incident zzzzz" in await counter.command("incident end zzzzz")


async def test_incident_without_a_known_clock_is_read_as_utc(peer: SlackPeer) -> None:
    """When Slack does not tell whose time it is, nobody unknown gets in, and the end is said with its zone."""
    incidents = FakeIncidents()
    async with open_counter(peer, rules=_may(ANA), incidents=incidents) as counter:
        peer.faults["users.info"] = Fault(status=500)
        assert "17:30 UTC)" in await _told(counter)


async def test_incident_is_told_in_a_channel_of_its_own_labels(peer: SlackPeer) -> None:
    """Who sees other labels is not told of it."""
    from bot.questions.access import Place, Places

    places = Places({"C0DEV": Place(labels=("dev",))})
    rules = replace(_may(ANA), places=places)
    incidents = FakeIncidents()
    async with open_counter(peer, FakePassageSource(RESET), rules=rules, incidents=incidents) as counter:
        await counter.command(f"incident {TOLD}", channel_id="C0DEV")
        (post,) = await counter.say(mention("why do card payments fail?"))
        assert post.channel == CHANNEL
        assert "incident" not in post.shown
        assert "No incident is known" in await counter.command("incident list")


async def test_answers_go_out_when_incidents_cannot_be_read(peer: SlackPeer) -> None:
    """Without Redis the answer comes without them."""
    from bot.desk.incidents import Incident
    from bot.errors import StateUnavailable

    class Away(FakeIncidents):
        async def standing(self) -> tuple[Incident, ...]:
            raise StateUnavailable("away")

    async with open_counter(peer, FakePassageSource(RESET), incidents=Away()) as counter:
        (post,) = await counter.say(mention("how do I reset a password?"))
        assert "Forgot password" in post.shown
        assert "cannot look this up right now" in await counter.command("incident list")
        assert (await counter.desk.event(event_body({"type": "tea_time"}))).status_code == 200
