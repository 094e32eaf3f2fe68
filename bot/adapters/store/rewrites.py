"""A chat model whose rewrites are kept in Redis for an hour: a question taken over by another worker is rewritten once."""

import contextlib
import hashlib
import json
from typing import Final

from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import Keyspace
from bot.errors import StateUnavailable
from bot.messages import Usage
from bot.ports import AnswerRequest, ChatModel, ModelAnswer, ModelRewrite, RewriteRequest
from bot.prompts import rewrite_prompt_id
from retrieval.redaction import RedactedText

# Longer than a retry of the platform or a take-over takes. Whatever is forgotten, all kept rewrites go at once.
REWRITE_TTL_S: Final = 3_600


class KeptRewrites:
    """A `ChatModel` before another one. Redis out of reach costs the saving only.

    A kept rewrite serves the same question after the same turns, for the same model, languages and version of the prompt;
    the key is a hash of them, the value holds redacted texts only.

    Args:
        model: the model asked when nothing is kept.
        link: the Redis of history.
        keys: names of its keys.
        model_name: of the model that rewrites.
    """

    def __init__(self, model: ChatModel, link: RedisLink, keys: Keyspace, *, model_name: str) -> None:
        self._model = model
        self._link = link
        self._keys = keys
        self._forgettings = keys.of_all("forgettings")
        self._version = f"{model_name} {rewrite_prompt_id()}"

    async def answer(self, request: AnswerRequest) -> ModelAnswer:
        """Answer as the model does; an answer is never kept."""
        return await self._model.answer(request)

    async def rewrite(self, request: RewriteRequest) -> ModelRewrite:
        """Give what was kept, at no cost; else ask the model.

        Raises:
            ChatModelError: as the model.
        """
        key = self._keys.of_subject(_hash(self._version, request), "rewrite")
        try:
            value, forgettings = await self._link.many([("GET", key), ("GET", self._forgettings)])
        except StateUnavailable:
            return await self._model.rewrite(request)
        kept = _read(value)
        if kept is not None:
            return kept
        found = await self._model.rewrite(request)
        with contextlib.suppress(StateUnavailable):
            await self._keep(key, found, forgettings)
        return found

    async def _keep(self, key: str, found: ModelRewrite, forgettings: object) -> None:
        """Keep a rewrite, unless something was forgotten while the model worked: it may be of that thread.

        Written before the counter is read: a forgetting that begins after this read finds the key by itself.
        """
        await self._link.execute("SET", key, _written(found), "EX", REWRITE_TTL_S)
        if await self._link.execute("GET", self._forgettings) != forgettings:
            await self._link.execute("DEL", key)

    async def ping(self) -> None:
        """Raise when the model is out of reach."""
        await self._model.ping()


def _hash(version: str, request: RewriteRequest) -> str:
    turns = [(str(turn.question), str(turn.answer)) for turn in request.turns]
    told = (version, request.question, request.language, turns, request.index_languages, request.is_gate_unsure)
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:32]


def _written(found: ModelRewrite) -> str:
    return json.dumps(
        {
            "standalone": str(found.standalone),
            "expansions": [str(text) for text in found.expansions],
            "off_topic": found.is_off_topic,
        },
        ensure_ascii=False,
    )


def _read(value: object) -> ModelRewrite | None:
    if not isinstance(value, str | bytes):
        return None
    try:
        row = json.loads(value)
        return ModelRewrite(
            RedactedText.stored(str(row["standalone"])),
            tuple(RedactedText.stored(str(text)) for text in row["expansions"]),
            bool(row["off_topic"]),
            Usage(),
        )
    except (ValueError, KeyError, TypeError):  # of another version
        return None
