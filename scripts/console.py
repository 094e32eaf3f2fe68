"""One question on the console: through the whole flow, and printed for a person."""

import sys
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.answers.answer_json import answer_as_json
from bot.answers.notice_order import notices_above, notices_below
from bot.audit import AuditTrail, NoAudit
from bot.bootstrap import Flow, State, build_redactor, open_flow, open_state, private_folder
from bot.bootstrap.gaps import noting_gaps, noting_gaps_late
from bot.bootstrap.index_age import outdated_note
from bot.bootstrap.trust import audit_file, audited, build_audit
from bot.errors import StateUnavailable
from bot.messages import Answer, Platform
from bot.ports import Responder
from bot.questions.accepting import accept_text, local_thread
from bot.questions.direct_door import DirectDoor
from bot.texts import say
from config.logs import configure_logs
from config.settings import Settings
from retrieval.errors import IndexMissing
from retrieval.index import read_manifest
from scripts.output import json_line

DEFAULT_AUDIENCE = "public,internal"


@dataclass(frozen=True, slots=True)
class Console:
    """A door for questions typed here."""

    door: DirectDoor
    flow: Flow
    audience: frozenset[str]

    async def ask(self, question: str, thread_id: str) -> Answer:
        """Ask one question in a thread."""
        message = accept_text(
            question,
            thread=local_thread(Platform.CONSOLE, thread_id),
            redactor=self.flow.redactor,
            received_at=time.time(),
            audience=self.audience,
        )
        return await self.door.answer(message)


@asynccontextmanager
async def open_console(
    settings: Settings, *, index_dir: Path | None, audience: str, has_history: bool, has_gaps: bool = True
) -> AsyncIterator[Console]:
    """Open the flow; Redis only when the conversation is kept, or at the first question without an answer (`has_gaps`).

    Raises:
        RetrievalError: the index cannot be served; when there is none the message says how to make it.
    """
    _require_index(index_dir or settings.retrieval.index_dir)
    labels = frozenset(label.strip() for label in audience.split(",") if label.strip())
    async with AsyncExitStack() as stack:
        state = None
        if has_history or settings.limits.daily_budget_usd is not None:
            data_dir = private_folder(settings.retrieval)
            try:
                state = await stack.enter_async_context(open_state(settings.server, data_dir))
            except StateUnavailable as error:  # costs the history, as a Redis at REDIS_URL that is away does
                print(f"triage: {error}; answering without the conversation so far", file=sys.stderr)
        if note := outdated_note(index_dir or settings.retrieval.index_dir, build_redactor(settings.retrieval)):
            print(f"triage: {note}", file=sys.stderr)
        flow = await stack.enter_async_context(open_flow(settings, index_dir=index_dir, state=state))
        responder = audited(
            _noting(flow, settings, state, stack) if has_gaps else flow.pipeline, _audit_trail(settings), state
        )
        yield Console(DirectDoor(responder, state.threads if state and has_history else None), flow, labels)


def _noting(flow: Flow, settings: Settings, state: State | None, stack: AsyncExitStack) -> Responder:
    if state is not None:
        return noting_gaps(flow.pipeline, settings.retention, state)

    async def open_late() -> State:
        return await stack.enter_async_context(open_state(settings.server, private_folder(settings.retrieval)))

    return noting_gaps_late(flow.pipeline, settings.retention, open_late)


def _audit_trail(settings: Settings) -> AuditTrail:
    """Give the audit log; one that cannot be written is told once and costs no answer."""
    if settings.retention.audit == "file":
        try:
            audit_file(settings.retention, settings.retrieval.data_dir).check()
        except OSError as error:
            folder = settings.retrieval.data_dir
            print(
                f"triage: the audit log in {folder} cannot be written ({error.strerror}); answering without it",
                file=sys.stderr,
            )
            return NoAudit()
    return build_audit(settings, sys.stderr)


def quiet_logs(settings: Settings) -> None:
    """Show answers, not events: unless another level was asked for, the log of a console is for faults."""
    level = settings.server.log_level
    configure_logs("error" if level == "info" else level)


def _require_index(folder: Path) -> None:
    try:
        read_manifest(folder)
    except IndexMissing:
        raise IndexMissing(
            f"there is no index in {folder}; make one with `triage index PATH… --out {folder}`"
        ) from None


def as_line(answer: Answer, row_id: str | None = None) -> str:
    """Give the answer object of the public contract on one line, with the row's id first when there is one."""
    head = {} if row_id is None else {"id": row_id}
    return json_line({**head, **answer_as_json(answer)})


def as_text(answer: Answer, *, is_explained: bool = False) -> str:
    """Give the answer for a person: text, notices, sources, where such cases go, and why if asked."""
    lines = [*(f"! {n.text}" for n in notices_above(answer)), str(answer.text)]
    lines += [f"! {notice.text}" for notice in notices_below(answer)]
    if answer.citations:
        lines += ["", f"{say('sources', answer.language)}:", *_sources(answer)]
    if answer.triage is not None:
        lines += _triage(answer)
    if is_explained:
        lines += ["", *_explained(answer)]
    return "\n".join(lines)


def _sources(answer: Answer) -> list[str]:
    lines = []
    for citation in answer.citations:
        facts = [citation.id, citation.title, citation.url or "", citation.updated_at[:10]]
        lines.append(f"  [{citation.n}] " + " · ".join(str(fact) for fact in facts if fact))
    return lines


def _triage(answer: Answer) -> list[str]:
    triage = answer.triage
    assert triage is not None
    basis = ", ".join(triage.basis)
    lines = [f"{say('queue', answer.language)}: {triage.queue} ({triage.confidence:.2f}; {basis})"]
    if triage.next_step:
        lines.append(f"{say('next_step', answer.language)}: “{triage.next_step}” ({triage.basis[0]})")
    return lines


def _explained(answer: Answer) -> list[str]:
    lines = [f"outcome    {answer.outcome} ({answer.mode}, {answer.language}), request {answer.request_id}"]
    if answer.gate is not None:
        lines.append(f"gate       {answer.gate.verdict} {answer.gate.score:.2f}")
    lines += [f"corrected  by {key} (`triage correct list`)" for key in answer.corrections]
    lines += [f"query      {query}" for query in answer.queries]
    for hit in answer.hits:
        mark = "*" if hit.used else " "
        scores = f"bm25 {hit.bm25:6.2f}  cosine {hit.cosine:.3f}  fused {hit.fused:.4f}  relevance {hit.relevance:.2f}"
        lines.append(f"hit      {mark} {scores}  {hit.chunk}  {hit.title}")
    if answer.cut is not None and answer.uncertain_cut is not None:
        lines.append(f"cut        answered from {answer.cut:.2f}, uncertain from {answer.uncertain_cut:.2f}")
    lines.append("time       " + ", ".join(f"{name} {ms:.0f} ms" for name, ms in answer.timings_ms))
    made = answer.provenance
    lines.append(f"made by    index {made.index}, calibration {made.calibration or '-'}, build {made.build}")
    if answer.usage.calls:
        used = answer.usage
        cost = "unknown" if used.cost_usd is None else f"${used.cost_usd:.4f}"
        lines.append(f"model      {made.model}: {used.input_tokens} in, {used.output_tokens} out, cost {cost}")
    return lines
