"""The buttons below an answer, as blocks; each carries which answer it belongs to, so that any process can serve it."""

import re
from dataclasses import dataclass, field

from bot.answers.answer_tasks import PERSON as PERSON_TASK
from bot.answers.answer_tasks import Handover
from bot.answers.kept_answers import has_buttons
from bot.messages import AcceptedMessage, Answer, MessageId, NoticeKind, Outcome, Platform, Reply, ThreadRef
from bot.texts import say
from retrieval.redaction import RedactedText

FEEDBACK, WHY, DRAFT, PERSON, AGAIN, SOURCE = (
    f"triage_{name}" for name in ("feedback", "why", "draft", "person", "again", "source")
)
USEFUL, NOT_USEFUL = "+", "-"
TEXT_LIMIT = 75  # characters on a button, https://docs.slack.dev/reference/block-kit/block-elements/button-element
VALUE_LIMIT = 2_000
_MOST_SOURCES = 4
_REF = re.compile(r"([A-Za-z0-9._:-]{1,128}) (slack:([A-Za-z0-9]{1,32}):([A-Za-z0-9]{1,32}):[A-Za-z0-9._:-]{1,128})")

Block = dict[str, object]


@dataclass(frozen=True, slots=True)
class Buttons:
    """What an installation offers below its answers; `handover` names the groups that take questions over."""

    handover: Handover = field(default_factory=Handover)

    def above(self, reply: Reply) -> tuple[str, ...]:
        """Give the mention of the group that is asked to take a question over: the only one that the bot ever writes."""
        triage = reply.answer.triage
        group = self.handover.group_of(triage.queue if triage else "") if reply.message.task == PERSON_TASK else ""
        return (f"<!subteam^{group}>",) if group else ()

    def below(self, reply: Reply) -> list[Block]:
        """Give the blocks below the last part of a reply; none where nothing was looked up."""
        message, answer = reply.message, reply.answer
        if message.task or not has_buttons(answer):
            return []
        ref = ref_of(message)
        if len(ref) > VALUE_LIMIT - 8:
            return []
        rows = [_feedback(ref, answer.language)] if answer.outcome is not Outcome.UNAVAILABLE else []
        return [*rows, {"type": "actions", "block_id": "triage_actions", "elements": self._elements(ref, reply)}]

    def _elements(self, ref: str, reply: Reply) -> list[Block]:
        message, answer = reply.message, reply.answer
        is_found = answer.outcome is Outcome.ANSWERED
        wanted = (
            (AGAIN, "retry_button", is_temporary(answer)),
            (WHY, "why", answer.outcome is not Outcome.UNAVAILABLE),
            (DRAFT, "draft_button", is_found),
            (PERSON, "person_button", bool(self.handover.groups) and not message.is_command),
        )
        own = [_button(name, say(key, answer.language), ref) for name, key, is_wanted in wanted if is_wanted]
        return [*own, *_sources(ref, answer)]


def ref_of(message: AcceptedMessage) -> str:
    """Name the message and its thread in a button's value."""
    return f"{message.thread.thread_id} {message.message_id}"


def read_ref(value: str) -> tuple[ThreadRef, MessageId] | None:
    """Read the name back; None for a value that is not ours."""
    found = _REF.match(value)
    if found is None:
        return None
    return ThreadRef(Platform.SLACK, found[3], found[4], found[1]), MessageId(found[2])


def is_temporary(answer: Answer) -> bool:
    """Tell whether asking again may help: nothing could be looked up, or the model was out of reach."""
    is_model_away = any(
        notice.kind is NoticeKind.DEGRADED and notice.text == say("degraded", answer.language)
        for notice in answer.notices
    )
    return answer.outcome is Outcome.UNAVAILABLE or is_model_away


def plain_text(text: str, limit: int = TEXT_LIMIT) -> Block:
    """Give a text object without any markup, cut to what its place takes."""
    return {"type": "plain_text", "text": text if len(text) <= limit else text[: limit - 1] + "…", "emoji": True}


def _feedback(ref: str, language: str) -> Block:
    def button(mark: str, key: str) -> Block:
        return {"text": plain_text(say(key, language)), "value": f"{ref} {mark}"}

    element: Block = {
        "type": "feedback_buttons",
        "action_id": FEEDBACK,
        "positive_button": button(USEFUL, "useful"),
        "negative_button": button(NOT_USEFUL, "not_useful"),
    }
    return {"type": "context_actions", "block_id": "triage_feedback", "elements": [element]}


def _sources(ref: str, answer: Answer) -> list[Block]:
    """Give a button for each source that has no page of its own to open."""
    here = [citation for citation in answer.citations if not citation.url][:_MOST_SOURCES]
    return [
        _button(f"{SOURCE}:{citation.n}", RedactedText.stored(f"📄 {citation.id}"), f"{ref} {citation.n}")
        for citation in here
    ]


def _button(action_id: str, text: RedactedText, value: str) -> Block:
    return {"type": "button", "action_id": action_id, "text": plain_text(text), "value": value}
