"""A bound on what the chat model may cost a day: each call is paid for in advance, and the difference given back."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeVar

import structlog

from bot.errors import BudgetSpent, ChatModelError, ChatModelUnavailable, StateUnavailable
from bot.messages import Turn, Usage
from bot.ports import AnswerRequest, ChatModel, ModelAnswer, ModelRewrite, RewriteRequest

# Sizes of our own words around a question, and of a rewrite; both above what is ever sent or allowed.
PROMPT_BYTES = 8_000
REWRITE_TOKENS = 400
# No tokenizer of the models makes more than one token of two bytes of UTF-8 on support texts (English 4, Chinese 2 to 3).
BYTES_PER_TOKEN = 2
_MILLION = 1_000_000
T = TypeVar("T", ModelAnswer, ModelRewrite)
_log = structlog.get_logger(__name__)


class Budget(Protocol):
    """US dollars of one day, shared by all processes. Raises `StateUnavailable` when Redis is out of reach."""

    async def reserve(self, usd: float) -> bool:
        """Take an amount out of what is left today; False, taking nothing, when less is left."""
        ...

    async def settle(self, *, reserved: float, spent: float) -> None:
        """Put the difference back."""
        ...


@dataclass(frozen=True, slots=True)
class CallPrices:
    """The most that a call can cost: dollars per million tokens of the two models, and the longest answer in tokens."""

    answer: Mapping[str, float]
    rewrite: Mapping[str, float]
    max_tokens: int


class BudgetedModel:
    """A `ChatModel` within a budget.

    A call that died before it said what it used keeps its reservation: it may have been billed. Without Redis no call is
    made, since nobody could count it.
    """

    def __init__(self, model: ChatModel, budget: Budget, prices: CallPrices) -> None:
        """Ask the model as long as the budget has the most that a call can cost."""
        self._model = model
        self._budget = budget
        self._prices = prices

    async def answer(self, request: AnswerRequest) -> ModelAnswer:
        """Answer as the model does.

        Raises:
            BudgetSpent: less is left today than the call may cost.
            ChatModelUnavailable: also when the budget cannot be counted.
        """
        texts = [request.question, *_said(request.turns)]
        texts += [part for passage in request.passages for part in (passage.document.title, passage.heading)]
        texts += [sentence.text for passage in request.passages for sentence in passage.sentences]
        most = _most(texts, self._prices.answer, self._prices.max_tokens)
        return await self._paid(most, lambda: self._model.answer(request))

    async def rewrite(self, request: RewriteRequest) -> ModelRewrite:
        """Say the question so that it stands alone, as the model does; raises as `answer`."""
        most = _most([request.question, *_said(request.turns)], self._prices.rewrite, REWRITE_TOKENS)
        return await self._paid(most, lambda: self._model.rewrite(request))

    async def ping(self) -> None:
        """Raise when the model is out of reach."""
        await self._model.ping()

    async def _paid(self, most: float, call: Callable[[], Awaitable[T]]) -> T:
        try:
            is_paid = await self._budget.reserve(most)
        except StateUnavailable as error:
            raise ChatModelUnavailable("the budget cannot be counted") from error
        if not is_paid:
            raise BudgetSpent("today's budget is spent")
        try:
            said = await call()
        except ChatModelError as error:
            await self._settle(most, error.usage)
            raise
        await self._settle(most, said.usage)
        return said

    async def _settle(self, reserved: float, usage: Usage) -> None:
        if usage.cost_usd is None:  # a kind of token without a price: what was reserved covers it
            return
        try:
            await self._budget.settle(reserved=reserved, spent=usage.cost_usd)
        except StateUnavailable:
            _log.warning("budget not settled")


def _said(turns: tuple[Turn, ...]) -> list[str]:
    return [text for turn in turns for text in (turn.question, turn.answer)]


def _most(texts: list[str], price: Mapping[str, float], most_output: int) -> float:
    size = PROMPT_BYTES + sum(len(text.encode("utf-8", "replace")) for text in texts)
    dearest = max(price.get(kind, 0.0) for kind in ("input", "cached_input", "cache_write"))
    return (size / BYTES_PER_TOKEN * dearest + most_output * price.get("output", 0.0)) / _MILLION
