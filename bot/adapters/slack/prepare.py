"""What the worker looks up before a question is answered: names to redact, and what a bare mention is about."""

import asyncio
import re
from collections.abc import Mapping
from dataclasses import replace

from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.slack.accept import EventReader, is_spoken
from bot.adapters.slack.failures import SlackRefused, slack_errors
from bot.adapters.slack.identity import IdentityBook
from bot.adapters.slack.payload import Payload, id_at, mapping_at, text_at
from bot.adapters.slack.read_thread import read_thread
from bot.adapters.slack.rules import SlackRules
from bot.errors import PlatformError
from bot.messages import AcceptedMessage
from bot.ports import Clock
from retrieval.redaction import EMPTY, Redactor, Span, unnumbered

LOOKUP_TIMEOUT_S = 2.0
NAMES_TTL_S = 3_600.0
_KEPT_NAMES = 5_000
_MAX_LOOKUPS = 5
_NAME_TOKEN = Span("NAME", 0, 0).token
_USER = re.compile(r"(?<!\w)@([UW][A-Z0-9]{2,20})(?!\w)")


class SlackPreparer:
    """`bot.worker.Prepare` for Slack. A failed look-up changes nothing: the question is answered as it is."""

    def __init__(self, client: AsyncWebClient, *, redactor: Redactor, clock: Clock) -> None:
        """Look up through `client`; names are kept for an hour by `clock`."""
        self._client = client
        self._identity = IdentityBook(client)
        self._events = EventReader(redactor=redactor, rules=SlackRules(), clock=clock)
        self._redactor = redactor
        self._clock = clock
        self._names: dict[str, tuple[float, str]] = {}

    async def __call__(self, message: AcceptedMessage) -> AcceptedMessage:
        """Give the message with what only Slack knows."""
        if message.refusal:
            return message
        try:
            async with asyncio.timeout(LOOKUP_TIMEOUT_S):
                return await self._named(await self._asked(message))
        except (PlatformError, TimeoutError):
            return message

    async def _asked(self, message: AcceptedMessage) -> AcceptedMessage:
        """A mention with nothing in it, inside a thread, asks what the last person there asked."""
        is_bare = not message.text and not message.is_command and not message.route("files")
        if not is_bare or message.thread.thread_id == message.route("ts"):
            return message
        identity = self._identity.current if self._identity.is_known else await self._identity.ask()
        for post in reversed(await read_thread(self._client, message.thread, latest=message.route("ts"))):
            is_other = id_at(post, "ts") != message.route("ts") and id_at(post, "user") not in {"", identity.user_id}
            if is_other and is_spoken(post):
                asked = self._events.redacted(text_at(post, "text"), message.thread, own_user_id=identity.user_id)
                if asked.text:
                    return replace(message, text=asked.text, marked=asked.marked, is_truncated=asked.is_truncated)
        return message

    async def _named(self, message: AcceptedMessage) -> AcceptedMessage:
        """Show people who are mentioned as names, which redaction takes out wherever they stand."""
        users = list(dict.fromkeys(_USER.findall(message.text)))[:_MAX_LOOKUPS]
        if not users:
            return message
        known = {user: await self._name_of(user) for user in users}
        shown = _USER.sub(
            lambda found: _NAME_TOKEN if known.get(found[1]) else found[0], message.marked or message.text
        )
        # A name of one word may be vocabulary ("Will"): only where it is the mention itself does it go.
        names = [name for name in known.values() if " " in name]
        marked = self._redactor.marked(shown, thread=message.thread.key, names=names)
        text = unnumbered(marked)
        return replace(message, text=text, marked=EMPTY if marked == text else marked)

    async def _name_of(self, user: str) -> str:
        """Give the full name, or what stands for it; empty when Slack does not tell."""
        kept_until, name = self._names.get(user, (0.0, ""))
        if kept_until > self._clock.now():
            return name
        name = text_at(await self._profile(user), "real_name", "display_name")
        while len(self._names) >= _KEPT_NAMES:
            del self._names[next(iter(self._names))]
        self._names[user] = (self._clock.now() + NAMES_TTL_S, name)
        return name

    async def _profile(self, user: str) -> Payload:
        try:
            with slack_errors():
                answer = await self._client.users_info(user=user)
        except SlackRefused:  # nobody there, or no scope: the id says nothing about the person
            return {}
        return mapping_at(mapping_at(_data(answer.data), "user"), "profile")


def _data(data: object) -> Payload:
    return data if isinstance(data, Mapping) else {}
