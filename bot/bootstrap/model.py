"""The chat model built from its settings: watched, within its budget, asked once for a rewrite."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from bot.bootstrap.trust import within_budget
from bot.observed import ObservedModel
from bot.ports import ChatModel
from config.settings import ModelSettings, Settings
from retrieval.redaction import Redactor

if TYPE_CHECKING:
    from bot.adapters.model.chat import AnthropicChat
    from bot.bootstrap.parts import State


def build_model(settings: ModelSettings, redactor: Redactor) -> "AnthropicChat | None":
    """Build the chat model, None in extractive mode."""
    if not settings.is_enabled:
        return None
    from bot.adapters.model.chat import AnthropicChat, ChatOptions

    options = ChatOptions(
        api_key=settings.api_key.get_secret_value() if settings.api_key else None,
        base_url=settings.base_url,
        answer_model=settings.answer_model,
        rewrite_model=settings.rewrite_model,
        citations=settings.citations,
        max_tokens=settings.max_tokens,
        timeout_s=settings.timeout_s,
        prices=settings.prices,
    )
    return AnthropicChat(options, redactor=redactor)


def asked_model(
    model: ChatModel, settings: Settings, state: "State | None", on_error: Callable[[str, str], None] | None
) -> ChatModel:
    """Give the model watched, within its budget, and asked once for a rewrite."""
    watched = ObservedModel(model, on_error) if on_error else model
    return _asked_once(within_budget(watched, settings, state), settings, state)


def _asked_once(model: ChatModel, settings: Settings, state: "State | None") -> ChatModel:
    """Keep rewrites where history is kept; what is kept costs nothing of the budget."""
    if state is None:
        return model
    from bot.adapters.store.rewrites import KeptRewrites

    return KeptRewrites(model, state.link, state.keys, model_name=settings.model.rewrite_model)
