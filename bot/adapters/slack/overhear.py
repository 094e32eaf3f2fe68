"""What stands around a question in its Slack thread: root and newest messages of people and apps, and their files.

The bot's own answers are left out: history has them whole. So are messages that mention the bot: they are turns.
"""

import asyncio
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.slack.accept import EventReader, is_spoken, wire_text
from bot.adapters.slack.fetch_file import FileFetcher
from bot.adapters.slack.identity import BotIdentity
from bot.adapters.slack.payload import Payload, id_at, mappings_at, text_at
from bot.adapters.slack.read_thread import ThreadWindow
from bot.adapters.slack.thread_end import at
from bot.adapters.slack.wire_form import mentions
from bot.messages import AcceptedMessage, Heard
from bot.ports import Clock
from bot.questions.accepting import RedactedQuestion
from bot.questions.overheard import LEFT_OUT
from bot.questions.unread_files import FILES, REASONS
from retrieval.redaction import RedactedText, Span

# About 2 000 tokens: a quarter of what the evidence takes.
MOST_CHARACTERS, MOST_MESSAGES = 6_000, 40
_MESSAGE_CHARACTERS = 700
_MOST_FILES = 3
_NAME_TOKEN = Span("NAME", 0, 0).token
_USER = re.compile(r"(?<!\w)@[UW][A-Z0-9]{2,20}(?!\w)")
_DAY_S = 86_400.0
_APP_SUBTYPES = frozenset({"", "bot_message", "file_share", "thread_broadcast"})


@dataclass(frozen=True, slots=True)
class Scene:
    """A thread as it stood when the question came: what others said, oldest first, and what was left out.

    `spoken` are the posts of people and apps; `hidden` counts those that the budget left out; `is_aged` tells that some
    were older than history reaches.
    """

    root_ts: str
    spoken: tuple[Payload, ...]
    own_after: tuple[Payload, ...]
    is_owned: bool
    hidden: int = 0
    is_aged: bool = False


