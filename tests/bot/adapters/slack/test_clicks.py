"""The buttons below an answer, pressed at a replica that did not give it."""

import pytest

from bot.adapters.slack import SlackPoster, build_client
from bot.adapters.slack.answer_buttons import Buttons
from bot.adapters.slack.rules import SlackRules
from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import Keyspace
from bot.answers.kept_answers import KeepingResponder
from bot.lead.feedback import Verdict, evaluation_rows
from bot.messages import AcceptedMessage, Answer, Outcome, Reply
from bot.questions.access import Place, Places
from retrieval.redaction import RedactedText
from tests.bot.adapters.slack.button_desk import SYNC, ButtonDesk, card
from tests.fakes import make_passage
from tests.peers.slack_api import BOT_TOKEN, SlackPeer
from tests.peers.slack_clicks import click, labels
from tests.peers.slack_payloads import ANA, BEN, event_body, mention
from tests.peers.slack_posts import Fault

QUESTION = "why does sync fail with error 500?"


@pytest.fixture
def desk(peer: SlackPeer, redis_link: RedisLink, redis_keys: Keyspace) -> ButtonDesk:
    """Give a desk with one public article that has no page of its own."""
    return ButtonDesk(peer, redis_link, redis_keys)


async def test_an_answer_has_its_buttons_on_the_last_part(desk: ButtonDesk) -> None:
    """Verdict, reasons, draft, and the source that has no address; nobody to ask as long as no group is named."""
    post = await desk.ask(QUESTION)
    assert labels(post) == ["Useful", "Not useful", "Why this answer", "Draft for the customer", "📄 kb-101"]
    assert post.blocks[0]["type"] == "markdown"


async def test_a_source_with_a_page_is_a_link_and_no_button(desk: ButtonDesk) -> None:
    """What has an address opens by its id in the list of sources."""
    desk.passages = (make_passage(card("kb-101", url="https://kb.example/101"), "Restart the sync agent at once."),)
    post = await desk.ask(QUESTION)
    assert "[kb-101](https://kb.example/101)" in post.shown
    assert "📄 kb-101" not in labels(post)


async def test_a_useful_answer_becomes_a_labelled_question(desk: ButtonDesk) -> None:
    """One click keeps the verdict under a pseudonym, and the export says what is relevant to the question."""
    assert (await desk.press(await desk.ask(QUESTION), "Useful")).status_code == 200
    (row,) = evaluation_rows(await desk.rated())
    assert (row["query"], row["relevant"], row["answerable"], row["lang"]) == (QUESTION, ["kb-101"], True, "en")
    assert desk.peer.ephemerals[-1].text == "Thank you, noted."
    (rated,) = await desk.rated()
    assert ANA not in str(rated)


async def test_a_bad_verdict_opens_a_form_and_its_reason_is_redacted(desk: ButtonDesk) -> None:
    """The verdict counts at once; the reason follows, without the address in it, and stays when the button is hit again."""
    post = await desk.ask(QUESTION)
    await desk.press(post, "Not useful")
    (rated,) = await desk.rated()
    assert [vote.verdict for vote in rated.votes.values()] == [Verdict.NOT_USEFUL]
    assert desk.peer.window.startswith("What was wrong?")
    await desk.submit("outdated, write to pat@example.com")
    await desk.press(post, "Not useful")
    (row,) = evaluation_rows(await desk.rated())
    assert row["reasons"] == ["outdated, write to [EMAIL]"]
    assert (row["rejected"], "relevant" in row) == (["kb-101"], False)


async def test_an_empty_reason_keeps_the_verdict_alone(desk: ButtonDesk) -> None:
    """Writing nothing is allowed."""
    await desk.press(await desk.ask(QUESTION), "Not useful")
    assert (await desk.submit(None)).text in ("", '""')
    (rated,) = await desk.rated()
    assert [vote.reason for vote in rated.votes.values()] == [""]


async def test_two_people_who_disagree_label_nothing(desk: ButtonDesk) -> None:
    """A tie is left out of the export; each person has one vote, the newest."""
    post = await desk.ask(QUESTION)
    await desk.press(post, "Useful")
    await desk.press(post, "Not useful", user=BEN)
    assert list(evaluation_rows(await desk.rated())) == []
    await desk.press(post, "Useful", user=BEN)
    (row,) = evaluation_rows(await desk.rated())
    assert row["votes"] == {"useful": 2, "not_useful": 0}


