"""How `triage eval` says follow-ups: as asked, by rules, by the model, or as recorded from it."""

import asyncio
import hashlib
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from bot.prompts import rewrite_prompt_id
from bot.questions.parts import plan_by_rules
from retrieval.errors import EvaluationInvalid
from retrieval.evaluation import LabelledQuestion, as_asked
from retrieval.evaluation.runs import Rewrite
from retrieval.passages import GateScore, GateVerdict
from scripts.gathering import gathered
from scripts.queries import read_rows

if TYPE_CHECKING:
    from bot.bootstrap import Flow
    from bot.flow import Ports
    from bot.messages import Queries
    from bot.ports import AnswerRequest, ChatModel, ModelAnswer, ModelRewrite, RewriteRequest
    from config.settings import Settings


_PATIENCE_S = 60.0


@dataclass(frozen=True, slots=True)
class Rewritten:
    """What was made of one question: further queries, none when it stands alone; or that it is no support question.

    `by` is `model`, `rules` where the model failed, `none` where it was not asked, since nothing is asked of it.
    """

    queries: tuple[str, ...] = ()
    is_off_topic: bool = False
    by: str = "model"


@dataclass(frozen=True, slots=True)
class Recording:
    """Rewrites of all questions in their order, and where they come from."""

    questions: Sequence[LabelledQuestion]
    rewrites: Sequence[Rewritten]
    model: str

    def rewrite(self) -> Rewrite:
        """Give the rewrites as an evaluation takes them."""
        known = {_key(question): one for question, one in zip(self.questions, self.rewrites, strict=True)}

        def give(question: LabelledQuestion) -> Sequence[str]:
            one = known[_key(question)]
            return () if one.is_off_topic else _planned(question, one.queries)

        return give

    def write(self, path: Path) -> None:
        """Write one line a question, with the version of the prompt and the name of the model."""
        prompt = rewrite_prompt_id()
        with path.open("w", encoding="utf-8") as file:
            for question, one in zip(self.questions, self.rewrites, strict=True):
                row = {
                    "id": question.id, "queries": list(one.queries), "off_topic": one.is_off_topic,
                    "by": one.by, "model": self.model, "prompt": prompt,
                    "asked": asked_hash(question),
                }  # fmt: skip
                file.write(json.dumps(row, ensure_ascii=False) + "\n")


def by_rules(question: LabelledQuestion) -> Sequence[str]:
    """Say a follow-up by rules, and search the parts of a question and its thread as the flow does."""
    return plan_by_rules(question.query, question.previous_user_turns)


def _planned(question: LabelledQuestion, further: Sequence[str]) -> Sequence[str]:
    """Search what a model said in the place of the rules' wording; parts and thread are the rules' in both, as in the flow."""
    plan = plan_by_rules(question.query, question.previous_user_turns)
    return replace(plan, queries=(question.query, *further))


def simple_rewrite(kind: str) -> Rewrite | None:
    """Give the rewrite of a name that needs no model, else None."""
    return {"none": as_asked, "rules": by_rules}.get(kind)


def asked_hash(question: LabelledQuestion) -> str:
    """Name a question with its earlier turns by their content, 16 hex digits."""
    return hashlib.sha256(json.dumps(_key(question)[1:]).encode()).hexdigest()[:16]


def _key(question: LabelledQuestion) -> tuple[str, ...]:
    return (question.id, question.query, *question.previous_user_turns)


def replayed(path: Path) -> Rewrite:
    """Give the rewrites of a recorded run; a question without earlier turns that it does not hold is searched as asked.

    Raises:
        RowsInvalid: the file cannot be read.
        EvaluationInvalid: it was recorded with another version of the rewrite prompt. The rewrite itself raises it for
            a follow-up that the file does not hold, or that was another question then.
    """
    check_prompt(path)
    rows = {row.text("id"): row for row in read_rows(path) if "note" not in row.values}

    def replay(question: LabelledQuestion) -> Sequence[str]:
        row = rows.get(question.id)
        if row is None:
            if question.previous_user_turns:
                raise EvaluationInvalid(f"{path}: holds no rewrite of question {question.id!r}")
            return (question.query,)
        if row.values.get("asked", asked_hash(question)) != asked_hash(question):
            raise EvaluationInvalid(f"{row.where}: was recorded for another wording of question {question.id!r}")
        return () if row.values.get("off_topic") is True else _planned(question, row.texts("queries"))

    return replay


def check_prompt(path: Path) -> None:
    """Refuse a recorded run of another version of the rewrite prompt; rows that name no version are somebody's own.

    Raises:
        RowsInvalid: the file cannot be read.
        EvaluationInvalid: the versions differ.
    """
    present = rewrite_prompt_id()
    for row in read_rows(path):
        recorded = row.text("prompt", present)
        if recorded != present:
            raise EvaluationInvalid(
                f"{row.where}: was recorded with the prompt {recorded}, the prompt is {present} now; record it again"
            )


