"""What a question would have found were it not held back: said to the asker, told to the lead, its text shown to nobody."""

from dataclasses import replace

import structlog

from bot.ends import Ended, queries_of, question_of
from bot.flow import Ports
from bot.messages import Outcome
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
    queries, question = queries_of(ended.reached), question_of(ended.reached)
    if ended.outcome is not Outcome.NO_MATCH or ended.said != _NOT_FOUND or queries is None or question is None:
        return ended
    texts = tuple(dict.fromkeys((queries.as_asked, queries.standalone, *queries.expansions)))
    if any(_ORDERS.intersection(screen_document("", text).reasons) for text in texts):
        return ended
    try:
        held = await ports.passages.held(texts, audience=frozenset(question.message.audience))
    except RetrievalError as error:
        _log.warning("held sources not searched", error=type(error).__name__)
        return ended
    if not held:
        return ended
    _log.warning("a relevant source is held back", documents=list(held), message_id=question.message.message_id)
    return replace(ended, said="held_back", held=held)