async def test_why_says_what_was_searched_found_and_paid(desk: ButtonDesk) -> None:
    """Queries, hits with the cut, age and cost stand in a window that opens inline."""
    desk.clock.time = 1_792_800_000.0  # 2026-10-24
    await desk.press(await desk.ask(QUESTION), "Why this answer")
    window = desk.peer.window
    assert "Searched for" in window
    assert f"• {QUESTION}" in window
    assert "Found; from 30 % relevance" in window
    assert "✓ kb-101 About kb-101 — 90 %" in window
    assert "kb-101: updated 2026-03-01, 237 days ago" in window
    assert "no model was called" in window
    assert desk.queue.messages == []


async def test_a_window_that_slack_does_not_open_breaks_nothing(desk: ButtonDesk) -> None:
    """A trigger that has died is a line in the log; the click is acknowledged."""
    body = click(desk.peer, await desk.ask(QUESTION), "Why this answer", trigger_id=desk.peer.trigger(age_s=4))
    assert (await desk.interact(body)).status_code == 200
    assert desk.peer.views == {}


async def test_a_source_is_quoted_at_once_and_shown_whole_by_a_worker(desk: ButtonDesk) -> None:
    """The window stands within the click; the redacted text follows through the queue into the same window."""
    desk.passages = (make_passage(card("kb-101"), "Restart the sync agent when sync fails.", "Then sign in *again*."),)
    await desk.press(await desk.ask(QUESTION), "📄 kb-101")
    assert desk.peer.window.startswith("kb-101\nAbout kb-101\nupdated 2026-03-01\nRestart the sync agent")
    await desk.work()
    assert desk.peer.window.endswith("Then sign in *again*.")
    assert len(desk.peer.posts) == 1


async def test_a_source_that_went_away_is_not_shown(desk: ButtonDesk) -> None:
    """Held back or removed since the answer: the window says so instead of its text."""
    post = await desk.ask(QUESTION)
    await desk.press(post, "📄 kb-101")
    desk.passages = ()
    await desk.work()
    assert "cannot be shown" in desk.peer.window


async def test_who_may_not_see_the_answer_gets_no_window(desk: ButtonDesk) -> None:
    """A guest of the workspace in the same channel is told so, and no window opens."""
    post = await desk.ask(QUESTION)
    desk.peer.people[BEN] = {"is_restricted": True}
    for label in ("Why this answer", "📄 kb-101"):
        await desk.press(post, label, user=BEN)
    assert desk.peer.views == {}
    assert "I can only answer people of the organisation" in desk.peer.ephemerals[-1].text


async def test_a_narrower_audience_gets_no_window(desk: ButtonDesk) -> None:
    """Where Slack does not say who somebody is, only public documents are theirs, and this answer may rest on others."""
    post = await desk.ask(QUESTION)
    desk.peer.faults["users.info"] = Fault(status=500, times=9)
    await desk.press(post, "Why this answer")
    assert desk.peer.views == {}
    assert "could not check" in desk.peer.ephemerals[-1].text


async def test_an_answer_that_is_forgotten_says_so(desk: ButtonDesk) -> None:
    """A button outlives its answer: whoever presses it is told to ask again."""
    post = await desk.ask(QUESTION)
    await desk.link.execute("DEL", *[k async for k in _keys(desk, "answer")])
    for label in labels(post):
        assert (await desk.press(post, label)).status_code == 200
    assert {note.text for note in desk.peer.ephemerals} == {
        "I no longer have this answer. Please ask the question again."
    }
    assert desk.queue.messages == []


async def test_a_button_of_another_channel_is_not_served(desk: ButtonDesk) -> None:
    """A reference that does not belong to the channel of the click does nothing."""
    post = await desk.ask(QUESTION)
    body = click(desk.peer, post, "Useful")
    await desk.interact({**body, "channel": {"id": "C0DEV", "name": "dev"}})
    body["actions"][0]["value"] = "nonsense"
    await desk.interact(body)
    assert await desk.rated() == []


