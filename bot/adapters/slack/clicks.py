"""What the buttons below an answer do. Windows open here and now; what takes time goes through the queue."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace

import structlog
from slack_bolt.response import BoltResponse
from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.slack.admit import NARROWED, SHARING, SlackAdmission
from bot.adapters.slack.answer_buttons import (
    AGAIN,
    DRAFT,
    FEEDBACK,
    NOT_USEFUL,
    PERSON,
    SOURCE,
    WHY,
    Block,
    read_ref,
    ref_of,
)
from bot.adapters.slack.answer_views import REASON_BLOCK, REASON_VIEW, reason_view, source_view, why_view
from bot.adapters.slack.failures import slack_errors
from bot.adapters.slack.identity import IdentityBook
from bot.adapters.slack.interact import SUBMISSION, Interaction, Serve
from bot.adapters.slack.rules import Sharing, SlackRules
from bot.answers.answer_tasks import DRAFT as DRAFT_TASK
from bot.answers.answer_tasks import PERSON as PERSON_TASK
from bot.answers.answer_tasks import SOURCE as SOURCE_TASK
from bot.answers.kept_answers import AnswerStore, KeptAnswer
from bot.errors import PlatformError
from bot.lead.feedback import FeedbackStore, Verdict, Vote
from bot.messages import AcceptedMessage, MessageId
from bot.ports import Clock, Intake
from bot.questions.accepting import redact_question
from bot.texts import say
from retrieval.redaction import RedactedText, Redactor

# Of the three seconds that a trigger id lives, as much as Slack's own answers may take.
LOOKUP_S = 1.2
_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class ClickParts:
    """What the buttons work with. `admit` tells what the person who clicks may see."""

    client: AsyncWebClient
    answers: AnswerStore
    feedback: FeedbackStore
    queue: Intake
    redactor: Redactor
    clock: Clock
    rules: SlackRules
    identity: IdentityBook
    admit: SlackAdmission


@dataclass(frozen=True, slots=True)
class _Click:
    """A click with the answer that it belongs to; `rest` is what stood behind the answer's name."""

    by: Interaction
    kept: KeptAnswer
    rest: str

    @property
    def language(self) -> str:
        return self.kept.answer.language


