"""The shortcut "Find similar tickets" on a message, and the button that shares a draft: both beside the answers' buttons."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

import structlog
from slack_bolt.response import BoltResponse
from slack_sdk.webhook.async_client import AsyncWebhookClient

from bot.adapters.slack.accept import EventReader, wire_text
from bot.adapters.slack.answer_buttons import plain_text
from bot.adapters.slack.clicks import LOOKUP_S, AnswerClicks, ClickParts
from bot.adapters.slack.failures import slack_errors
from bot.adapters.slack.interact import Interaction, Serve
from bot.adapters.slack.payload import id_at, mapping_at
from bot.adapters.slack.quiet_log import quiet_logger
from bot.adapters.slack.response_url import is_response_url
from bot.desk.requests import DO, Task
from bot.errors import PlatformError
from bot.lexicon import DEFAULT
from bot.messages import AcceptedMessage, MessageId, Platform, ThreadRef
from bot.questions.access import KINDS
from bot.texts import say

FIND_SIMILAR = "triage_find_similar"  # callback id of the message shortcut in the manifest
SHARE = "triage_share"
WINDOW = "window"  # routing value: the external id of the window that waits for the answer
_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class DeskParts:
    """What the shortcut reads with, beside what the buttons have."""

    clicks: ClickParts
    events: EventReader


class DeskClicks:
    """Serves the shortcut and the sharing of drafts."""

    def __init__(self, parts: DeskParts) -> None:
        """Work with these parts."""
        self._parts = parts.clicks
        self._events = parts.events
        self._answers = AnswerClicks(parts.clicks)

    @property
    def table(self) -> Mapping[str, Serve]:
        """Say which button or shortcut is served by what, the answers' own among them."""
        return {**self._answers.table, FIND_SIMILAR: self.similar, SHARE: self.share}

    async def similar(self, by: Interaction) -> BoltResponse | None:
        """Have tickets like the message searched, and open the window that will show them.

        The search is queued first, under the window's own name: whatever becomes of the window, it is answered.
        """
        message = self._similar(by)
        if message is None:
            return None
        if await self._parts.queue.enqueue(message, claims=(f"slack:shortcut:{by.trigger_id}",)):
            await self._open(by, message.route(WINDOW))
        return None

    async def share(self, by: Interaction) -> BoltResponse | None:
        """Have the answer of a draft posted into its thread, once, and take the draft away."""
        is_new = await self._answers.hand_on(by, Task.SHARE)
        if is_new is not None:
            await self._take_away(by)
        return None

    def _similar(self, by: Interaction) -> AcceptedMessage | None:
        asked, identity, rules = mapping_at(by.body, "message"), self._parts.identity.current, self._parts.rules
        trigger = id_at({"id": by.trigger_id}, "id")
        if not (by.channel_id and trigger and asked):
            return None
        team = identity.team_id or by.team_id
        is_direct = by.channel_id.startswith("D")
        is_guest = not rules.is_home(by.user_team, identity)
        place = rules.place(by.channel_id, is_direct=is_direct)
        thread = ThreadRef(Platform.SLACK, team, by.channel_id, f"command:{trigger}")
        question = self._events.redacted(wire_text(asked, identity.user_id), thread, own_user_id=identity.user_id)
        kept = (pair for pair in place.routing if pair[0] == KINDS)
        return AcceptedMessage(
            message_id=MessageId(f"slack:{team}:{by.channel_id}:similar:{trigger}"),
            thread=thread,
            user_id=by.user_id,
            text=question.text,
            received_at=self._parts.clock.now(),
            audience=place.audience(is_shared=is_guest),
            is_direct=is_direct,
            is_command=True,
            is_truncated=question.is_truncated,
            refusal=rules.refusal(by.channel_id, is_direct=is_direct, is_guest=is_guest),
            routing=((DO, Task.SIMILAR), (WINDOW, f"similar-{trigger}"), ("response_url", by.response_url), *kept),
        )

    async def _open(self, by: Interaction, window: str) -> None:
        view = {
            "type": "modal",
            "external_id": window,
            "title": plain_text(say("similar", DEFAULT), 24),
            "close": plain_text(say("close", DEFAULT), 24),
            "blocks": [{"type": "section", "text": plain_text(say("searching", DEFAULT))}],
        }
        try:
            async with asyncio.timeout(LOOKUP_S):
                with slack_errors():
                    await self._parts.client.api_call("views.open", json={"trigger_id": by.trigger_id, "view": view})
        except (PlatformError, TimeoutError) as error:  # the tickets come as a message then
            _log.warning("window not opened", window=by.name, error=type(error).__name__)

    async def _take_away(self, by: Interaction) -> None:
        """Delete the draft that only its asker sees; one that stays does no harm."""
        if not is_response_url(by.response_url, self._parts.client.base_url):
            return
        webhook = AsyncWebhookClient(by.response_url, timeout=1, logger=quiet_logger(), retry_handlers=[])
        try:
            async with asyncio.timeout(LOOKUP_S):
                with slack_errors():
                    await webhook.send_dict({"delete_original": True})
        except (PlatformError, TimeoutError) as error:
            _log.warning("draft not taken away", error=type(error).__name__)


def share_blocks(reference: str, language: str) -> list[dict[str, object]]:
    """Give what stands below a draft: that nobody else sees it, and the button that shares it."""
    button: dict[str, object] = {
        "type": "button",
        "action_id": SHARE,
        "style": "primary",
        "text": plain_text(say("draft_share", language)),
        "value": reference,
    }
    note: dict[str, object] = {"type": "context", "elements": [plain_text(say("draft_private", language), 300)]}
    return [note, {"type": "actions", "block_id": "triage_share", "elements": [button]}]
