"""The HTTP API: ask and search with a bearer token whose labels bound what can be seen."""

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from fastapi import APIRouter, HTTPException
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from bot.accepting import HARD_LIMIT_BYTES, accept_text, local_thread, redact_question
from bot.adapters.request_body import read_json
from bot.answer_json import answer_as_json, ranking_as_json
from bot.messages import AcceptedMessage, Answer, Outcome, Platform
from bot.ports import Clock, PassageSource
from retrieval.errors import RetrievalError
from retrieval.redaction import Redactor

RETRY_AFTER_S = 5
Answerer = Callable[[AcceptedMessage], Awaitable[Answer]]


class AskBody(BaseModel):
    """What `POST /api/v1/ask` takes."""

    model_config = ConfigDict(extra="forbid", strict=True)
    question: str = Field(min_length=1)
    thread: str | None = Field(None, min_length=1, max_length=200)
    audience: list[str] | None = None


class SearchBody(BaseModel):
    """What `POST /api/v1/search` takes."""

    model_config = ConfigDict(extra="forbid", strict=True)
    query: str = Field(min_length=1)
    top_k: int = Field(8, ge=1, le=100)
    audience: list[str] | None = None


@dataclass(frozen=True, slots=True)
class ApiAccess:
    """The token of the API and the labels it names; without a token every call is refused."""

    token: str
    labels: frozenset[str]

    def audience(self, request: Request) -> frozenset[str]:
        """Give the labels of the caller.

        Raises:
            HTTPException: 401 when the bearer token is missing or wrong, or none is set.
        """
        scheme, _, given = request.headers.get("authorization", "").partition(" ")
        is_right = secrets.compare_digest(given.strip().encode(), self.token.encode())
        if not self.token or scheme.lower() != "bearer" or not is_right:
            raise HTTPException(401, "a valid bearer token is needed", headers={"WWW-Authenticate": "Bearer"})
        return self.labels


def build_api(
    answer: Answerer, source: PassageSource, *, access: ApiAccess, redactor: Redactor, clock: Clock
) -> APIRouter:
    """Build the routes of the API.

    Args:
        answer: answers one accepted question and remembers the turn.
        source: searched by `/search`.
        access: token and labels.
        redactor: takes personal data out of what is asked.
        clock: time of the question.
    """
    api = _Api(answer, source, access, redactor, clock)
    router = APIRouter(prefix="/api/v1")
    router.add_api_route("/ask", api.ask, methods=["POST"])
    router.add_api_route("/search", api.search, methods=["POST"])
    return router


@dataclass(frozen=True, slots=True)
class _Api:
    answer: Answerer
    source: PassageSource
    access: ApiAccess
    redactor: Redactor
    clock: Clock

    async def ask(self, request: Request) -> Response:
        labels = self.access.audience(request)
        body = await read_json(request, AskBody)
        _refuse_oversize(body.question)
        message = accept_text(
            body.question,
            thread=local_thread(Platform.HTTP, body.thread or secrets.token_hex(12)),
            redactor=self.redactor,
            received_at=self.clock.now(),
            audience=_narrowed(labels, body.audience),
        )
        return _answer_response(await self.answer(message))

    async def search(self, request: Request) -> Response:
        labels = self.access.audience(request)
        body = await read_json(request, SearchBody)
        _refuse_oversize(body.query)
        query = redact_question(body.query, self.redactor).text
        audience = _narrowed(labels, body.audience)
        try:
            ranking = await self.source.search((query,), audience=audience, top_k=body.top_k)
        except RetrievalError:
            headers = {"Retry-After": str(RETRY_AFTER_S)}
            raise HTTPException(503, "the index cannot be searched", headers=headers) from None
        return JSONResponse(ranking_as_json(query, ranking))


def _answer_response(found: Answer) -> Response:
    is_away = found.outcome is Outcome.UNAVAILABLE
    headers = {"Retry-After": str(RETRY_AFTER_S)} if is_away else None
    return JSONResponse(answer_as_json(found), status_code=503 if is_away else 200, headers=headers)


def _narrowed(labels: frozenset[str], wanted: list[str] | None) -> frozenset[str]:
    """A caller may ask for fewer labels than the token names, never for more."""
    return labels if wanted is None else labels & frozenset(wanted)


def _refuse_oversize(text: str) -> None:
    if len(text.encode("utf-8", "replace")) > HARD_LIMIT_BYTES:
        raise HTTPException(413, f"the question is larger than {HARD_LIMIT_BYTES} bytes")