def ask_model(questions: Sequence[LabelledQuestion], settings: "Settings", index_dir: Path) -> Recording:
    """Let the model of the settings rewrite every question, as the flow would.

    Raises:
        EvaluationInvalid: the settings name no model, or it rewrote nothing.
    """
    if not settings.model.is_enabled:
        raise EvaluationInvalid("--rewrite model needs one: set ANTHROPIC_API_KEY or ANTHROPIC_BASE_URL")
    rewrites = asyncio.run(_ask_all(questions, settings, index_dir))
    failed = sum(one.by == "rules" for one in rewrites)
    if failed and not any(one.by == "model" for one in rewrites):
        raise EvaluationInvalid(
            "the model rewrote none of the questions; `triage doctor` tries whether it can be reached"
        )
    if failed:
        print(
            f"triage: {failed} of {len(rewrites)} rewrites are by rules, the model failed",
            file=sys.stderr,
        )
    return Recording(questions, rewrites, settings.model.rewrite_model)


async def _ask_all(questions: Sequence[LabelledQuestion], settings: "Settings", index_dir: Path) -> list[Rewritten]:
    from bot.bootstrap import open_flow

    async with open_flow(settings, index_dir=index_dir) as flow:
        return await gathered("rewrites", questions, lambda question: _ask(question, flow))


async def _ask(question: LabelledQuestion, flow: "Flow") -> Rewritten:
    """Take one question through the stages up to the rewrite."""
    from bot.ends import Ended
    from bot.messages import GatedQuestion, Platform
    from bot.questions.accepting import accept_text, local_thread
    from bot.stages.gate import gate_stage
    from bot.stages.history import history_stage
    from bot.stages.rewrite import rewrite_stage

    assert flow.model is not None
    watched = _Watched(flow.model)
    thread = local_thread(Platform.CONSOLE, "one")
    ports = await _with_turns(question, flow, watched)
    message = accept_text(
        question.query, thread=thread, redactor=flow.redactor, received_at=time.time(), audience=frozenset()
    )
    asked = await history_stage(message, ports=ports)
    if isinstance(asked, Ended):  # thanks, a greeting: nothing is asked
        return Rewritten(by="none")
    gated = await gate_stage(asked, ports=ports)
    if isinstance(gated, Ended):  # counted by the gate's own figure; a recording must also serve another calibration
        gated = GatedQuestion(asked, GateScore(GateVerdict.ANSWER, 0.0))
    queries = await rewrite_stage(gated, ports=ports)
    if isinstance(queries, Ended):
        return Rewritten(is_off_topic=True)
    return Rewritten(_further(queries), by="rules" if watched.has_failed else "model")


async def _with_turns(question: LabelledQuestion, flow: "Flow", model: "ChatModel") -> "Ports":
    """Give the ports with the earlier questions in the thread; what was answered to them is not known here."""
    from bot.messages import MessageId, Outcome, Platform, Turn
    from bot.questions.accepting import local_thread
    from bot.questions.thread_memory import ThreadMemory
    from retrieval.redaction import EMPTY

    memory, ports = ThreadMemory(), flow.pipeline.ports
    now = time.time()
    for number, text in enumerate(question.previous_user_turns):
        said = ports.redact(text)
        turn = Turn(said, EMPTY, (), ports.language_of(said), Outcome.ANSWERED, now)
        await memory.remember(local_thread(Platform.CONSOLE, "one"), turn, message_id=MessageId(str(number)))
    # What is measured is the wording: a slow machine must not turn some of it into that of the rules.
    patient = replace(ports.limits, gate_timeout_s=_PATIENCE_S, rewrite_timeout_s=_PATIENCE_S)
    return replace(ports, threads=memory, model=model, limits=patient)


def _further(queries: "Queries") -> tuple[str, ...]:
    found = dict.fromkeys(str(text) for text in (queries.standalone, *queries.expansions) if text.strip())
    return tuple(text for text in found if text != queries.as_asked)


class _Watched:
    """A `ChatModel` that remembers whether it failed."""

    def __init__(self, model: "ChatModel") -> None:
        self._model = model
        self.has_failed = False

    async def answer(self, request: "AnswerRequest") -> "ModelAnswer":
        return await self._model.answer(request)

    async def rewrite(self, request: "RewriteRequest") -> "ModelRewrite":
        self.has_failed = True  # until it has answered: a call out of time is cancelled
        found = await self._model.rewrite(request)
        self.has_failed = False
        return found

    async def ping(self) -> None:
        await self._model.ping()
