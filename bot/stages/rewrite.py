"""Rewrite: what is searched. The question as asked always is; a follow-up also in words that stand alone."""

import asyncio
from dataclasses import replace

from bot.ends import Ended
from bot.errors import ChatModelError
from bot.flow import Ports
from bot.messages import GatedQuestion, Outcome, Part, Queries, Turn
from bot.ports import ModelRewrite, RewriteRequest
from bot.questions.follow_up import in_context, rewrite_rules, sealed
from bot.questions.parts import parts_of
from bot.questions.rewrite_check import checked_rewrite
from retrieval.passages import GateVerdict
from retrieval.redaction import unnumbered

_TURNS = 4
_TURN_CHARACTERS = 300


async def rewrite_stage(gated: GatedQuestion, *, ports: Ports) -> Queries | Ended:
    """Give the queries: by the model when there is one and its rewrite holds, else by rules.

    With a model the questions that the gate was unsure of are decided here; a declined one ends as off-topic.
    """
    by_rules = _by_rules(gated)
    if ports.model is None:
        return by_rules
    try:
        async with asyncio.timeout(ports.time_for(ports.limits.rewrite_timeout_s)):
            rewrite = await ports.model.rewrite(_request(gated, ports))
    except ChatModelError as error:
        return replace(by_rules, usage=error.usage)
    except TimeoutError:
        return by_rules
    if rewrite.is_off_topic and gated.gate.verdict is GateVerdict.ASK:
        return Ended(Outcome.OFF_TOPIC, "off_topic", gated, rewrite.usage)
    return _by_model(rewrite, by_rules, ports)


def _by_rules(gated: GatedQuestion) -> Queries:
    asked, previous = gated.question.text, [turn.question for turn in gated.question.turns]
    _, *wordings = rewrite_rules(asked, previous)
    alone, *further = (sealed(text, asked, *previous) for text in wordings) if wordings else (asked,)
    parts = tuple(
        Part(sealed(part.asked, asked), sealed(part.standalone, asked, *previous)) for part in parts_of(asked, previous)
    )
    return Queries(
        gated,
        asked,
        alone,
        tuple(further),
        parts=parts,
        context=tuple(sealed(text, asked, *previous) for text in in_context(asked, previous)),
    )


def _by_model(rewrite: ModelRewrite, by_rules: Queries, ports: Ports) -> Queries:
    question = by_rules.gated.question
    checked = checked_rewrite(_searched(rewrite), question, language_of=ports.language_of)
    expansions = tuple(ports.redact(text) for text in checked.expansions)
    return replace(
        by_rules,
        standalone=ports.redact(checked.standalone) if checked.standalone else by_rules.standalone,
        expansions=expansions if checked.standalone else (*by_rules.expansions, *expansions),
        usage=rewrite.usage,
    )


def _searched(rewrite: ModelRewrite) -> ModelRewrite:
    """Give the rewrite with plain tokens: the index knows no numbers of threads."""
    expansions = tuple(unnumbered(text) for text in rewrite.expansions)
    return replace(rewrite, standalone=unnumbered(rewrite.standalone), expansions=expansions)


def _request(gated: GatedQuestion, ports: Ports) -> RewriteRequest:
    question, told = gated.question, gated.question.as_told
    return RewriteRequest(
        question=told.text,
        language=question.language,
        turns=tuple(_shortened(turn) for turn in told.turns[-_TURNS // 2 :]),
        index_languages=ports.index_languages,
        is_gate_unsure=gated.gate.verdict is GateVerdict.ASK,
        timeout_s=ports.time_for(ports.limits.rewrite_timeout_s),
    )


def _shortened(turn: Turn) -> Turn:
    return Turn(
        question=turn.question.cut(_TURN_CHARACTERS),
        answer=turn.answer.cut(_TURN_CHARACTERS),
        cited_ids=turn.cited_ids,
        language=turn.language,
        outcome=turn.outcome,
        asked_at=turn.asked_at,
        cost_usd=turn.cost_usd,
    )
