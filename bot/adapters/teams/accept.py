"""One activity → a question for the work queue, or nothing."""

from dataclasses import dataclass

from bot.accepting import HARD_LIMIT_BYTES, cap, redact_question
from bot.adapters.teams.activity import Activity, file_names, is_mentioned, plain_text, text_at
from bot.messages import AcceptedMessage, MessageId, Platform, ThreadRef
from bot.ports import Clock
from retrieval.redaction import Redactor

INTERNAL_AUDIENCE = ("public", "internal")
SHARED_AUDIENCE = ("public",)
NOT_PERMITTED = "not_permitted"  # key of `bot.texts`
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
    """

    tenant_id: str = ""
    conversations: frozenset[str] = frozenset()


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
        conversation, root = _place(activity)
        tenant = _tenant(activity)
        wire = text_at(activity, "text")
        head = {**activity, "text": wire[:HARD_LIMIT_BYTES]}
        question = redact_question(plain_text(head), self._redactor)
        return AcceptedMessage(
            message_id=MessageId(f"teams:{conversation}:{text_at(activity, 'id')}"),
            thread=ThreadRef(Platform.TEAMS, tenant, conversation, root or "chat"),
            user_id=text_at(activity, "from", "aadObjectId") or text_at(activity, "from", "id"),
            text=question.text,
            received_at=self._clock.now(),
            audience=INTERNAL_AUDIENCE if self._is_home(tenant) else SHARED_AUDIENCE,
            is_direct=is_direct,
            is_truncated=question.is_truncated or len(wire) > HARD_LIMIT_BYTES,
            refusal=self._refusal(conversation, is_direct=is_direct),
            routing=self._routing(activity, root),
        )

    def _routing(self, activity: Activity, root: str) -> tuple[tuple[str, str], ...]:
        names = [" ".join(cap(n[:_MAX_FILE_NAME]).split()) or "?" for n in file_names(activity)[:_MAX_FILES]]
        files = (("files", self._redactor.redact("\n".join(names)).text),) if names else ()
        return (("service_url", text_at(activity, "serviceUrl")), ("root", root), *files)

    def _is_home(self, tenant: str) -> bool:
        return bool(tenant) and tenant == self._rules.tenant_id

    def _refusal(self, conversation: str, *, is_direct: bool) -> str:
        is_elsewhere = bool(self._rules.conversations) and not is_direct
        return NOT_PERMITTED if is_elsewhere and conversation not in self._rules.conversations else ""


def _is_spoken_by_a_person(activity: Activity) -> bool:
    sender, own = text_at(activity, "from", "id"), text_at(activity, "recipient", "id")
    is_bot = sender in {"", own} or sender.startswith(_BOT_PREFIX) or text_at(activity, "from", "role") == "bot"
    has_place = bool(text_at(activity, "conversation", "id") and text_at(activity, "id"))
    return activity.get("type") == "message" and not is_bot and has_place


def _place(activity: Activity) -> tuple[str, str]:
    """Give the conversation without its thread, and the root message of the thread; a chat has no root."""
    conversation, _, suffix = text_at(activity, "conversation", "id").partition(";messageid=")
    if text_at(activity, "conversation", "conversationType") != "channel":
        return conversation, suffix
    return conversation, suffix or text_at(activity, "replyToId") or text_at(activity, "id")


def _tenant(activity: Activity) -> str:
    return text_at(activity, "conversation", "tenantId") or text_at(activity, "channelData", "tenant", "id")
