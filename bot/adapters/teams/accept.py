"""One activity → a question for the work queue, or nothing."""

from dataclasses import dataclass, field

from bot.adapters.teams.activity import Activity, file_names, is_mentioned, plain_text, text_at
from bot.messages import AcceptedMessage, MessageId, Platform, ThreadRef
from bot.ports import Clock
from bot.questions.accepting import HARD_LIMIT_BYTES, cap, redact_question
from bot.questions.access import REFUSED_CHANNEL, REFUSED_GROUP, REFUSED_GUEST, Place, Places
from retrieval.redaction import Redactor

_BOT_PREFIX = "28:"  # Teams writes bots as 28:<app id> and people as 29:<user>
_MAX_FILES = 10
_MAX_FILE_NAME = 120


@dataclass(frozen=True, slots=True)
class TeamsRules:
    """What the operator allows.

    Args:
        tenant_id: the customer's own tenant; people of others, and of an unnamed one, see public documents only.
        conversations: ids of the channels and chats where the bot may speak; empty allows all. One-to-one chats are
            always allowed.
        tenants: further tenants of the same company.
        are_guests_answered: whether people of other tenants get answers (from public documents) or a refusal.
        places: what holds in single conversations; one that is named there counts as allowed.
        users: Microsoft Entra object ids of those who may ask anywhere; empty leaves it to the places. Groups are out
            of reach: the Bot Connector does not tell them.
    """

    tenant_id: str = ""
    conversations: frozenset[str] = frozenset()
    tenants: frozenset[str] = frozenset()
    are_guests_answered: bool = True
    places: Places = field(default_factory=Places)
    users: frozenset[str] = frozenset()

    def is_home(self, *tenant_ids: str) -> bool:
        """Tell whether all the tenants that an activity names are the customer's own; one that names none is foreign."""
        named = {tenant_id for tenant_id in tenant_ids if tenant_id}
        return bool(named) and named <= ({self.tenant_id, *self.tenants} - {""})

    def place(self, conversation: str, *, is_direct: bool) -> Place:
        """Give what holds in a conversation."""
        return self.places.of(conversation, is_direct=is_direct)

    def refusal(self, conversation: str, user_id: str, *, is_direct: bool, is_home: bool) -> str:
        """Give the key of the refusal, empty when the question is welcome."""
        place = self.place(conversation, is_direct=is_direct)
        is_listed = conversation in self.conversations or self.places.is_named(conversation)
        if not place.is_allowed or (self.conversations and not is_direct and not is_listed):
            return REFUSED_CHANNEL
        if not is_home and not self.are_guests_answered:
            return REFUSED_GUEST
        allowed = place.users or self.users
        is_closed = bool(place.groups) or bool(allowed)  # groups cannot be resolved here, so they close
        return REFUSED_GROUP if is_closed and user_id not in allowed else ""


@dataclass(frozen=True, slots=True)
class IncomingActivity:
    """A question with the name under which it may be claimed once."""

    message: AcceptedMessage
    claims: tuple[str, ...]


class ActivityReader:
    """Reads the activities of Teams."""

    def __init__(self, *, redactor: Redactor, rules: TeamsRules, clock: Clock) -> None:
        """Read by these rules; `clock` stamps when a question was received."""
        self._redactor = redactor
        self._rules = rules
        self._clock = clock

    def read(self, activity: Activity) -> IncomingActivity | None:
        """Give the question of a message, None when there is none for this bot."""
        if not _is_spoken_by_a_person(activity):
            return None
        is_direct = text_at(activity, "conversation", "conversationType") in {"", "personal"}
        if not is_direct and not is_mentioned(activity):
            return None
        message = self._message(activity, is_direct=is_direct)
        thread = message.thread
        return IncomingActivity(message, (f"teams:msg:{thread.channel_id}:{text_at(activity, 'id')}",))

    def _message(self, activity: Activity, *, is_direct: bool) -> AcceptedMessage:
        conversation, root = place_of(activity)
        tenant, user = tenant_of(activity), _user(activity)
        is_home = self._rules.is_home(tenant, text_at(activity, "from", "tenantId"))
        wire = text_at(activity, "text")
        head = {**activity, "text": wire[:HARD_LIMIT_BYTES]}
        thread = ThreadRef(Platform.TEAMS, tenant, conversation, root or "chat")
        question = redact_question(plain_text(head), self._redactor, thread=thread)
        return AcceptedMessage(
            message_id=MessageId(f"teams:{conversation}:{text_at(activity, 'id')}"),
            thread=thread,
            user_id=user,
            text=question.text,
            marked=question.marked,
            received_at=self._clock.now(),
            audience=self._rules.place(conversation, is_direct=is_direct).audience(is_shared=not is_home),
            is_direct=is_direct,
            is_truncated=question.is_truncated or len(wire) > HARD_LIMIT_BYTES,
            refusal=self._rules.refusal(conversation, user, is_direct=is_direct, is_home=is_home),
            routing=self._routing(activity, root),
        )

    def _routing(self, activity: Activity, root: str) -> tuple[tuple[str, str], ...]:
        names = [" ".join(cap(n[:_MAX_FILE_NAME]).split()) or "?" for n in file_names(activity)[:_MAX_FILES]]
        files = (("files", self._redactor.redact("\n".join(names)).text),) if names else ()
        return (("service_url", text_at(activity, "serviceUrl")), ("root", root), *files)


def _is_spoken_by_a_person(activity: Activity) -> bool:
    sender, own = text_at(activity, "from", "id"), text_at(activity, "recipient", "id")
    is_bot = sender in {"", own} or sender.startswith(_BOT_PREFIX) or text_at(activity, "from", "role") == "bot"
    has_place = bool(text_at(activity, "conversation", "id") and text_at(activity, "id"))
    return activity.get("type") == "message" and not is_bot and has_place


def place_of(activity: Activity) -> tuple[str, str]:
    """Give the conversation without its thread, and the root message of the thread; a chat has no root."""
    conversation, _, suffix = text_at(activity, "conversation", "id").partition(";messageid=")
    if text_at(activity, "conversation", "conversationType") != "channel":
        return conversation, suffix
    return conversation, suffix or text_at(activity, "replyToId") or text_at(activity, "id")


def tenant_of(activity: Activity) -> str:
    """Give the tenant of the conversation; empty when it is not named."""
    return text_at(activity, "conversation", "tenantId") or text_at(activity, "channelData", "tenant", "id")


def _user(activity: Activity) -> str:
    return text_at(activity, "from", "aadObjectId") or text_at(activity, "from", "id")