class Overhearer:
    """Turns posts into what may be quoted."""

    def __init__(self, client: AsyncWebClient, *, events: EventReader, clock: Clock, memory_s: float) -> None:
        """Read by the event reader; what is older than `memory_s` seconds is over."""
        self._events = events
        self._files = FileFetcher(client)
        self._clock = clock
        self._memory_s = memory_s

    def scene(self, message: AcceptedMessage, window: ThreadWindow, identity: BotIdentity) -> Scene:
        """Sort the posts before the question into the bot's own and others', without housekeeping and what is over."""
        ts, oldest = message.route("ts"), self._clock.now() - self._memory_s
        posts = {text_at(post, "ts"): post for post in window.posts if at(post) < at({"ts": ts})}
        recent = [post for post in posts.values() if at(post) >= oldest]
        own = [place for place, post in enumerate(recent) if _is_own(post, identity)]
        last = own[-1] + 1 if own else 0
        spoken = [post for post in recent if not _is_own(post, identity) and (is_spoken(post) or _is_app(post))]
        chosen = _within_budget(spoken, root_ts=message.thread.thread_id)
        return Scene(
            root_ts=message.thread.thread_id,
            spoken=chosen,
            own_after=tuple(post for post in recent[last:] if is_spoken(post)),
            is_owned=bool(own),
            hidden=len(spoken) - len(chosen) + (0 if window.is_whole else 1),
            is_aged=len(recent) < len(posts),
        )

    async def heard(self, message: AcceptedMessage, scene: Scene, identity: BotIdentity) -> AcceptedMessage:
        """Give the message with what was said around it, and with the files beside it that can be read."""
        people = _People(message.user_id)
        said: list[Heard] = []
        for post in scene.spoken:
            if mentions(post, identity.user_id):
                continue
            text = self.read(post, message, identity).text
            names = self._names(post)
            if text or names:
                unnamed = RedactedText.stored(_USER.sub(_NAME_TOKEN, text)).cut(_MESSAGE_CHARACTERS)
                shown = RedactedText.joined([part for part in (unnamed, names) if part], "\n")
                said.append(Heard(shown, people.of(post), at(post)))
            await asyncio.sleep(0)  # redacting one message takes a millisecond; others want the loop in between
        if scene.hidden and said:
            left_out = Heard(RedactedText.stored(f"{scene.hidden} or more messages"), LEFT_OUT, said[0].at)
            said.insert(1, left_out)
        notes = [("thread_cut", str(len(scene.spoken) - 1))] if scene.hidden and said else []
        notes += [("thread_old", str(int(self._memory_s // _DAY_S)))] if scene.is_aged else []
        return replace(message, heard=tuple(said), routing=(*message.routing, *notes))

    def read(self, post: Payload, message: AcceptedMessage, identity: BotIdentity) -> RedactedQuestion:
        """Decode a post once and redact it, people who are named in it too."""
        wire = wire_text(post, identity.user_id)
        return self._events.redacted(wire, message.thread, own_user_id=identity.user_id)

    async def with_files(self, message: AcceptedMessage, scene: Scene | None) -> AcceptedMessage:
        """Read the text files of the question itself, then of the thread's newest messages; say why the others were not."""
        ids, names = message.route("file_ids").split(), message.route(FILES).split("\n")
        known = list(zip(ids, names, strict=False))
        read: list[Heard] = []
        unread: list[tuple[str, str]] = [(name, "") for name in names[len(known) :] if name]
        for place, (file_id, name) in enumerate(known):
            if place >= _MOST_FILES:
                unread.append((name, "file_many"))
                continue
            found = await self._files.by_id(file_id)
            if found.reason:
                unread.append((name, found.reason))
            else:
                read.append(self._file(found.text, name, message.received_at, message))
        for post, file in reversed(_files_of(scene.spoken if scene else ())):
            if len(read) >= _MOST_FILES:
                break
            found = await self._files.of(file)
            if not found.reason:
                read.append(self._file(found.text, self._name(file), at(post), message))
        routing = tuple(pair for pair in message.routing if pair[0] not in {FILES, REASONS, "file_ids"})
        if unread:
            routing += ((FILES, "\n".join(n for n, _ in unread)), (REASONS, "\n".join(why for _, why in unread)))
        return replace(message, routing=routing, heard=(*message.heard, *read))

    def _file(self, text: str, name: str, at: float, message: AcceptedMessage) -> Heard:
        redacted = self._events.redacted(_as_wire(text), message.thread, own_user_id="").text
        return Heard(redacted, "file", at, RedactedText.stored(name))

    def _names(self, post: Payload) -> RedactedText:
        names = [self._name(file) for file in mappings_at(post, "files")[:_MOST_FILES]]
        return RedactedText.stored("".join(f"[file: {name}]" for name in names))

    def _name(self, file: Payload) -> str:
        return self._events.redacted_name(text_at(file, "name", "title"))


class _People:
    """Numbers people in the order in which they speak; nobody's id goes on."""

    def __init__(self, asker: str) -> None:
        self._known: dict[str, str] = {}
        self._asker = asker

    def of(self, post: Payload) -> str:
        user = id_at(post, "user")
        if not is_spoken(post):
            return "app"
        if user == self._asker:
            return "asker"
        return self._known.setdefault(user, f"person {len(self._known) + 1}")


def has_other_taken_over(message: AcceptedMessage, scene: Scene, identity: BotIdentity) -> bool:
    """Tell whether an unaddressed message is not for the bot.

    It has not spoken here, somebody else has since, or the writer never asked it here.
    """
    if not scene.is_owned:
        return True
    if any(id_at(post, "user") != message.user_id for post in scene.own_after):
        return True
    asked = (post for post in scene.spoken if id_at(post, "user") == message.user_id)
    return not any(mentions(post, identity.user_id) for post in asked)


def _within_budget(spoken: Sequence[Payload], *, root_ts: str) -> tuple[Payload, ...]:
    """Give the root and as many of the newest as the budget takes."""
    root = [post for post in spoken if text_at(post, "ts") == root_ts]
    room, kept = MOST_CHARACTERS, list[Payload]()
    for post in reversed([post for post in spoken if text_at(post, "ts") != root_ts]):
        room -= min(len(text_at(post, "text")), _MESSAGE_CHARACTERS) + 20
        if room < 0 or len(kept) >= MOST_MESSAGES:
            break
        kept.append(post)
    return (*root, *reversed(kept))


def _files_of(posts: Iterable[Payload]) -> list[tuple[Payload, Payload]]:
    return [(post, file) for post in posts for file in mappings_at(post, "files")]


def _is_own(post: Payload, identity: BotIdentity) -> bool:
    is_user = bool(identity.user_id) and id_at(post, "user") == identity.user_id
    return is_user or (bool(identity.bot_id) and id_at(post, "bot_id") == identity.bot_id)


def _is_app(post: Payload) -> bool:
    return bool(post.get("bot_id")) and text_at(post, "subtype") in _APP_SUBTYPES and post.get("hidden") is not True


def _as_wire(text: str) -> str:
    """Bring a file's text into the wire form, so that its angle brackets are no tokens."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
