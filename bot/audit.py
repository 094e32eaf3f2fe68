"""The audit log: who asked where, what was decided, which sources were shown. Ids, hashes and numbers, never a text."""

from collections.abc import Awaitable, Callable
from typing import Protocol

from bot.errors import StateUnavailable
from bot.messages import AcceptedMessage, Answer, Outcome, Platform
from bot.ports import Responder

AuditValue = str | int | float | bool | list[str] | None
NameOf = Callable[[str], Awaitable[str]]

EVENTS = {
    Outcome.ANSWERED: "answered",
    Outcome.NO_MATCH: "not_found",
    Outcome.OFF_TOPIC: "declined",
    Outcome.CLARIFY: "asked_back",
    Outcome.COURTESY: "greeted",
    Outcome.NOT_PERMITTED: "refused",
    Outcome.UNAVAILABLE: "failed",
}


class AuditTrail(Protocol):
    """Takes rows; never raises: a row that cannot be written is an error in the log, not a lost answer."""

    def write(self, event: str, **fields: AuditValue) -> None:
        """Append one row; the time is added."""
        ...


class NoAudit:
    """Writes nothing down."""

    def write(self, event: str, **fields: AuditValue) -> None:
        """Drop the row."""


async def nobody(_user_id: str) -> str:
    """Name nobody: for processes without Redis, where the key of the names lies."""
    return ""


class AuditedResponder:
    """A `Responder` that writes a row for every answer."""

    def __init__(self, responder: Responder, trail: AuditTrail, *, name_of: NameOf = nobody) -> None:
        """Answer as the responder does; `name_of` gives the pseudonym of a user id."""
        self._responder = responder
        self._trail = trail
        self._name_of = name_of

    async def respond(self, message: AcceptedMessage, *, is_stateless: bool = False) -> Answer:
        """Give the answer and write its row."""
        answer = await self._responder.respond(message, is_stateless=is_stateless)
        actor, question = await self._named(_actor(message)), await self._named(f"question:{message.text}")
        self._trail.write(EVENTS[answer.outcome], **_fields(message, answer), actor=actor, question_hash=question)
        return answer

    async def _named(self, subject: str) -> str | None:
        if subject.startswith("token:"):
            return subject
        try:
            return await self._name_of(subject) or None
        except StateUnavailable:
            return None


def _actor(message: AcceptedMessage) -> str:
    is_token = message.thread.platform is Platform.HTTP and bool(message.user_id)
    return f"token:{message.user_id}" if is_token else message.user_id


def _fields(message: AcceptedMessage, answer: Answer) -> dict[str, AuditValue]:
    thread = message.thread
    return {
        "request_id": answer.request_id,
        "platform": str(thread.platform),
        "tenant": thread.tenant_id,
        "channel": thread.channel_id,
        "outcome": str(answer.outcome),
        "reason": message.refusal or None,
        "audience": list(message.audience),
        **({"held": list(answer.held)} if answer.held else {}),
        "cited": list(dict.fromkeys(citation.id for citation in answer.citations)),
        "model": answer.provenance.model,
        "cost_usd": answer.usage.cost_usd,
    }
