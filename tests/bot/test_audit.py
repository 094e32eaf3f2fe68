"""Rows of the audit log: who, where, what was decided and shown; no text."""

import json
from dataclasses import replace

import pytest

from bot.audit import EVENTS, AuditedResponder, AuditValue, NoAudit
from bot.errors import StateUnavailable
from bot.messages import AcceptedMessage, Answer, Outcome, Platform, ThreadRef
from tests.sample_messages import answer, message

ASKED = replace(message(), refusal="refused_guest", audience=("public",))


class Trail:
    """Keeps the rows."""

    def __init__(self) -> None:
        self.rows: list[dict[str, AuditValue]] = []

    def write(self, event: str, **fields: AuditValue) -> None:
        """Keep one."""
        self.rows.append({"event": event, **fields})


class Fixed:
    """A `Responder` with one answer."""

    def __init__(self, given: Answer) -> None:
        self.given = given

    async def respond(self, message: AcceptedMessage, *, is_stateless: bool = False) -> Answer:
        """Give it."""
        return self.given


async def hashed(subject: str) -> str:
    """Name somebody."""
    return f"h{len(subject)}" if subject else ""


async def away(_subject: str) -> str:
    """Be without Redis."""
    raise StateUnavailable("away")


async def test_a_row_holds_ids_and_numbers_and_no_text() -> None:
    """Request, hashed asker, place, decision with its reason, sources, model and cost; neither question nor answer."""
    trail, said = Trail(), answer("a secret answer")
    await AuditedResponder(Fixed(said), trail, name_of=hashed).respond(ASKED)
    assert trail.rows == [
        {
            "event": "answered", "request_id": "r1", "platform": "slack", "tenant": "T1", "channel": "C1",
            "outcome": "answered", "reason": "refused_guest", "audience": ["public"], "cited": ["kb-101"],
            "model": None, "cost_usd": 0.5, "actor": "h2", "question_hash": f"h{len('question:') + len(ASKED.text)}",
        }
    ]  # fmt: skip
    assert "secret" not in json.dumps(trail.rows)
    assert ASKED.text not in json.dumps(trail.rows)


@pytest.mark.parametrize("outcome", Outcome)
async def test_every_outcome_has_its_event(outcome: Outcome) -> None:
    """No end is without a word of its own."""
    trail = Trail()
    await AuditedResponder(Fixed(answer(outcome=outcome)), trail).respond(message())
    assert trail.rows[0]["event"] == EVENTS[outcome]
    assert len(set(EVENTS.values())) == len(Outcome)


async def test_actors() -> None:
    """A token is named as it is; without Redis nobody is named, and the row is written all the same."""
    trail = Trail()
    by_token = replace(message(), user_id="crm", thread=ThreadRef(Platform.HTTP, "local", "local", "t"))
    await AuditedResponder(Fixed(answer()), trail, name_of=away).respond(by_token)
    await AuditedResponder(Fixed(answer()), trail, name_of=away).respond(message())
    await AuditedResponder(Fixed(answer()), NoAudit()).respond(message())
    assert [(row["actor"], row["question_hash"]) for row in trail.rows] == [("token:crm", None), (None, None)]
