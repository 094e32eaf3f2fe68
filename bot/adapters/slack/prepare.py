"""What the worker looks up before a question is answered: the thread around it, its files, and names to redact."""

import asyncio
import re
from collections.abc import Mapping
from dataclasses import replace

import structlog
from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.slack.accept import FOLLOWED, EventReader, is_spoken
from bot.adapters.slack.failures import SlackRefused, slack_errors
from bot.adapters.slack.identity import BotIdentity, IdentityBook
from bot.adapters.slack.lookups import is_within
from bot.adapters.slack.overhear import Overhearer, Scene, has_other_taken_over
from bot.adapters.slack.payload import Payload, mapping_at, text_at
from bot.adapters.slack.read_thread import read_window
from bot.adapters.slack.rules import SlackRules
from bot.errors import PlatformError
from bot.messages import AcceptedMessage
from bot.ports import Clock
from bot.questions.access import SILENT
from bot.questions.unread_files import FILES
from retrieval.redaction import EMPTY, Redactor, Span, unnumbered

LOOKUP_TIMEOUT_S = 2.0
FILES_TIMEOUT_S = 4.0
MEMORY_S = 14 * 86_400.0
_ASKED_CHARACTERS = 400
NAMES_TTL_S = 3_600.0
_KEPT_NAMES = 5_000
_MAX_LOOKUPS = 5
_NAME_TOKEN = Span("NAME", 0, 0).token
_log = structlog.get_logger(__name__)
_USER = re.compile(r"(?<!\w)@([UW][A-Z0-9]{2,20})(?!\w)")


class SlackPreparer:
    """`bot.worker.Prepare` for Slack. A failed look-up changes nothing: the question is answered as it is."""

    def __init__(self, client: AsyncWebClient, *, redactor: Redactor, clock: Clock, memory_s: float = MEMORY_S) -> None:
        """Look up through `client`; names are kept for an hour by `clock`; what is older than `memory_s` is not read."""
        self._client = client
        self._identity = IdentityBook(client)
        self._events = EventReader(redactor=redactor, rules=SlackRules(), clock=clock)
        self._overhearer = Overhearer(client, events=self._events, clock=clock, memory_s=memory_s)
        self._redactor = redactor
        self._clock = clock
        self._memory_s = memory_s
        self._names: dict[str, tuple[float, str]] = {}

    async def __call__(self, message: AcceptedMessage) -> AcceptedMessage:
        """Give the message with what only Slack knows; one that is not for the bot after all is refused in silence."""
        if message.refusal:
            return _silenced(message) if message.route(FOLLOWED) else message
        message = await self._listened(message)
        if message.refusal:
            return message
        try:
            async with asyncio.timeout(LOOKUP_TIMEOUT_S):
                return await self._named(message)
        except (PlatformError, TimeoutError):
            return message

    async def _listened(self, message: AcceptedMessage) -> AcceptedMessage:
        """Read the thread around a question in a channel, and the files; what cannot be read in time is left out."""
        is_in_thread = bool(message.route("ts")) and message.thread.thread_id != message.route("ts")
        is_bare = not message.text and not message.route(FILES)
        scene = None
        if is_in_thread and (is_bare or not message.is_direct):
            try:
                async with asyncio.timeout(LOOKUP_TIMEOUT_S):
                    message, scene = await self._in_scene(message)
            except (PlatformError, TimeoutError) as error:
                _log.warning("thread not read", error=type(error).__name__)
                return _silenced(message) if message.route(FOLLOWED) else message
        if message.route("file_ids") or (scene and any(post.get("files") for post in scene.spoken)):
            try:
                async with asyncio.timeout(FILES_TIMEOUT_S):
                    message = await self._overhearer.with_files(message, scene)
            except TimeoutError:
                _log.warning("files not read in time")
        return message if message.text else _asking_by_file(message)

    async def _in_scene(self, message: AcceptedMessage) -> tuple[AcceptedMessage, Scene]:
        identity = self._identity.current if self._identity.is_known else await self._identity.ask()
        window = await read_window(self._client, message.thread, latest=message.route("ts"), memory_s=self._memory_s)
        scene = self._overhearer.scene(message, window, identity)
        if message.route(FOLLOWED) and has_other_taken_over(message, scene, identity):
            return _silenced(message), scene
        if not message.text and not message.route(FILES):
            return self._asked_last(message, scene, identity), scene
        return await self._overhearer.heard(message, scene, identity), scene

    def _asked_last(self, message: AcceptedMessage, scene: Scene, identity: BotIdentity) -> AcceptedMessage:
        """A mention with nothing in it, inside a thread, asks what the last person there asked."""
        for post in reversed(scene.spoken):
            asked = self._overhearer.read(post, message, identity) if is_spoken(post) else None
            if asked and asked.text:
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
        since, name = self._names.get(user, (0.0, ""))
        if is_within(self._clock.now() - since, NAMES_TTL_S):
            return name
        name = text_at(await self._profile(user), "real_name", "display_name")
        while len(self._names) >= _KEPT_NAMES:
            del self._names[next(iter(self._names))]
        self._names[user] = (self._clock.now(), name)
        return name

    async def _profile(self, user: str) -> Payload:
        try:
            with slack_errors():
                answer = await self._client.users_info(user=user)
        except SlackRefused:  # nobody there, or no scope: the id says nothing about the person
            return {}
        return mapping_at(mapping_at(_data(answer.data), "user"), "profile")


def _silenced(message: AcceptedMessage) -> AcceptedMessage:
    return replace(message, refusal=SILENT)


def _asking_by_file(message: AcceptedMessage) -> AcceptedMessage:
    """A file without a word asks what it is about: its telling lines are the question."""
    own = [said for said in message.heard if said.by == "file" and said.at == message.received_at and said.text]
    return replace(message, text=own[0].text.cut(_ASKED_CHARACTERS)) if own else message


def _data(data: object) -> Payload:
    return data if isinstance(data, Mapping) else {}
