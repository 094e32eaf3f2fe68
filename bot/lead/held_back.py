"""What a question would have found were it not held back: said to the asker, told to the lead, its text shown to nobody."""

from dataclasses import replace

import structlog

from bot.ends import Ended, Progress, queries_of, question_of
from bot.flow import Ports
from bot.messages import Answer, Notice, NoticeKind, Outcome
from bot.texts import say
from retrieval.errors import RetrievalError
from retrieval.screening import screen_document

# The end that says nothing was found; others with the same outcome (a leak) say nothing of sources.
_NOT_FOUND = "no_match"
# Whoever writes orders to a model learns nothing of what is held back: that his words match it would tell him what to plant.
_ORDERS = frozenset({"override", "asks_for_the_prompt"})
_log = structlog.get_logger(__name__)


async def with_held(ended: Ended, ports: Ports) -> Ended:
    """Give the end of a question, with the ids of relevant documents that wait for a decision when nothing else was found.

    The log names them; the audit row and the metric of the answer count them. A failing search leaves the end as it is, and
    so does a question that is an order to a model itself.
    """
    if ended.outcome is not Outcome.NO_MATCH or ended.said != _NOT_FOUND:
        return ended
    held = await _held(ended.reached, ports)
    return replace(ended, said="held_back", held=held) if held else ended


async def beside_held(answer: Answer, reached: Progress, ports: Ports) -> Answer:
    """Give an answer that is not certain with the remark that a plainer source is held back; any other as it is."""
    if not any(notice.kind is NoticeKind.UNCERTAIN for notice in answer.notices):
        return answer
    held = await _held(reached, ports)
    if not held:
        return answer
    remark = Notice(NoticeKind.UNCERTAIN, (), say("held_back", answer.language))
    return replace(answer, notices=(*answer.notices, remark), held=held)


async def _held(reached: Progress, ports: Ports) -> tuple[str, ...]:
    queries, question = queries_of(reached), question_of(reached)
    if queries is None or question is None:
        return ()
    texts = tuple(dict.fromkeys((queries.as_asked, queries.standalone, *queries.expansions)))
    if any(_ORDERS.intersection(screen_document("", text).reasons) for text in texts):
        return ()
    try:
        held = await ports.passages.held(texts, audience=frozenset(question.message.audience))
    except RetrievalError as error:
        _log.warning("held sources not searched", error=type(error).__name__)
        return ()
    if held:
        _log.warning("a relevant source is held back", documents=list(held), message_id=question.message.message_id)
    return held