async def test_a_draft_is_for_the_agents_eyes_in_the_thread(desk: ButtonDesk) -> None:
    """Greeting, the verified sentence without its number, closing; ephemeral, with the sources named beside it."""
    post = await desk.ask(QUESTION)
    await desk.press(post, "Draft for the customer", user=BEN)
    await desk.work()
    note = desk.peer.ephemerals[-1]
    assert (note.user, note.thread_ts, len(desk.peer.posts)) == (BEN, post.thread_ts, 1)
    assert note.shown.startswith("**Draft for the customer. Only you see it; nothing was sent.**")
    assert "Dear customer,\n\nRestart the sync agent when sync fails with error 500.\n\nKind regards" in _lines(
        note.shown
    )
    assert "kb-101" in note.shown.partition("Kind regards")[2]
    assert list(labels(note)) == []


async def test_nothing_internal_goes_into_a_draft(desk: ButtonDesk) -> None:
    """What only an internal source says is not drafted; the agent reads that there is nothing."""
    desk.passages = (make_passage(card("int-7", visibility=("internal",)), "Restart the sync agent, then bill it."),)
    await desk.press(await desk.ask(QUESTION), "Draft for the customer")
    await desk.work()
    assert "there is no draft" in desk.peer.ephemerals[-1].shown
    assert "bill" not in desk.peer.ephemerals[-1].shown


async def test_drafts_leave_no_turn_in_the_thread(desk: ButtonDesk) -> None:
    """History knows the question once, and nothing of what buttons did."""
    post = await desk.ask(QUESTION)
    desk.groups = {"*": "S0HELP"}
    for label in ("Draft for the customer", "📄 kb-101"):
        await desk.press(post, label)
    await desk.work()
    assert [len(turns) for turns in desk.threads.kept.values()] == [1]


async def test_a_person_is_asked_once_with_a_summary(desk: ButtonDesk) -> None:
    """The group of the queue is mentioned in the thread, by code; a second click, by anybody, says that it was done."""
    desk.groups = {"*": "S0HELP", "billing": "S0BILL"}
    post = await desk.ask(QUESTION)
    assert "Ask a person" in labels(post)
    await desk.press(post, "Ask a person")
    await desk.work()
    asked = desk.peer.posts[-1]
    assert asked.thread_ts == post.thread_ts
    assert asked.blocks[0]["text"]["text"] == "<!subteam^S0HELP>"
    assert asked.text.startswith("<!subteam^S0HELP> Please take over this question.")
    assert f"Question: {QUESTION}" in asked.shown
    assert "I answered from kb-101." in asked.shown
    await desk.press(post, "Ask a person", user=BEN)
    await desk.work()
    assert len(desk.peer.posts) == 2
    assert desk.peer.ephemerals[-1].text == "Somebody has already been asked about this."


async def test_a_mention_in_the_question_pings_nobody_at_the_handover(desk: ButtonDesk) -> None:
    """Only the configured group is mentioned, whatever stands in the question."""
    desk.groups = {"*": "S0HELP"}
    post = await desk.ask("why does sync fail &lt;!channel&gt; <!here> @channel?")
    await desk.press(post, "Ask a person")
    await desk.work()
    shown = desk.peer.posts[-1].shown.replace("<!subteam^S0HELP>", "")
    assert "<" not in shown
    assert "@channel" not in shown


async def test_a_temporary_failure_can_be_tried_again_once(desk: ButtonDesk) -> None:
    """The button asks the same question again, whoever presses it; a second press finds it asked."""
    desk.passages = ()
    source = desk.source
    assert source is not None
    nothing = await desk.ask(QUESTION)
    assert labels(nothing) == ["Useful", "Not useful", "Why this answer"]
    failed = await _failed(desk)
    assert labels(failed) == ["Try again"]
    desk.passages = (SYNC,)
    await desk.press(failed, "Try again", user=BEN)
    await desk.press(failed, "Try again")
    assert [message.text for message in desk.queue.messages] == [QUESTION]
    await desk.work()
    assert "kb-101" in desk.peer.posts[-1].shown
    assert desk.peer.posts[-1].thread_ts == failed.thread_ts


