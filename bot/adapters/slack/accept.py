"""One delivered event → a question for the work queue, or nothing.

Here end: what the bot itself, Slack, and other bots wrote that the settings do not name; edits, deletions, joins and other housekeeping; and in channels
whatever does not mention the bot.
"""

import re
from dataclasses import dataclass, replace

from bot.adapters.slack.identity import BotIdentity
from bot.adapters.slack.other_apps import allowed_app, is_app
from bot.adapters.slack.payload import Payload, id_at, mapping_at, mappings_at, text_at
from bot.adapters.slack.rules import Sharing, SlackRules, asker_team, sharing_of
from bot.adapters.slack.wire_form import decode, mentions, rich_text
from bot.messages import AcceptedMessage, MessageId, Platform, ThreadRef
from bot.ports import Clock
from bot.questions.accepting import HARD_LIMIT_BYTES, TEXT_LIMIT, RedactedQuestion, cap, redact_question
from bot.questions.access import DRAFTED
from bot.questions.admission import APP
from bot.questions.unread_files import FILES
from retrieval.redaction import Redactor

# Message subtypes that are a person speaking. All others are edits, deletions, joins, topics, bots, reminders …
# Source: https://docs.slack.dev/reference/events/message
_SPOKEN = frozenset({"", "file_share", "thread_broadcast", "me_message"})
_SLACKBOT = "USLACKBOT"
# An edit this long after the message is no question: the claim of its first answer lives for two days only.
_OLDEST_EDIT_S = 86_400.0
FOLLOWED = "follow"  # routing value of a reply without a mention, in a channel whose threads the bot follows
_QUOTED = re.compile(r"```.*?```|`[^`\n]{1,500}`|^[ \t]*(?:&gt;|>)[^\n]*", re.DOTALL | re.MULTILINE)
_FENCE = "```"
_MAX_FILES = 10
_MAX_FILE_NAME = 120


@dataclass(frozen=True, slots=True)
class Incoming:
    """A question with the names under which it may be claimed once.

    `is_unaddressed`: a reply without a mention by the person who opened the thread; it counts only when the bot has
    asked that person for the question and waits.
    """

    message: AcceptedMessage
    claims: tuple[str, ...]
    is_unaddressed: bool = False


