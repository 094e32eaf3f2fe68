"""What the buttons below an answer have done: a draft for the customer, a person asked, a source shown whole."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import uuid4

from bot.answers.compose import visible
from bot.answers.drafting import Drafter
from bot.answers.kept_answers import AnswerStore, KeptAnswer
from bot.checks.closed_output import hosts_of
from bot.messages import AcceptedMessage, Answer, Citation, MessageId, Outcome
from bot.ports import PassageSource, Responder
from bot.texts import say
from retrieval.redaction import RedactedText

DRAFT, PERSON, SOURCE = "draft", "person", "source"
OTHER_QUEUES = "*"
_SHOWN_CHARACTERS = 60_000
_MOST_IDS = 5


@dataclass(frozen=True, slots=True)
class Handover:
    """Who is asked when a person is wanted: the id of a Slack user group by the name of the queue, `*` for every other."""

    groups: Mapping[str, str] = field(default_factory=dict)

    def group_of(self, queue: str) -> str:
        """Give the group of a queue, empty when nobody is named."""
        return self.groups.get(queue) or self.groups.get(OTHER_QUEUES, "")


class TaskResponder:
    """A `Responder` that does what buttons ask for; questions go through to the flow."""

    def __init__(
        self,
        responder: Responder,
        answers: AnswerStore,
        *,
        drafter: Drafter,
        passages: PassageSource,
    ) -> None:
        """Answer questions by the responder; find what was clicked in `answers`."""
        self._responder = responder
        self._answers = answers
        self._drafter = drafter
        self._passages = passages

    async def respond(self, message: AcceptedMessage, *, is_stateless: bool = False) -> Answer:
        """Do what is wanted.

        Raises:
            StateUnavailable: the answer that was clicked cannot be looked up now.
            RetrievalError: the source cannot be read.
        """
        if message.refusal or message.task not in {DRAFT, PERSON, SOURCE}:
            return await self._responder.respond(message, is_stateless=is_stateless)
        if message.task == DRAFT:
            return await self._drafter.draft(message)
        kept = await self._answers.find(message.thread, MessageId(message.route("of")))
        if kept is None:
            return _said(say("not_known", "en"), "en")
        return handed_over(kept) if message.task == PERSON else await self._source(message, kept)

    async def _source(self, message: AcceptedMessage, kept: KeptAnswer) -> Answer:
        language = kept.answer.language
        source = await self._passages.document(message.route("source"), audience=frozenset(message.audience))
        if source is None or source.card.quarantined:
            return _said(say("source_gone", language), language)
        card = source.card
        text = visible(source.text, source.hosts | hosts_of((card.url,))).cut(_SHOWN_CHARACTERS)
        cited = Citation(1, card.id, card.kind, card.title, card.url, card.updated_at, text.cut(200))
        return _said(text, language, citations=(cited,))


def handed_over(kept: KeptAnswer) -> Answer:
    """Sum up a question for the person who takes it over: what was asked, what was said, where such cases go."""
    answer, language = kept.answer, kept.answer.language
    if answer.outcome is Outcome.ANSWERED and kept.cited:
        ids = RedactedText.stored(", ".join(kept.cited[:_MOST_IDS]))
        said = say("handover_answered", language, ids=ids)
    else:
        said = say("handover_nothing", language)
    lines = (
        say("handover_asks", language),
        say("handover_question", language, question=kept.message.text),
        said,
    )
    return _said(RedactedText.joined(lines, "\n"), language, citations=(), triage_of=answer)


def _said(
    text: RedactedText, language: str, *, citations: tuple[Citation, ...] = (), triage_of: Answer | None = None
) -> Answer:
    return Answer(
        outcome=Outcome.COURTESY,
        text=text,
        language=language,
        request_id=uuid4().hex,
        citations=citations,
        triage=triage_of.triage if triage_of else None,
    )
