"""The flow and the chat model, watched: every answer and every failed call is shown to whoever counts them."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from bot.errors import ChatModelError
from bot.messages import AcceptedMessage, Answer
from bot.ports import AnswerRequest, ChatModel, ModelAnswer, ModelRewrite, Responder, RewriteRequest

T = TypeVar("T")


class ObservedResponder:
    """A `Responder` that shows every answer."""

    def __init__(self, responder: Responder, observe: Callable[[AcceptedMessage, Answer], None]) -> None:
        """Answer as the responder does."""
        self._responder = responder
        self._observe = observe

    async def respond(self, message: AcceptedMessage, *, is_stateless: bool = False) -> Answer:
        """Give the answer and show it."""
        answer = await self._responder.respond(message, is_stateless=is_stateless)
        self._observe(message, answer)
        return answer


class ObservedModel:
    """A `ChatModel` that shows the name of every call that failed, and the class of its error."""

    def __init__(self, model: ChatModel, observe: Callable[[str, str], None]) -> None:
        """Call the model."""
        self._model = model
        self._observe = observe

    async def answer(self, request: AnswerRequest) -> ModelAnswer:
        """Answer from the passages only."""
        return await self._watched("answer", self._model.answer(request))

    async def rewrite(self, request: RewriteRequest) -> ModelRewrite:
        """Say the question so that it stands alone."""
        return await self._watched("rewrite", self._model.rewrite(request))

    async def ping(self) -> None:
        """Raise when the model is out of reach."""
        await self._model.ping()

    async def _watched(self, call: str, calling: Awaitable[T]) -> T:
        try:
            return await calling
        except ChatModelError as error:
            self._observe(call, type(error).__name__)
            raise
