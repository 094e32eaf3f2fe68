"""The chat model: Anthropic's API, or any server on the customer's own network that speaks its Messages API.

Two ways to bring evidence, since only the API itself knows citations: `search_result` blocks, and numbered sentences
for the others. With `citations="auto"` a server of the customer's own gets numbered sentences from the start, the API
only after it has refused cited sources with 400 or 422; that is then remembered.

A server of the customer's own gets neither `cache_control` nor `tool_choice`, which Ollama does not know, unless its
citations are switched on, and no request goes to any other host. `temperature`, `top_p` and `top_k` are sent to nobody: version 2026-10-21 of the API refuses them.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, Literal

from bot.adapters.model.answer_language import is_other_language
from bot.adapters.model.client import API_URL, Endpoint, MessagesClient, Transport, bounded
from bot.adapters.model.cost import Prices, usage_of
from bot.adapters.model.numbered_sentences import numbered_sources, with_marks, without_numbers
from bot.adapters.model.parts import Parts, ReadPart
from bot.adapters.model.reply import ModelReply, marked_text, read_reply
from bot.adapters.model.request import ModelCall, Source, cited_sources, history, said_around, sources_of
from bot.adapters.model.rewrite_lines import read_rewrite, rewrite_input, translations_for
from bot.adapters.model.stream import CHARACTERS_PER_TOKEN, OnPart
from bot.adapters.model.text import MarkedSentence, sentences_of, without_wrapping
from bot.checks.leak_check import LeakCheck
from bot.errors import ChatModelError, ChatModelOutputInvalid, ChatModelRejected
from bot.messages import DraftSentence, SentenceRef, Usage
from bot.ports import AnswerRequest, ModelAnswer, ModelRewrite, RewriteRequest
from bot.prompts import Prompts, language_line, prompt_id
from retrieval.redaction import RedactedText, Redactor

if TYPE_CHECKING:
    from anthropic.types import MessageParam

ANSWER_RETRIES: Final = 2
# The question can be searched without a rewrite, so a busy server is not asked twice for one.
REWRITE_RETRIES: Final = 0
# A question costs at most three requests: an answer right after a failed rewrite has one retry less.
FRESH_FAILURE_S: Final = 5.0
REWRITE_MAX_TOKENS: Final = 400
KEPT_REWRITES: Final = 100
MOST_SENTENCES: Final = 40
_NO_CITATIONS: Final = (400, 422)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatOptions:
    """Where the model is, what it is called and what it costs.

    `prices` are US dollars per million tokens: model → `input`, `cached_input`, `cache_write`, `output`. `timeout_s`
    is the most that one call may take, retries included; a request's own limit is used when it is shorter. `api_url` is
    where the API itself is, used when there is no `base_url`.
    """

    api_key: str | None = field(default=None, repr=False)
    base_url: str | None = None
    api_url: str = API_URL
    answer_model: str = "claude-opus-5"
    rewrite_model: str = "claude-haiku-5-5"
    citations: Literal["auto", "on", "off"] = "auto"
    max_tokens: int = 900
    timeout_s: float = 25.0
    prices: Prices = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Said:
    """An answer as marked text, what its marks mean, and the prompt that it came from."""

    text: str
    refs: Sequence[SentenceRef]
    prompt: str


class AnthropicChat:
    """A `ChatModel`. Opens nothing before the first call; `close` ends its connections.

    Args:
        options: endpoint, models, limits and prices.
        redactor: seals what the model wrote; its words pass redaction like any other text.
        prompts: system texts with this process's canary; tests set their own.
        transport: sends the requests; by default the SDK's client for the endpoint of the options.
    """

    def __init__(
        self,
        options: ChatOptions,
        *,
        redactor: Redactor,
        prompts: Prompts | None = None,
        transport: Transport | None = None,
    ) -> None:
        self._options = options
        endpoint = Endpoint(options.api_key, options.base_url, options.api_url)
        self._client: Transport = transport or MessagesClient(endpoint)
        self._redactor = redactor
        self._prompts = prompts or Prompts()
        self._leaks = LeakCheck(self._prompts, lambda text: [span.type for span in redactor.redact(text).spans])
        # Who switches citations on for a server of his own has the API behind a gateway there.
        self._is_full_api = options.citations == "on" or not endpoint.is_custom
        self._is_cited = self._is_full_api and options.citations != "off"
        self._failed_at = float("-inf")
        self._rewrites: dict[tuple[str, str], ModelRewrite] = {}

    def leaks(self, text: str) -> bool:
        """Say whether a text gives the prompt, its canary or a disguised value away; for the verify stage (see `LeakCheck`)."""
        return self._leaks(text)

    async def answer(self, request: AnswerRequest) -> ModelAnswer:
        """Answer from the passages; the shorter of the two time limits bounds everything, retries included.

        Raises:
            ChatModelUnavailable: out of reach, overloaded, or out of time.
            ChatModelRejected: key, credit, model name or size.
            ChatModelOutputInvalid: empty, refused, broken off, far too long, in another language, or no evidence given.
        """
        sources = sources_of(request.passages)
        if not sources:
            raise ChatModelOutputInvalid("there is no evidence to answer from")
        async with bounded(min(request.timeout_s, self._options.timeout_s)) as deadline:
            if not self._is_cited:
                return await self._numbered(request, sources, deadline=deadline)
            try:
                return await self._cited(request, sources, deadline=deadline)
            except ChatModelRejected as error:
                if self._options.citations == "on" or error.status not in _NO_CITATIONS:
                    raise
            answer = await self._numbered(request, sources, deadline=deadline)
            self._is_cited = False
            return replace(answer, usage=replace(answer.usage, calls=answer.usage.calls + 1))

    async def rewrite(self, request: RewriteRequest) -> ModelRewrite:
        """Say the question so that it stands alone; off-topic is only ever said of a question the gate was unsure of.

        The same question after the same messages is asked once; the second time costs nothing.

        Raises:
            ChatModelError: as `answer`; `ChatModelOutputInvalid` also when nothing in the reply can be searched.
        """
        system = self._prompts.rewrite(translations=translations_for(request), is_scope_asked=request.is_gate_unsure)
        key = (system, rewrite_input(request))
        known = self._rewrites.get(key)
        if known is not None:
            return replace(known, usage=Usage())
        found = await self._rewritten(request, *key)
        self._rewrites[key] = found
        if len(self._rewrites) > KEPT_REWRITES:
            del self._rewrites[next(iter(self._rewrites))]
        return found

    def forget(self) -> None:
        """Drop the rewrites that are kept: somebody's question may be among them."""
        self._rewrites.clear()

    async def _rewritten(self, request: RewriteRequest, system: str, data: str) -> ModelRewrite:
        messages: list[MessageParam] = [{"role": "user", "content": data}]
        call = ModelCall(self._options.rewrite_model, system, "", messages, REWRITE_MAX_TOKENS)
        try:
            async with bounded(min(request.timeout_s, self._options.timeout_s)) as deadline:
                reply, usage = await self._send(call, deadline=deadline, retries=REWRITE_RETRIES)
        except ChatModelError:
            self._failed_at = time.monotonic()
            raise
        found = read_rewrite("".join(block.text for block in reply.blocks), request, leaks=self._leaks)
        if not found.standalone and not found.is_off_topic:
            raise ChatModelOutputInvalid("the rewrite holds nothing that can be searched", usage=usage)
        return ModelRewrite(
            standalone=self._sealed(found.standalone) if found.standalone else request.question,
            expansions=tuple(self._sealed(text) for text in found.expansions),
            is_off_topic=found.is_off_topic,
            usage=usage,
        )

    async def ping(self) -> None:
        """Raise a `ChatModelError` when the server cannot be reached or does not take the key; costs no tokens."""
        await self._client.ping()

    async def warm(self) -> None:
        """Import the SDK now (1.5 s, on a busy machine 5 s) instead of within the time limit of the first question."""
        await self._client.warm()

    async def close(self) -> None:
        """End the connections."""
        await self._client.close()

    async def _cited(self, request: AnswerRequest, sources: Sequence[Source], *, deadline: float) -> ModelAnswer:
        messages = [*said_around(request.heard), *history(request.turns), *cited_sources(request.question, sources)]
        call = self._answer_call(request, self._prompts.cited, messages, is_cited=True)
        prompt = self._prompt_id("cited", call)

        def read(reply: ModelReply) -> _Said:
            text, refs = marked_text(reply, sources)
            return _Said(without_numbers(without_wrapping(text)), refs, prompt)

        return await self._asked(request, call, read, deadline=deadline)

    async def _numbered(self, request: AnswerRequest, sources: Sequence[Source], *, deadline: float) -> ModelAnswer:
        evidence = numbered_sources(request.question, sources, language=request.language)
        messages = [*said_around(request.heard), *history(request.turns), *evidence.messages]
        call = self._answer_call(request, self._prompts.numbered, messages)
        prompt = self._prompt_id("numbered", call)

        def read(reply: ModelReply) -> _Said:
            text = with_marks(without_wrapping("".join(block.text for block in reply.blocks)), evidence)
            return _Said(text, evidence.refs, prompt)

        return await self._asked(request, call, read, deadline=deadline)

    async def _asked(
        self, request: AnswerRequest, call: ModelCall, read: Callable[[ModelReply], _Said], *, deadline: float
    ) -> ModelAnswer:
        """Ask and read the answer; who waits for its first sentences is shown it while it is written."""

        def read_part(reply: ModelReply) -> ReadPart:
            said = read(reply)
            return said.text, lambda sentence: self._draft(sentence, said.refs), said.prompt

        parts = Parts(request, read_part)
        on_part = parts.add if request.written is not None else None
        reply, usage = await self._send(call, deadline=deadline, retries=self._retries(), on_part=on_part)
        return self._answered(request, read(reply), reply, usage)

    def _answer_call(
        self, request: AnswerRequest, system: str, messages: "list[MessageParam]", *, is_cited: bool = False
    ) -> ModelCall:
        return ModelCall(
            self._options.answer_model,
            system,
            " ".join(filter(None, (language_line(request.language), request.style))),
            messages,
            self._options.max_tokens,
            is_cited=is_cited,
        )

    def _prompt_id(self, name: str, call: ModelCall) -> str:
        return prompt_id(name, call.system, self._prompts.canary)

    def _retries(self) -> int:
        return ANSWER_RETRIES - (time.monotonic() - self._failed_at < FRESH_FAILURE_S)

    async def _send(
        self, call: ModelCall, *, deadline: float, retries: int, on_part: OnPart | None = None
    ) -> tuple[ModelReply, Usage]:
        parameters = call.parameters(is_full_api=self._is_full_api)
        if on_part is None:
            sent = await self._client.send(parameters, deadline=deadline, retries=retries)
        else:
            sent = await self._client.stream(parameters, deadline=deadline, retries=retries, on_part=on_part)
        reply = read_reply(sent.body)
        usage = usage_of(reply.tokens, model=call.model, prices=self._options.prices, calls=sent.calls)
        if not reply.is_answer:
            raise ChatModelOutputInvalid(f"the model gave no answer: {reply.stop_reason}", usage=usage)
        if sum(len(block.text) for block in reply.blocks) > call.max_tokens * CHARACTERS_PER_TOKEN:
            raise ChatModelOutputInvalid("the model wrote far more than it was allowed to", usage=usage)
        return reply, usage

    def _answered(self, request: AnswerRequest, said: _Said, reply: ModelReply, usage: Usage) -> ModelAnswer:
        found = list(sentences_of(said.text))
        if reply.is_cut and found and not found[-1].is_complete:
            found.pop()
        if not found:
            raise ChatModelOutputInvalid("the model's answer holds no complete sentence", usage=usage)
        if is_other_language(" ".join(sentence.text for sentence in found), request.language):
            raise ChatModelOutputInvalid("the model answered in another language than asked", usage=usage)
        return ModelAnswer(
            sentences=tuple(self._draft(sentence, said.refs) for sentence in found[:MOST_SENTENCES]),
            usage=usage,
            model=reply.model or self._options.answer_model,
            prompt=said.prompt,
            is_truncated=reply.is_cut,
        )

    def _draft(self, sentence: MarkedSentence, refs: Sequence[SentenceRef]) -> DraftSentence:
        named = tuple(refs[number] for number in sentence.marks)
        text = self._sealed(sentence.text)
        return DraftSentence(text, named, item=sentence.item, begins_line=sentence.begins_line)

    def _sealed(self, text: str) -> RedactedText:
        return self._redactor.redact(text).text