class EventReader:
    """Reads Events API deliveries."""

    def __init__(self, *, redactor: Redactor, rules: SlackRules, clock: Clock) -> None:
        """Read by these rules; `clock` stamps when a question was received."""
        self._redactor = redactor
        self._rules = rules
        self._clock = clock

    def read(self, body: Payload, known: BotIdentity) -> Incoming | None:
        """Give the question of an `event_callback` body, None when there is none for this bot."""
        event, identity = mapping_at(body, "event"), known.seen_in(body)
        if is_app(event):
            return self._of_app(body, identity)
        if not _is_spoken_by_a_person(event, identity) or _is_late_edit(event):
            return None
        is_direct = text_at(event, "channel_type") == "im"
        is_mention = is_addressed(event, identity.user_id)
        is_unaddressed = not (is_direct or is_mention)
        is_followed = is_unaddressed and self._is_followed(event)
        if is_unaddressed and not (is_followed or _is_by_thread_opener(event)):
            return None
        message = self._message(body, identity, is_direct=is_direct)
        if is_followed:
            message = replace(message, routing=(*message.routing, (FOLLOWED, "yes")))
        return Incoming(message, _claims(body, message), is_unaddressed)

    def _of_app(self, body: Payload, identity: BotIdentity) -> Incoming | None:
        """Give the question of an app that the settings name, when it mentions the bot where everybody may be answered."""
        event, app = mapping_at(body, "event"), allowed_app(body, identity, self._rules.apps)
        if not (app and self._rules.is_home(asker_team(event), identity) and is_addressed(event, identity.user_id)):
            return None
        message = self._message(body, identity, is_direct=False)
        if message.refusal or message.route(DRAFTED):  # nobody is there to be told, or to be shown a draft
            return None
        asker = message.user_id or app
        message = replace(message, user_id=asker, routing=(*message.routing, (APP, app)))
        return Incoming(message, _claims(body, message))

    def _is_followed(self, event: Payload) -> bool:
        """Tell whether a reply without a mention may be for the bot: a channel that it follows, and nobody else named first."""
        is_reply = bool(id_at(event, "thread_ts")) and id_at(event, "thread_ts") != id_at(event, "ts")
        is_to_other = text_at(event, "text").lstrip().startswith(("<@", "<!"))
        return is_reply and not is_to_other and self._rules.place(id_at(event, "channel"), is_direct=False).is_followed

    def _message(self, body: Payload, identity: BotIdentity, *, is_direct: bool) -> AcceptedMessage:
        event = mapping_at(body, "event")
        channel, ts = id_at(event, "channel"), id_at(event, "ts")
        is_guest = not self._rules.is_home(asker_team(event), identity)
        sharing = sharing_of(body, is_direct=is_direct, is_guest=is_guest)
        place = self._rules.place(channel, is_direct=is_direct)
        thread = ThreadRef(Platform.SLACK, identity.team_id, channel, id_at(event, "thread_ts") or ts)
        question = self.redacted(wire_text(event, identity.user_id), thread, own_user_id=identity.user_id)
        return AcceptedMessage(
            message_id=MessageId(f"slack:{identity.team_id}:{channel}:{ts}"),
            thread=thread,
            user_id=id_at(event, "user"),
            text=question.text,
            marked=question.marked,
            received_at=self._clock.now(),
            audience=place.audience(is_shared=sharing is not Sharing.PRIVATE),
            is_direct=is_direct,
            is_truncated=question.is_truncated,
            refusal=self._rules.refusal(channel, is_direct=is_direct, is_guest=is_guest),
            routing=(("ts", ts), ("sharing", sharing), *place.routing, *self._files(event)),
        )

    def redacted(self, wire_text: str, thread: ThreadRef, *, own_user_id: str) -> RedactedQuestion:
        """Cap, decode, cap to length and redact."""
        head = wire_text[:HARD_LIMIT_BYTES]
        question = redact_question(decode(head, own_user_id=own_user_id), self._redactor, thread=thread)
        return replace(question, is_truncated=question.is_truncated or len(wire_text) > len(head))

    def redacted_name(self, name: str) -> str:
        """Give a file's name on one line, without personal data."""
        return str(self._redactor.redact(" ".join(cap(name[:_MAX_FILE_NAME]).split()) or "?").text)

    def _files(self, event: Payload) -> tuple[tuple[str, str], ...]:
        """Name the files, and their ids by which the worker fetches them: an address would hold the raw name."""
        files = [file for file in mappings_at(event, "files") if not _is_nameless_rest(file)][:_MAX_FILES]
        if not files:
            return ()
        ids = [id_at(file, "id") for file in files]
        known = (("file_ids", " ".join(ids)),) if all(ids) else ()
        return ((FILES, "\n".join(self.redacted_name(text_at(file, "name", "title")) for file in files)), *known)


def _is_nameless_rest(file: Payload) -> bool:
    """Tell whether a file was deleted with its name: there is nothing to read and nothing to call it by."""
    return text_at(file, "mode") == "tombstone" and not text_at(file, "name", "title")


def is_spoken(event: Payload) -> bool:
    """Tell whether this is a message that somebody wrote, and no app: edits, deletions, joins and topics are not."""
    subtype = event.get("subtype")
    is_spoken_kind = subtype is None or (isinstance(subtype, str) and subtype in _SPOKEN)
    return is_spoken_kind and not is_app(event) and text_at(event, "type") in {"message", "app_mention"}


