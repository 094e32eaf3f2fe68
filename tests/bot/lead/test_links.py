"""Links to the lead's page by the slash command: for the permitted alone, audited, and not kept."""

from dataclasses import replace

import pytest

from bot.adapters.slack.render import render
from bot.answers.kept_answers import has_buttons
from bot.audit import AuditValue
from bot.desk.requests import DO, Task
from bot.errors import StateUnavailable
from bot.lead.links import LEADS, LeadLinks, LinkingResponder
from bot.messages import AcceptedMessage, Answer, Outcome, Reply
from tests.bot.flow_kit import message, text
from tests.sample_messages import thread


class _Flow:
    """Answers everything."""

    async def respond(self, message: AcceptedMessage, *, is_stateless: bool = False) -> Answer:
        """Give the outcome of a question."""
        del message, is_stateless
        return Answer(outcome=Outcome.ANSWERED, text=text("Press save."), language="en", request_id="")


class Trail:
    """Keeps the rows."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, dict[str, AuditValue]]] = []

    def write(self, event: str, **fields: AuditValue) -> None:
        """Keep one."""
        self.rows.append((event, fields))


async def _secret() -> str:
    return "s3cret"


async def _no_secret() -> str:
    raise StateUnavailable("redis")


async def _hash(user: str) -> str:
    return f"hash of {len(user)}"


def _links(trail: Trail, address: str = "https://triage.internal/") -> LeadLinks:
    return LeadLinks(("U1",), address, _secret, _hash, trail)


ASKED = replace(message("lead"), thread=thread(), user_id="U1", is_command=True, routing=((DO, Task.LEAD),))


async def test_a_permitted_person_gets_a_link_that_is_audited_and_not_kept() -> None:
    """The audit holds the hash of who, not the link; the end is one of which no answer is kept."""
    trail = Trail()
    answer = await LinkingResponder(_Flow(), _links(trail)).respond(ASKED)
    assert "https://triage.internal/lead?link=s3cret" in answer.text
    assert not has_buttons(answer)
    (part,) = render(Reply(ASKED, answer))
    assert "https://triage.internal/lead?link=s3cret" in part.markdown
    assert "https://triage.internal/lead?link=s3cret" in part.text
    assert trail.rows == [("lead_link_sent", {"actor": "hash of 2"})]


@pytest.mark.parametrize(
    ("asked", "address"),
    [
        (replace(ASKED, user_id="U2"), "https://x"),
        (replace(ASKED, is_command=False), "https://x"),
        (replace(ASKED, refusal="not_permitted"), "https://x"),
        (ASKED, ""),
    ],
)
async def test_nobody_else_gets_one(asked: AcceptedMessage, address: str) -> None:
    """Not others, not where others read along, not by a refused door, not without an address."""
    trail = Trail()
    answer = await LinkingResponder(_Flow(), _links(trail, address)).respond(asked)
    assert answer.outcome is Outcome.NOT_PERMITTED
    assert "link=" not in answer.text
    assert trail.rows == []


async def test_a_member_of_a_group_of_leads_gets_one() -> None:
    """The door has looked the group up and says so; the wish alone says nothing."""
    trail = Trail()
    member = replace(ASKED, user_id="U2", routing=((DO, Task.LEAD), (LEADS, "yes")))
    answer = await LinkingResponder(_Flow(), _links(trail)).respond(member)
    assert "link=s3cret" in answer.text
    refused = await LinkingResponder(_Flow(), _links(trail)).respond(replace(member, refusal="group_unknown"))
    assert "link=" not in refused.text


async def test_without_redis_there_is_no_link_and_questions_go_on() -> None:
    """A word instead of a fault; what is no wish for a link is the flow's."""
    trail = Trail()
    broken = LinkingResponder(_Flow(), replace(_links(trail), make=_no_secret))
    assert (await broken.respond(ASKED)).outcome is Outcome.UNAVAILABLE
    assert (await broken.respond(replace(ASKED, routing=()))).outcome is Outcome.ANSWERED
    assert trail.rows == []
