"""What must be asked of Slack before a question may be answered: guest or member, allowed group, channel shared or not.

Runs in the worker, before anything else is looked up. What cannot be found out closes: an unknown channel or person
sees public documents only, and an allow-list that cannot be resolved lets nobody in; both are told.
"""

import asyncio
from dataclasses import replace

import structlog
from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.slack.lookups import Person, SlackLookups, Standing
from bot.adapters.slack.rules import Sharing, SlackRules
from bot.desk.requests import DO, Task
from bot.errors import PlatformError
from bot.lead.links import LEADS
from bot.messages import AcceptedMessage
from bot.ports import Clock
from bot.questions.access import GROUP_UNKNOWN, REFUSED_GROUP, REFUSED_GUEST, REFUSED_INCIDENT, SHARED_AUDIENCE, Place
from bot.questions.admission import APP

LOOKUP_TIMEOUT_S = 2.0
NARROWED = "narrowed"  # name of the routing value that makes the answer say that only public documents were searched
SHARING = "sharing"
_log = structlog.get_logger(__name__)


class SlackAdmission:
    """`bot.worker.Prepare` that decides who is answered and what they see."""

    def __init__(
        self, client: AsyncWebClient, *, rules: SlackRules, clock: Clock, timeout_s: float = LOOKUP_TIMEOUT_S
    ) -> None:
        """Judge by the rules; ask through the client, each look-up at most `timeout_s` seconds."""
        self._timeout_s = timeout_s
        self._lookups = SlackLookups(client, clock)
        self._rules = rules

    async def __call__(self, message: AcceptedMessage) -> AcceptedMessage:
        """Give the message with its audience, or with its refusal."""
        if message.refusal:
            return message
        place = self._rules.place(message.thread.channel_id, is_direct=message.is_direct)
        if message.route(APP):  # the settings name it; it is in no group, and no guest
            return await self._opened(message, place)
        refusal = await self._group_refusal(message.user_id, place) or await self._task_refusal(message)
        if refusal:
            return replace(message, refusal=refusal)
        return await self._guest_checked(await self._opened(await self._led(message), place))

    async def _led(self, message: AcceptedMessage) -> AcceptedMessage:
        """Say of who asks for the lead's page that they are in a group of leads; a group that nobody can read has no members."""
        groups = self._rules.lead_groups
        if message.route(DO) != Task.LEAD or not groups:
            return message
        refusal = await self._listed_refusal(message.user_id, Place(groups=groups), groups)
        return message if refusal else replace(message, routing=(*message.routing, (LEADS, "yes")))

    async def _task_refusal(self, message: AcceptedMessage) -> str:
        """Refuse to take incidents from whom the settings do not name; everybody may read them."""
        if message.route(DO) not in {Task.INCIDENT, Task.INCIDENT_END}:
            return ""
        rules = self._rules
        if not (rules.incident_users or rules.incident_groups):
            return REFUSED_INCIDENT
        told = Place(groups=rules.incident_groups, users=rules.incident_users)
        refusal = await self._listed_refusal(message.user_id, told, rules.incident_groups)
        return REFUSED_INCIDENT if refusal == REFUSED_GROUP else refusal

    async def _opened(self, message: AcceptedMessage, place: Place) -> AcceptedMessage:
        """Widen the audience of a channel whose delivery did not say whether it is shared, once Slack says that it is not."""
        if message.route(SHARING) != Sharing.UNKNOWN:
            return message
        try:
            async with asyncio.timeout(self._timeout_s):
                found = await self._lookups.sharing(message.thread.channel_id)
        except (PlatformError, TimeoutError) as error:
            _log.warning("channel not looked up", channel=message.thread.channel_id, error=type(error).__name__)
            return _narrowed(message)
        return replace(message, audience=place.audience(is_shared=found is not Sharing.PRIVATE))

    async def _guest_checked(self, message: AcceptedMessage) -> AcceptedMessage:
        """Refuse a guest of the workspace, or show public documents only."""
        try:
            async with asyncio.timeout(self._timeout_s):
                person = await self._lookups.person(message.user_id)
        except (PlatformError, TimeoutError) as error:
            _log.warning("person not looked up", error=type(error).__name__)
            person = None
        standing = person.standing if person else None
        message = _placed(message, person) if person and message.route(DO) else message
        if standing is Standing.MEMBER:
            return message
        if standing is Standing.GUEST and not self._rules.are_guests_answered:
            return replace(message, refusal=REFUSED_GUEST)
        if message.audience == SHARED_AUDIENCE:
            return message
        return _narrowed(message) if standing is None else replace(message, audience=SHARED_AUDIENCE)

    async def _group_refusal(self, user_id: str, place: Place) -> str:
        """Give the key of the refusal, empty for those who may ask."""
        groups = place.groups or (() if place.users else self._rules.groups)
        return await self._listed_refusal(user_id, place, groups)

    async def _listed_refusal(self, user_id: str, place: Place, groups: tuple[str, ...]) -> str:
        if user_id in place.users or not (groups or place.users):
            return ""
        is_unknown = False
        for group in groups:
            try:
                async with asyncio.timeout(self._timeout_s):
                    if user_id in await self._lookups.members(group):
                        return ""
            except (PlatformError, TimeoutError) as error:
                is_unknown = True
                _log.error("allowed group not resolved", group=group, reason=_reason(error))
        return GROUP_UNKNOWN if is_unknown else REFUSED_GROUP


def _placed(message: AcceptedMessage, person: Person) -> AcceptedMessage:
    """Say with a task where the clock of its asker stands, and in which language Slack speaks to them."""
    known = (("tz", person.time_zone), ("tz_offset", str(person.utc_offset_s)), ("locale", person.locale))
    return replace(message, routing=(*message.routing, *(pair for pair in known if pair[1])))


def _narrowed(message: AcceptedMessage) -> AcceptedMessage:
    """Show public documents only, and have the answer say so if that is less than the asker would see."""
    marked = message.routing if message.route(NARROWED) else (*message.routing, (NARROWED, "yes"))
    return replace(message, audience=SHARED_AUDIENCE, routing=marked)


def _reason(error: Exception) -> str:
    return str(getattr(error, "code", "")) or type(error).__name__