def is_addressed(event: Payload, user_id: str) -> bool:
    """Tell whether a message speaks to the bot: it names it outside quotations and code, where one only tells of it."""
    text = text_at(event, "text")
    if not mentions(event, user_id):
        return event.get("type") == "app_mention"
    own = _QUOTED.sub(" ", text)
    return not text or f"<@{user_id}>" in own or f"<@{user_id}|" in own


def _is_spoken_by_a_person(event: Payload, identity: BotIdentity) -> bool:
    user = id_at(event, "user")
    is_person = user not in {"", _SLACKBOT, identity.user_id}
    return is_spoken(event) and is_person and event.get("hidden") is not True and bool(_place(event))


def _is_late_edit(event: Payload) -> bool:
    edited_at, sent_at = id_at(mapping_at(event, "edited"), "ts"), id_at(event, "ts")
    return bool(edited_at) and _seconds(edited_at) - _seconds(sent_at) > _OLDEST_EDIT_S


def _seconds(ts: str) -> float:
    whole = ts.partition(".")[0]
    return float(whole) if whole.isdecimal() else 0.0


def _place(event: Payload) -> str:
    return id_at(event, "channel") and id_at(event, "ts")


def _is_by_thread_opener(event: Payload) -> bool:
    return bool(id_at(event, "thread_ts")) and id_at(event, "parent_user_id") == id_at(event, "user")


def wire_text(event: Payload, own_user_id: str) -> str:
    """Give the text of a message in the wire form; where it holds nothing but our mention that of the rich text, else of what is attached.

    A message that its asker forwarded with a word of their own ("can you answer this?") stands below that word.
    """
    attached = [(_attached_text(part, own_user_id), part) for part in mappings_at(event, "attachments")]
    candidates = (text_at(event, "text"), _encoded(rich_text(event, own_user_id=own_user_id)))
    own = next((text for text in candidates if decode(text[:HARD_LIMIT_BYTES], own_user_id=own_user_id)), "")
    if not own:
        return "\n".join(text for text, _ in attached if text)
    forwarded = [text for text, part in attached if text and (part.get("is_share") or part.get("is_msg_unfurl"))]
    return "\n".join((_questions_first(own), *forwarded))


def _attached_text(attachment: Payload, own_user_id: str) -> str:
    """Give what an attachment says: a forwarded message its text or blocks, an app's the parts that it shows."""
    if said := text_at(attachment, "text"):
        return said
    forwarded = (mapping_at(row, "message") for row in mappings_at(attachment, "message_blocks"))
    blocks = "\n".join(filter(None, (rich_text(row, own_user_id=own_user_id) for row in forwarded)))
    fields = mappings_at(attachment, "fields")
    shown = [text_at(attachment, "pretext"), text_at(attachment, "title")]
    shown += [f"{text_at(field, 'title')}: {text_at(field, 'value')}" for field in fields]
    return _encoded(blocks) or "\n".join(filter(None, shown)) or text_at(attachment, "fallback")


def _questions_first(text: str) -> str:
    """Put what stands around fenced code before it where a message is too long to be read whole: logs are pasted above questions."""
    if len(text) <= TEXT_LIMIT or _FENCE not in text:
        return text
    parts = text.split(_FENCE)
    around, inside = parts[::2], [f"{_FENCE}{code}{_FENCE}" for code in parts[1::2]]
    return "\n".join((*(part.strip() for part in around if part.strip()), *inside))


def _encoded(text: str) -> str:
    """Bring decoded rich text back to the wire form, so that one decoder serves both."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _claims(body: Payload, message: AcceptedMessage) -> tuple[str, ...]:
    """Name the delivery and the message: a mention arrives under two event ids, and an edit brings it once more."""
    event_id, thread = id_at(body, "event_id"), message.thread
    by_event = (f"slack:event:{event_id}",) if event_id else ()
    return (*by_event, f"slack:msg:{thread.tenant_id}:{thread.channel_id}:{message.route('ts')}")
