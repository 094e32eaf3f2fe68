"""The slash command, whose answers only the asker sees: a question, or one of the tasks of `bot.desk.requests`; else usage.

`/kb QUERY`, `/kb show ID`, `/kb draft QUESTION`, `/kb incident TEXT until TIME`, `/kb incident list`, `/kb incident end ID`,
`/kb lead`.
"""

import re
from dataclasses import dataclass

from bot.adapters.slack.accept import EventReader, Incoming
from bot.adapters.slack.identity import BotIdentity
from bot.adapters.slack.payload import Payload, id_at, text_at
from bot.adapters.slack.rules import SlackRules
from bot.answers.answer_tasks import DRAFT
from bot.desk.end_times import split_ending
from bot.desk.requests import DO, Task
from bot.messages import AcceptedMessage, MessageId, Platform, ThreadRef
from bot.ports import Clock
from bot.questions.access import KINDS
from retrieval.redaction import RedactedText

_DIRECT_CHANNEL = "directmessage"
_URL = re.compile(r"https?://[!-~]{1,2000}")
_LONGEST_UNTIL = 80
_HELP = re.compile(r"\s*(?:help|\?)?\s*", re.IGNORECASE)
_DRAFT = re.compile(r"\A\s*+draft(?:\s*+:)?\s++(\S.*)", re.IGNORECASE | re.DOTALL)
# An id with a space is a path ("docs/fax gateway"), or stands in quotation marks; other words ask something.
_SHOW = re.compile(
    r"\A\s*+show\s++(?:[\"“”„«](?P<quoted>[^\"“”„«»\n]{1,200})[\"“”»]|(?P<path>[^\s/]{1,100}/[^\n]{1,199}?)|(?P<word>\S{1,200}))\s*+",
    re.IGNORECASE,
)
_INCIDENT = re.compile(
    r"\A\s*+incidents?(?:\s++(list|end)(?:\s++(\S{1,40}))?\s*+|\s++(\S.*)|\s*+)", re.IGNORECASE | re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the text of a command asks for: a task of the desk (empty: an answer), its words, and when it ends."""

    task: str
    words: str
    until: str = ""


def read_wanted(text: str) -> Wanted:
    """Read the text behind the command's name."""
    if found := _SHOW.fullmatch(text):
        return Wanted(Task.SHOW, (found["quoted"] or found["path"] or found["word"]).strip())
    if found := _DRAFT.fullmatch(text):
        return Wanted(DRAFT, found[1].strip())
    found = _INCIDENT.fullmatch(text)
    if found is None:
        return Wanted(Task.LEAD if text.strip().casefold() == "lead" else "", text)
    verb, id_, told = (found[1] or "").casefold(), found[2] or "", found[3] or ""
    if verb == "end" and id_:
        return Wanted(Task.INCIDENT_END, id_)
    if told or (verb and id_):  # "incident list of customers is empty until 5pm" tells one too
        ending = split_ending(told or f"{found[1]} {id_}")
        return Wanted(Task.INCIDENT, ending.what, ending.when)
    return Wanted(Task.INCIDENT_LIST, "")


@dataclass(frozen=True, slots=True)
class Command:
    """A slash command read: the question to enqueue, or None when it was empty or malformed."""

    name: RedactedText
    incoming: Incoming | None


class CommandReader:
    """Reads slash command bodies.

    Source: https://docs.slack.dev/interactivity/implementing-slash-commands/
    """

    def __init__(self, *, events: EventReader, rules: SlackRules, clock: Clock) -> None:
        """Decode and redact as the event reader does."""
        self._events = events
        self._rules = rules
        self._clock = clock

    def read(self, body: Payload, known: BotIdentity) -> Command:
        """Give the command; its own claim is the trigger id, which Slack never uses twice."""
        name = RedactedText.stored(id_at({"name": text_at(body, "command").lstrip("/")}, "name") or "kb")
        name = RedactedText.joined((RedactedText.stored("/"), name), "")
        trigger, channel, user = (id_at(body, key) for key in ("trigger_id", "channel_id", "user_id"))
        wire_text = text_at(body, "text")
        if _HELP.fullmatch(wire_text) or not (trigger and channel and user):
            return Command(name, None)
        message = self._message(body, known, wire_text=wire_text)
        return Command(name, Incoming(message, (f"slack:command:{trigger}",)))

    def _message(self, body: Payload, known: BotIdentity, *, wire_text: str) -> AcceptedMessage:
        team = known.team_id or id_at(body, "team_id")
        channel, trigger = id_at(body, "channel_id"), id_at(body, "trigger_id")
        is_guest = not self._rules.is_home(id_at(body, "team_id"), known)
        is_direct = text_at(body, "channel_name") == _DIRECT_CHANNEL
        thread = ThreadRef(Platform.SLACK, team, channel, f"command:{trigger}")
        place = self._rules.place(channel, is_direct=is_direct)
        wanted = read_wanted(wire_text)
        question = self._events.redacted(wanted.words, thread, own_user_id=known.user_id)
        until = self._events.redacted(wanted.until, thread, own_user_id=known.user_id).text
        return AcceptedMessage(
            message_id=MessageId(f"slack:{team}:{channel}:command:{trigger}"),
            thread=thread,
            user_id=id_at(body, "user_id"),
            text=question.text,
            marked=question.marked,
            received_at=self._clock.now(),
            audience=place.audience(is_shared=is_guest),
            is_direct=is_direct,
            is_command=True,
            is_truncated=question.is_truncated,
            refusal=self._rules.refusal(channel, is_direct=is_direct, is_guest=is_guest),
            routing=(
                ("response_url", _url_at(body)),
                *(pair for pair in place.routing if pair[0] == KINDS),
                *(((DO, wanted.task),) if wanted.task else ()),
                *((("until", until.cut(_LONGEST_UNTIL)),) if until else ()),
            ),
        )


def _url_at(body: Payload) -> str:
    """Give the response URL if it is written as one; the poster decides whether it may be called."""
    url = text_at(body, "response_url")
    return url if _URL.fullmatch(url) else ""
