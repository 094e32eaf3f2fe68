"""Requests for the chat model, as the stages would make them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from bot.adapters.model.chat import AnthropicChat, ChatOptions
from bot.messages import Outcome, Turn
from bot.ports import AnswerRequest, RewriteRequest
from bot.prompts import Prompts
from retrieval.passages import DocumentCard, EvidenceSentence, Passage
from retrieval.redaction import RedactedText, Redactor
from tests.peers.anthropic_api import KEY, AnthropicPeer

CANARY = "zq0123456789abcdef"
QUESTION = "How do I export invoices from billing?"
EXPORT = (
    "Open Settings and choose Billing.",
    "Click Export invoices to get a PDF of the last 24 months.",
    "Only owners can export invoices.",
)
LIMITS = ("The rate limit is 500 requests per minute.", "Retry after the time in the header.")


def sealed(text: str) -> RedactedText:
    return RedactedText.stored(text)


def passage(id_: str = "kb-101", sentences: tuple[str, ...] = EXPORT, **card: Any) -> Passage:
    document = DocumentCard(id_, sealed(card.pop("title", "Export invoices")), **card)
    evidence = tuple(EvidenceSentence(i, sealed(text), 0.8) for i, text in enumerate(sentences))
    return Passage(f"{id_}#0", document, "", evidence, 1.0, 0.8, 0.03, 0.9)


PASSAGES = (passage(), passage("kb-140", LIMITS, title="Rate limits"))


def turn(question: str = "Where are invoices?", answer: str = "Under Billing [1].") -> Turn:
    return Turn(sealed(question), sealed(answer), ("kb-101",), "en", Outcome.ANSWERED, 0.0)


def answer_request(question: str = QUESTION, **changes: Any) -> AnswerRequest:
    given: dict[str, Any] = {"language": "en", "turns": (), "passages": PASSAGES, "timeout_s": 5.0} | changes
    return AnswerRequest(question=sealed(question), **given)


def rewrite_request(question: str = "And on Android?", **changes: Any) -> RewriteRequest:
    given: dict[str, Any] = {
        "language": "en", "turns": (turn(),), "index_languages": ("en", "uk"), "is_gate_unsure": False, "timeout_s": 5.0,
    }  # fmt: skip
    return RewriteRequest(question=sealed(question), **(given | changes))


@asynccontextmanager
async def opened(options: ChatOptions) -> AsyncIterator[AnthropicChat]:
    chat = AnthropicChat(options, redactor=Redactor(), prompts=Prompts(CANARY))
    await chat.warm()
    try:
        yield chat
    finally:
        await chat.close()


def api_options(peer: AnthropicPeer, **changes: Any) -> ChatOptions:
    """Options with which the peer stands where Anthropic's API is."""
    given: dict[str, Any] = {"api_key": KEY, "api_url": peer.url} | changes
    return ChatOptions(**given)


def local_options(peer: AnthropicPeer, **changes: Any) -> ChatOptions:
    """Options with which the peer is a server of the customer's own."""
    given: dict[str, Any] = {"base_url": peer.url, "answer_model": "small", "rewrite_model": "small"} | changes
    return ChatOptions(**given)