class AnswerClicks:
    """Serves the buttons; every state is in Redis, so it does not matter which process answered."""

    def __init__(self, parts: ClickParts) -> None:
        """Work with these parts."""
        self._parts = parts

    @property
    def table(self) -> Mapping[str, Serve]:
        """Say which action or view is served by what."""
        return {
            FEEDBACK: self.vote,
            REASON_VIEW: self.reason,
            WHY: self.why,
            SOURCE: self.source,
            DRAFT: self.draft,
            PERSON: self.person,
            AGAIN: self.again,
        }

    async def vote(self, by: Interaction) -> BoltResponse | None:
        """Keep the verdict; who found the answer not useful is asked why."""
        click = await self._allowed_click(by)
        if click is None:
            return None
        is_useful = click.rest != NOT_USEFUL
        verdict = Verdict.USEFUL if is_useful else Verdict.NOT_USEFUL
        await self._parts.feedback.vote(click.kept, by.user_id, Vote(verdict, self._parts.clock.now()))
        if is_useful:
            await self._whisper(click, say("feedback_thanks", click.language))
        else:
            await self._open(by, reason_view(click.language, ref=ref_of(click.kept.message)))
        return None

    async def reason(self, by: Interaction) -> BoltResponse | None:
        """Keep why an answer was not useful, redacted."""
        written = by.input(REASON_BLOCK)
        click = await self._allowed_click(by) if written.strip() else None
        if click is None:
            return None
        reason = redact_question(written, self._parts.redactor, thread=click.kept.message.thread).text
        vote = Vote(Verdict.NOT_USEFUL, self._parts.clock.now(), reason)
        await self._parts.feedback.vote(click.kept, by.user_id, vote)
        return None

    async def why(self, by: Interaction) -> BoltResponse | None:
        """Open the window with the reasons, for those who may see what the answer rests on."""
        click = await self._click(by)
        if click is not None and await self._may_see(click):
            await self._open(by, why_view(click.kept, self._parts.clock.now()))
        return None

    async def source(self, by: Interaction) -> BoltResponse | None:
        """Open the window of a source with what was quoted; its whole text follows from a process that has the index."""
        click = await self._click(by)
        cited = [c for c in click.kept.answer.citations if str(c.n) == click.rest] if click else []
        if click is None or not cited or not await self._may_see(click):
            return None
        view_id = await self._open(by, source_view(cited[0], click.language))
        if view_id:
            wanted = (("source", cited[0].id), ("view", view_id))
            await self._enqueue(click, SOURCE_TASK, f"{SOURCE_TASK}:{view_id}", *wanted)
        return None

    async def draft(self, by: Interaction) -> BoltResponse | None:
        """Have a reply to the customer drafted, for the eyes of who clicked."""
        click = await self._allowed_click(by)
        if click is not None and await self._enqueue(click, DRAFT_TASK, f"{DRAFT_TASK}:{by.trigger_id}"):
            await self._whisper(click, say("searching", click.language))
        return None

    async def person(self, by: Interaction) -> BoltResponse | None:
        """Have somebody asked, once for each question."""
        click = await self._allowed_click(by)
        if click is not None and not await self._enqueue(click, PERSON_TASK, PERSON_TASK):
            await self._whisper(click, say("handover_done", click.language))
        return None

    async def again(self, by: Interaction) -> BoltResponse | None:
        """Ask the same question once more."""
        click = await self._allowed_click(by)
        if click is not None and await self._enqueue(click, "", "again"):
            await self._whisper(click, say("searching", click.language))
        return None

    async def hand_on(self, by: Interaction, task: str) -> bool | None:
        """Put a task about the clicked answer into the queue, once for each answer.

        Returns:
            Whether it was new; None when the answer is not known any more, or who clicked may not have it.
        """
        click = await self._allowed_click(by)
        return None if click is None else await self._enqueue(click, task, task)

    async def _click(self, by: Interaction) -> _Click | None:
        """Find the answer that a click belongs to; tell who clicked when it is not known any more."""
        found = read_ref(by.value)
        if found is None:
            return None
        thread, message_id = found
        # A view's submission names no channel; its reference came back from our own view.
        if by.kind != SUBMISSION and by.channel_id != thread.channel_id:
            return None
        rest = by.value[len(f"{thread.thread_id} {message_id}") :].strip()
        kept = await self._parts.answers.find(thread, message_id)
        if kept is not None:
            return _Click(by, kept, rest)
        await self._tell(by, thread.thread_id, say("not_known", "en"))
        return None

    async def _allowed_click(self, by: Interaction) -> _Click | None:
        """Find the answer of a click by somebody who may ask here; whoever may not is told, and uses nothing up.

        What happens once for each answer would else be spent by who is refused.
        """
        click = await self._click(by)
        asking = await self._admitted(click) if click else None
        if click is None or asking is None or not asking.refusal:
            return click
        await self._whisper(click, say(asking.refusal, click.language))
        return None

    async def _admitted(self, click: _Click) -> AcceptedMessage:
        """Give the question as the person who clicked would ask it; with no audience when Slack does not tell in time."""
        asking = self._asking(click, "", "look")
        try:
            async with asyncio.timeout(LOOKUP_S):
                return await self._parts.admit(asking)
        except TimeoutError:
            return replace(asking, audience=())

    async def _may_see(self, click: _Click) -> bool:
        """Tell whether the person may see what the asker saw, and tell them when not."""
        asking = await self._admitted(click)
        if not asking.refusal and set(click.kept.message.audience) <= set(asking.audience):
            return True
        said = asking.refusal or ("group_unknown" if asking.route(NARROWED) or not asking.audience else "not_permitted")
        await self._whisper(click, say(said, click.language))
        return False

    async def _enqueue(self, click: _Click, task: str, name: str, *routing: tuple[str, str]) -> bool:
        """Put what is wanted into the queue; False when it is there or done already."""
        message = self._asking(click, task, name, *routing)
        claim = f"slack:click:{click.kept.message.message_id}:{name}"
        return await self._parts.queue.enqueue(message, claims=(claim,))

    def _asking(self, click: _Click, task: str, name: str, *routing: tuple[str, str]) -> AcceptedMessage:
        """Make the message of a click: the question of its answer, asked by who clicked, where they may see what."""
        by, asked, rules = click.by, click.kept.message, self._parts.rules
        identity = self._parts.identity.current
        if not identity.team_id:  # auth.test has not answered yet; the answer knows where it was given
            identity = replace(identity, team_id=asked.thread.tenant_id)
        is_guest = not rules.is_home(by.user_team, identity)
        place = rules.place(asked.thread.channel_id, is_direct=asked.is_direct)
        sharing = Sharing.SHARED if is_guest else Sharing.PRIVATE if asked.is_direct else Sharing.UNKNOWN
        refusal = rules.refusal(asked.thread.channel_id, is_direct=asked.is_direct, is_guest=is_guest)
        given = (
            ("do", task),
            ("of", asked.message_id),
            ("ts", _ts(asked)),
            ("response_url", by.response_url if asked.is_command else ""),
            (SHARING, str(sharing)),
            *routing,
        )
        return replace(
            asked,
            message_id=MessageId(f"{asked.message_id}:{name}"),
            user_id=by.user_id,
            received_at=self._parts.clock.now(),
            audience=place.audience(is_shared=sharing is not Sharing.PRIVATE),
            refusal=refusal,
            routing=tuple((key, value) for key, value in given if value),
        )

    async def _open(self, by: Interaction, view: Block) -> str:
        """Open a window; give its id, empty when Slack did not open it."""
        try:
            with slack_errors():
                opened = await self._parts.client.api_call(
                    "views.open", json={"trigger_id": by.trigger_id, "view": view}
                )
        except PlatformError as error:
            _log.warning("window not opened", window=by.name, error=type(error).__name__)
            return ""
        found = opened.get("view")
        return str(found.get("id") or "") if isinstance(found, Mapping) else ""

    async def _whisper(self, click: _Click, text: RedactedText) -> None:
        await self._tell(click.by, click.kept.message.thread.thread_id, text)

    async def _tell(self, by: Interaction, thread_id: str, text: RedactedText) -> None:
        """Say a word to who clicked alone; nothing depends on it."""
        if not by.channel_id:
            return
        arguments = {"channel": by.channel_id, "user": by.user_id, "text": text}
        if not thread_id.startswith("command:"):
            arguments["thread_ts"] = RedactedText.stored(thread_id)
        try:
            with slack_errors():
                await self._parts.client.api_call("chat.postEphemeral", json=arguments)
        except PlatformError as error:
            _log.warning("word not said", button=by.name, error=type(error).__name__)


def _ts(asked: AcceptedMessage) -> str:
    """Give the time stamp of the question's own message, which its id ends with; a command has none."""
    return "" if asked.is_command else asked.message_id.split(":")[3]