async def test_a_question_that_was_given_up_can_be_tried_again(desk: ButtonDesk) -> None:
    """What no worker lived to answer is known to the button below the word that says so."""

    class Dying:
        async def respond(self, message: AcceptedMessage, *, is_stateless: bool = False) -> Answer:
            raise ConnectionError

    await desk.event(event_body(mention(QUESTION)))
    message = desk.queue.messages.pop()
    with pytest.raises(ConnectionError):
        await KeepingResponder(Dying(), desk.answers).respond(message)
    client = build_client(BOT_TOKEN, base_url=desk.peer.base_url)
    poster = SlackPoster(client, clock=desk.clock, buttons=Buttons())
    failed = Answer(Outcome.UNAVAILABLE, RedactedText.stored("I cannot look this up."), "en", "")
    await poster.post(Reply(message, failed))
    await desk.press(desk.peer.posts[-1], "Try again")
    await desk.work()
    assert "kb-101" in desk.peer.posts[-1].shown


async def test_rules_of_the_place_hold_for_clicks(desk: ButtonDesk) -> None:
    """A channel that was closed since the answer serves no draft any more."""
    post = await desk.ask(QUESTION)
    desk.rules = SlackRules(places=Places({post.channel: Place(is_allowed=False)}))
    await desk.press(post, "Draft for the customer")
    await desk.work()
    assert "I do not answer in this channel" in desk.peer.ephemerals[-1].shown


@pytest.mark.parametrize("is_elsewhere", [False, True])
async def test_who_may_not_ask_uses_nothing_up(desk: ButtonDesk, *, is_elsewhere: bool) -> None:
    """A guest, or somebody of another company, gives no verdict and spends no hand-over: an agent still has both."""
    desk.groups = {"*": "S0HELP"}
    post = await desk.ask(QUESTION)
    desk.peer.people[BEN] = {"is_restricted": not is_elsewhere}
    for label in ("Useful", "Not useful", "Draft for the customer", "Ask a person"):
        body = click(desk.peer, post, label, user=BEN)
        if is_elsewhere:
            body["user"]["team_id"] = "T0CUSTOMER"
        await desk.interact(body)
        await desk.work()
        assert "I can only answer people of the organisation" in desk.peer.ephemerals.pop().text
    assert (desk.peer.views, await desk.rated(), desk.peer.ephemerals) == ({}, [], [])
    await desk.press(post, "Ask a person")
    await desk.work()
    assert desk.peer.posts[-1].text.startswith("<!subteam^S0HELP>")


async def test_a_click_without_a_channel_is_not_served(desk: ButtonDesk) -> None:
    """Only a form names no channel; a button that does not say where it stands opens nothing."""
    post = await desk.ask(QUESTION)
    body = click(desk.peer, post, "Why this answer")
    await desk.interact({name: value for name, value in body.items() if name not in {"channel", "container"}})
    assert desk.peer.views == {}


async def test_a_click_delivered_again_says_nothing_twice(desk: ButtonDesk) -> None:
    """Slack may deliver one click twice: one draft, and one word that it is looked up."""
    body = click(desk.peer, await desk.ask(QUESTION), "Draft for the customer")
    for _ in range(2):
        await desk.interact(body)
    await desk.work()
    assert [note.text[:10] for note in desk.peer.ephemerals] == ["Looking it", "*Draft for"]


async def _failed(desk: ButtonDesk) -> object:
    """Ask while nothing can be looked up."""
    from retrieval.errors import IndexMissing
    from tests.fakes import FakePassageSource

    class Away(ButtonDesk):
        @property
        def source(self) -> FakePassageSource:
            return FakePassageSource(failure=IndexMissing("no index"))

    away = Away(desk.peer, desk.link, desk.keys)
    post = await away.ask(QUESTION)
    kept = await desk.answers.find(*_ref(post))
    assert kept is not None
    assert kept.answer.outcome is Outcome.UNAVAILABLE
    return post


def _ref(post: object) -> object:
    from bot.adapters.slack.answer_buttons import read_ref
    from tests.peers.slack_clicks import elements

    return read_ref(next(elements(post))["value"])  # type: ignore[arg-type]


async def _keys(desk: ButtonDesk, kind: str):  # type: ignore[no-untyped-def]
    found = await desk.link.execute("KEYS", f"{desk.keys.prefix}*:{kind}:*")
    for key in found:
        yield key


def _lines(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.split("\n"))
