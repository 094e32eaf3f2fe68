"""The message shortcut, drafts that are shared, and `/kb draft`, each served by a replica that knows nothing (G3)."""

import pytest

from bot.adapters.slack.rules import SlackRules
from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import Keyspace
from bot.questions.access import Place, Places
from tests.bot.adapters.slack.button_desk import ButtonDesk, card
from tests.bot.adapters.slack.counter import shown
from tests.fakes import make_passage
from tests.peers.slack_api import SlackPeer
from tests.peers.slack_clicks import labels, shortcut
from tests.peers.slack_payloads import BEN, CHANNEL, command_fields, message, signed_form
from tests.peers.slack_posts import Fault

SOLVED = make_passage(card("tck-12", kind="ticket"), "The reader was paired again. Then payments worked.")
FAR = make_passage(card("tck-99", kind="ticket"), "Something else was done.", relevance=0.1)
PAIRING = "Pair the reader again in the settings of the till."
ARTICLE = make_passage(card("kb-106"), PAIRING)
SICK = "Our &lt;reader&gt; refuses cards, write to pat@example.com"


@pytest.fixture
def desk(peer: SlackPeer, redis_link: RedisLink, redis_keys: Keyspace) -> ButtonDesk:
    """Give a desk with two tickets and an article."""
    return ButtonDesk(peer, redis_link, redis_keys, passages=(ARTICLE, SOLVED, FAR))


def _drafting(desk: ButtonDesk) -> ButtonDesk:
    desk.rules = SlackRules(places=Places({CHANNEL: Place(is_drafted=True)}))
    return desk


async def test_shortcut_opens_a_window_at_once_and_fills_it(desk: ButtonDesk) -> None:
    """The window stands before anything is searched; it shows what solved the near tickets, and no article."""
    assert (await desk.interact(shortcut(desk.peer, message(SICK)))).status_code == 200
    assert "Looking it up" in desk.peer.window
    assert len(desk.queue.messages) == 1
    await desk.work()
    window = desk.peer.window
    assert "1. The reader was paired again. Then payments worked. [1]" in window
    assert "tck-12" in window
    assert "tck-99" not in window
    assert "kb-106" not in window
    assert desk.peer.posts == []
    assert desk.peer.responses == []


async def test_shortcut_redacts_and_decodes_the_message(desk: ButtonDesk) -> None:
    """What is queued is the text as people see it, without personal data."""
    await desk.interact(shortcut(desk.peer, message(SICK)))
    assert [m.text for m in desk.queue.messages] == ["Our <reader> refuses cards, write to [EMAIL]"]


async def test_shortcut_without_a_window_answers_privately(desk: ButtonDesk) -> None:
    """A window that did not open in time, or was closed, costs nothing: the tickets come for the asker alone."""
    desk.peer.is_view_late = True
    await desk.interact(shortcut(desk.peer, message(SICK)))
    await desk.work()
    (response,) = desk.peer.responses
    assert response["response_type"] == "ephemeral"
    assert "The reader was paired again" in shown(response)


async def test_shortcut_delivered_twice_is_one(desk: ButtonDesk) -> None:
    """The trigger is its claim; a body without channel or message is nothing."""
    body = shortcut(desk.peer, message(SICK))
    for given in (body, body, {**body, "channel": {}}, {**body, "message": {}}, {**body, "trigger_id": "a b"}):
        assert (await desk.interact(given)).status_code == 200
    assert len(desk.queue.messages) == 1


async def test_shortcut_finds_nothing_politely(desk: ButtonDesk) -> None:
    """No near ticket, or a message without a text."""
    desk.passages = (ARTICLE, FAR)
    for text in (SICK, ""):
        await desk.interact(shortcut(desk.peer, message(text)))
        await desk.work()
        assert "I found no similar resolved ticket." in desk.peer.window


async def test_shortcut_of_a_guest_is_refused(desk: ButtonDesk) -> None:
    """People of other companies see no tickets."""
    desk.peer.people[BEN] = {"is_restricted": True}
    await desk.interact(shortcut(desk.peer, message(SICK), user=BEN))
    await desk.work()
    assert "paired again" not in desk.peer.window


async def test_draft_first_is_seen_by_its_asker_and_shared_once(desk: ButtonDesk) -> None:
    """In such a channel the answer is ephemeral; the button posts it into the thread, once, and takes the draft away."""
    _drafting(desk).peer.posts.clear()
    await desk.interact({"type": "noise"})
    response = await desk.post_mention("how do I pair the reader?")
    (draft,) = desk.peer.ephemerals
    assert (desk.peer.posts, draft.user) == ([], response["user"])
    assert labels(draft) == ["Share in the thread"]
    assert "Only you see this draft." in str(draft.blocks)
    for _ in range(2):
        await desk.press(draft, "Share in the thread")
    await desk.work()
    (post,) = desk.peer.posts
    assert post.thread_ts == response["ts"]
    assert PAIRING in post.shown
    assert "kb-106" in post.shown
    assert desk.peer.responses[-1] == {"delete_original": True}
    assert len(await desk.threads.turns(desk.thread_of(response))) == 1


async def test_draft_without_an_answer_has_nothing_to_share(desk: ButtonDesk) -> None:
    """Nothing found is said privately; a question back stands in the thread, where it is answered."""
    _drafting(desk).passages = ()
    await desk.post_mention("how do I pair the reader?")
    assert "Share in the thread" not in labels(desk.peer.ephemerals[-1])
    assert desk.peer.posts == []
    await desk.post_mention("")
    assert len(desk.peer.posts) == 1


async def test_draft_is_not_shared_where_others_read_along_meanwhile(desk: ButtonDesk) -> None:
    """An internal answer does not go into a channel that is shared with another company by now; nor one that is gone."""
    _drafting(desk).passages = (make_passage(card("kb-9", visibility=("internal",)), PAIRING),)
    await desk.post_mention("how do I pair the reader?")
    draft = desk.peer.ephemerals[-1]
    desk.peer.channels[CHANNEL] = {"is_ext_shared": True}
    await desk.press(draft, "Share in the thread")
    await desk.work()
    assert desk.peer.posts == []
    assert PAIRING not in desk.peer.ephemerals[-1].shown


async def test_command_drafts_a_reply(desk: ButtonDesk) -> None:
    """`/kb draft QUESTION` gives the reply to the customer, to the asker alone."""
    fields = command_fields("draft how do I pair the reader?", response_url=desk.peer.response_url())
    await desk._deliver("/slack/commands", *signed_form(fields))
    await desk.work()
    assert "Draft for the customer" in shown(desk.peer.responses[-1])
    assert PAIRING in shown(desk.peer.responses[-1])


async def test_share_survives_a_slack_that_will_not_take_the_draft_away(desk: ButtonDesk) -> None:
    """The answer is shared all the same."""
    await _drafting(desk).post_mention("how do I pair the reader?")
    desk.peer.faults["response_url"] = Fault(status=500)
    await desk.press(desk.peer.ephemerals[-1], "Share in the thread")
    await desk.work()
    assert len(desk.peer.posts) == 1
