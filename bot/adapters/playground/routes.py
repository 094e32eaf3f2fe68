"""The routes of the playground; they live on the private listener only."""

import secrets
from dataclasses import dataclass
from pathlib import Path

from fastapi import APIRouter, HTTPException
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response

from bot.adapters.playground.views import HERE, render_missing_source, render_page, render_reply, render_source
from bot.adapters.web.api import Answerer
from bot.adapters.web.request_body import read_json
from bot.messages import Platform
from bot.ports import Clock, PassageSource
from bot.questions.accepting import accept_text, local_thread
from retrieval.redaction import Redactor

_COOKIE = "triage_playground"
_ASSETS = {"playground.css": "text/css", "playground.js": "text/javascript", "icon.svg": "image/svg+xml"}


class PlaygroundQuestion(BaseModel):
    """What the page sends."""

    model_config = ConfigDict(extra="forbid", strict=True)
    question: str = Field(min_length=1)
    thread: str = Field(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9-]+$")


@dataclass(frozen=True, slots=True)
class PlaygroundAccess:
    """Who may open the page.

    `key` is empty while the bot serves no platform; afterwards the page opens only by the link with the key that the
    process printed at its start. `audience` are the labels that its reader sees.
    """

    key: str
    audience: frozenset[str]

    def check(self, request: Request) -> None:
        """Refuse a request without the key.

        Raises:
            HTTPException: 401.
        """
        given = request.cookies.get(_COOKIE, "")
        if self.key and not secrets.compare_digest(given.encode(), self.key.encode()):
            raise HTTPException(401, "open the playground by the link that the bot printed when it started")


@dataclass(frozen=True, slots=True)
class Channel:
    """What the page says of the desk: example questions, number of sources, and who words the answers."""

    examples: tuple[str, ...]
    documents: int
    mode: str


def build_playground(
    answer: Answerer,
    source: PassageSource,
    *,
    access: PlaygroundAccess,
    channel: Channel,
    redactor: Redactor,
    clock: Clock,
) -> APIRouter:
    """Build the routes: the page, a question, a source, and the assets."""
    playground = _Playground(answer, source, access, channel, redactor, clock)
    router = APIRouter()
    router.add_api_route("/", playground.page, methods=["GET"])
    router.add_api_route("/playground/ask", playground.ask, methods=["POST"])
    router.add_api_route("/playground/sources/{document_id:path}", playground.show_source, methods=["GET"])
    router.add_api_route("/playground/{name}", playground.asset, methods=["GET"])
    return router


@dataclass(frozen=True, slots=True)
class _Playground:
    answer: Answerer
    source: PassageSource
    access: PlaygroundAccess
    channel: Channel
    redactor: Redactor
    clock: Clock

    async def page(self, request: Request, key: str = "") -> Response:
        wanted = self.access.key
        if wanted and key and secrets.compare_digest(key.encode(), wanted.encode()):
            response = RedirectResponse("/", status_code=303)
            response.set_cookie(_COOKIE, wanted, httponly=True, samesite="strict")
            return response
        self.access.check(request)
        channel = self.channel
        return HTMLResponse(render_page(examples=channel.examples, documents=channel.documents, mode=channel.mode))

    async def ask(self, request: Request) -> Response:
        self.access.check(request)
        body = await read_json(request, PlaygroundQuestion, limit_bytes=512 * 1024)
        message = accept_text(
            body.question,
            thread=local_thread(Platform.HTTP, body.thread, channel_id="playground"),
            redactor=self.redactor,
            received_at=self.clock.now(),
            audience=self.access.audience,
        )
        return HTMLResponse(render_reply(await self.answer(message)))

    async def show_source(self, request: Request, document_id: str) -> Response:
        self.access.check(request)
        found = await self.source.document(document_id, audience=self.access.audience)
        if found is None:
            return HTMLResponse(render_missing_source(), status_code=404)
        return HTMLResponse(render_source(found))

    async def asset(self, name: str) -> Response:
        if name not in _ASSETS:
            raise HTTPException(404, "no such file")
        return FileResponse(Path(HERE / name), media_type=_ASSETS[name])
