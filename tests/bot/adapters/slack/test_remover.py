"""The bot's own posts are deleted on Slack."""

import pytest

from bot.adapters.slack import SlackRemover, build_client
from bot.errors import PlatformUnavailable, ReplyRejected
from bot.lead.receipts import Receipt
from bot.messages import MessageId, Platform, ThreadRef
from retrieval.redaction import RedactedText
from tests.peers.slack_api import BOT_TOKEN, Fault, Post, SlackPeer
from tests.peers.slack_payloads import CHANNEL, TEAM


async def test_every_part_is_deleted(peer: SlackPeer) -> None:
    """Both parts go, another post stays; deleted twice is deleted; an outage is passing, a refusal final."""
    peer.posts += [Post(CHANNEL, ts, "text", "1.0") for ts in ("1.1", "1.2", "1.3")]
    receipt = Receipt(MessageId("m"), ThreadRef(Platform.SLACK, TEAM, CHANNEL, "1.0"), ("1.1", "1.2"), (), "", 1.0)
    remover = SlackRemover(build_client(BOT_TOKEN, base_url=peer.base_url))
    await remover.remove(receipt)
    assert [post.ts for post in peer.posts] == ["1.3"]
    await remover.remove(receipt)
    peer.faults["chat.delete"] = Fault(status=500)
    with pytest.raises(PlatformUnavailable):
        await remover.remove(receipt)
    peer.faults["chat.delete"] = Fault(error="cant_delete_message")
    with pytest.raises(ReplyRejected):
        await remover.remove(receipt)


async def test_corrects_the_first_part_and_deletes_the_others(peer: SlackPeer) -> None:
    """What was said in two posts is then one that says it is withdrawn; a post that is gone already is no fault."""
    peer.posts += [Post(CHANNEL, ts, "text", "1.0") for ts in ("1.1", "1.2", "1.3")]
    receipt = Receipt(MessageId("m"), ThreadRef(Platform.SLACK, TEAM, CHANNEL, "1.0"), ("1.1", "1.2"), (), "", 1.0)
    remover = SlackRemover(build_client(BOT_TOKEN, base_url=peer.base_url))
    await remover.correct(receipt, RedactedText.stored("Withdrawn."))
    assert [(post.ts, post.text) for post in peer.posts] == [("1.1", "Withdrawn."), ("1.3", "text")]
    peer.posts.clear()
    await remover.correct(receipt, RedactedText.stored("Withdrawn."))
    peer.faults["chat.update"] = Fault(error="cant_update_message")
    with pytest.raises(ReplyRejected):
        await remover.correct(receipt, RedactedText.stored("Withdrawn."))
