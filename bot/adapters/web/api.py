"""The HTTP API: ask and search with a bearer token whose labels bound what can be seen."""

import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace

from fastapi import APIRouter, HTTPException
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from bot.adapters.web.request_body import read_json
from bot.answers.answer_json import answer_as_json, ranking_as_json
from bot.messages import AcceptedMessage, Answer, Outcome, Platform
from bot.ports import Clock, PassageSource
from bot.questions.accepting import HARD_LIMIT_BYTES, accept_text, local_thread
from bot.questions.admission import Limits, NoLimits, Verdict, judged, refused
from retrieval.errors import RetrievalError
from retrieval.redaction import Redactor

RETRY_AFTER_S = 5
LIMIT_RETRY_AFTER_S = 60
DEFAULT_CALLER = "default"
DEFAULT_CHANNEL = "local"
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
class ApiCaller:
    """Who holds a token: its name, and the labels that it sees."""

    name: str
    labels: frozenset[str]


@dataclass(frozen=True, slots=True)
class ApiAccess:
    """The tokens of the API and the labels they name; without a token every call is refused.

    `token` and `labels` are those of `TRIAGE_API_TOKEN`; `others` gives further callers by their tokens.
    """

    token: str = field(repr=False)
    labels: frozenset[str]
    others: Mapping[str, ApiCaller] = field(default_factory=dict, repr=False)

    def caller(self, request: Request) -> ApiCaller:
        """Give the caller.

        Raises:
            HTTPException: 401 when the bearer token is missing or wrong, or none is set.
        """
        scheme, _, given = request.headers.get("authorization", "").partition(" ")
        known = {self.token: ApiCaller(DEFAULT_CALLER, self.labels), **self.others}
        right = [who for token, who in known.items() if token and _is_equal(given.strip(), token)]
        if not right or scheme.lower() != "bearer":
            raise HTTPException(401, "a valid bearer token is needed", headers={"WWW-Authenticate": "Bearer"})
        return right[0]


def _is_equal(given: str, token: str) -> bool:
    return secrets.compare_digest(given.encode(), token.encode())


def build_api(
    answer: Answerer,
    source: PassageSource,
    *,
    access: ApiAccess,
    redactor: Redactor,
    clock: Clock,
    limits: Limits | None = None,
) -> APIRouter:
    """Build the routes of the API.

    Args:
        answer: answers one accepted question and remembers the turn.
        source: searched by `/search`.
        access: token and labels.
        redactor: takes personal data out of what is asked.
        clock: time of the question.
        limits: how much one token may ask; no limit when None.
    """
    api = _Api(answer, source, access, redactor, clock, limits or NoLimits())
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
    limits: Limits

    async def ask(self, request: Request) -> Response:
        caller = self.access.caller(request)
        body = await read_json(request, AskBody)
        _refuse_oversize(body.question)
        message = self._accepted(caller, body.question, body.thread, _narrowed(caller.labels, body.audience))
        if await judged(self.limits, message) is Verdict.WELCOME:
            return _answer_response(await self.answer(message))
        return _answer_response(await self.answer(refused(message)), status=429)

    async def search(self, request: Request) -> Response:
        caller = self.access.caller(request)
        body = await read_json(request, SearchBody)
        _refuse_oversize(body.query)
        message = self._accepted(caller, body.query, None, _narrowed(caller.labels, body.audience))
        if await judged(self.limits, message) is not Verdict.WELCOME:
            raise HTTPException(429, "this token asks too much", headers={"Retry-After": str(LIMIT_RETRY_AFTER_S)})
        query, audience = message.text, frozenset(message.audience)
        try:
            ranking = await self.source.search((query,), audience=audience, top_k=body.top_k)
        except RetrievalError:
            headers = {"Retry-After": str(RETRY_AFTER_S)}
            raise HTTPException(503, "the index cannot be searched", headers=headers) from None
        return JSONResponse(ranking_as_json(query, ranking))

    def _accepted(self, caller: ApiCaller, text: str, thread: str | None, audience: frozenset[str]) -> AcceptedMessage:
        # Threads of two tokens are two, whatever their names: what one has been told the other may not see.
        channel = DEFAULT_CHANNEL if caller.name == DEFAULT_CALLER else f"token:{caller.name}"
        message = accept_text(
            text,
            thread=local_thread(Platform.HTTP, thread or secrets.token_hex(12), channel_id=channel),
            redactor=self.redactor,
            received_at=self.clock.now(),
            audience=audience,
        )
        return replace(message, user_id=caller.name)


def _answer_response(found: Answer, status: int = 200) -> Response:
    """Give the answer object: 503 when it could not be looked up, `status` else; both with the time to wait."""
    status = 503 if found.outcome is Outcome.UNAVAILABLE else status
    wait_s = {503: RETRY_AFTER_S, 429: LIMIT_RETRY_AFTER_S}.get(status)
    headers = None if wait_s is None else {"Retry-After": str(wait_s)}
    return JSONResponse(answer_as_json(found), status_code=status, headers=headers)


def _narrowed(labels: frozenset[str], wanted: list[str] | None) -> frozenset[str]:
    """A caller may ask for fewer labels than the token names, never for more."""
    return labels if wanted is None else labels & frozenset(wanted)


def _refuse_oversize(text: str) -> None:
    if len(text.encode("utf-8", "replace")) > HARD_LIMIT_BYTES:
        raise HTTPException(413, f"the question is larger than {HARD_LIMIT_BYTES} bytes")
