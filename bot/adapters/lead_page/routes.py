"""The routes of the lead's page; they live on the private listener only."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import parse_qs

from fastapi import APIRouter, HTTPException
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse, Response

from bot.adapters.lead_page.views import HERE, render_closed, render_door, render_overview
from bot.adapters.web.request_body import BodyRefused, read_body, read_json
from bot.errors import BotError, StateUnavailable
from bot.lead.corrections import CorrectionKind
from bot.lead.findings import Fate, LeadDesk, LeadDoor
from bot.lead.quarantine import LeadVerdict
from retrieval.errors import RetrievalError

_COOKIE = "triage_lead"
_ASSETS = {"lead.css": "text/css", "lead.js": "text/javascript"}
_CLOSED = "open this page by a one-time link: `/kb lead` in Slack, or `triage lead-link` on the machine of the bot"
_FORM_BYTES = 1_024


class LeadDecision(BaseModel):
    """What the page sends."""

    model_config = ConfigDict(extra="forbid", strict=True)
    key: str = Field(pattern=r"^[0-9a-f]{16}$")
    fate: Literal["resolved", "snoozed", "variant", "open"]
    days: int = Field(14, ge=1, le=365)


class LeadCorrection(BaseModel):
    """What the page sends to set a question right."""

    model_config = ConfigDict(extra="forbid", strict=True)
    key: str = Field(pattern=r"^[0-9a-f]{16}$")
    kind: Literal["hide", "pin", "refuse"]
    sources: list[str] = Field(default_factory=list, max_length=20)
    answer: str = Field("", max_length=8_000)


class LeadJudgement(BaseModel):
    """What the page sends about a document that is held back; `content` names what was shown."""

    model_config = ConfigDict(extra="forbid", strict=True)
    id: str = Field(min_length=1, max_length=500)
    content: str = Field(pattern=r"^[0-9a-f]{16}$")
    verdict: Literal["approved", "rejected", "open"]
    note: str = Field("", max_length=500)


class LeadUndo(BaseModel):
    """What the page sends to undo a correction."""

    model_config = ConfigDict(extra="forbid", strict=True)
    key: str = Field(pattern=r"^[0-9a-f]{16}$")


def build_lead_page(desk: LeadDesk, door: LeadDoor) -> APIRouter:
    """Build the routes: the page, decisions, corrections, and the assets."""
    page = _LeadPage(desk, door)
    router = APIRouter()
    router.add_api_route("/lead", page.show, methods=["GET"])
    router.add_api_route("/lead/enter", page.enter, methods=["POST"])
    router.add_api_route("/lead/decide", page.decide, methods=["POST"])
    router.add_api_route("/lead/correct", page.correct, methods=["POST"])
    router.add_api_route("/lead/judge", page.judge, methods=["POST"])
    router.add_api_route("/lead/undo", page.undo, methods=["POST"])
    router.add_api_route("/lead/{name}", page.asset, methods=["GET"])
    return router


@dataclass(frozen=True, slots=True)
class _LeadPage:
    desk: LeadDesk
    door: LeadDoor

    async def show(self, request: Request, link: str = "", owner: str = "") -> Response:
        """Show the page to a session, and a button to who has a link: previews and mail scanners follow links, and press nothing."""
        try:
            if await self.door.is_open(request.cookies.get(_COOKIE, "")):
                return HTMLResponse(render_overview(await self.desk.overview(), owner=owner))
            if await self.door.is_waiting(link):
                return HTMLResponse(render_door(link))
        except (StateUnavailable, RetrievalError) as error:
            raise HTTPException(503, f"the page cannot be made now ({type(error).__name__})") from None
        return HTMLResponse(render_closed(is_spent=bool(link)), status_code=401)

    async def enter(self, request: Request) -> Response:
        """Spend a link for a session."""
        try:
            body = await read_body(request, limit_bytes=_FORM_BYTES)
            session = await self.door.enter(parse_qs(body.decode("utf-8", "replace")).get("link", [""])[0])
        except BodyRefused as refusal:
            raise HTTPException(refusal.status, str(refusal)) from None
        except StateUnavailable:
            raise HTTPException(503, "Redis is out of reach") from None
        if not session:
            return HTMLResponse(render_closed(is_spent=True), status_code=401)
        response = RedirectResponse("../lead", status_code=303)
        is_secure = request.headers.get("origin", "").startswith("https://")
        # Without a path the browser takes the folder of this address, wherever a proxy has put it.
        response.set_cookie(_COOKIE, session, httponly=True, samesite="strict", path=None, secure=is_secure)
        return response

    async def decide(self, request: Request) -> Response:
        try:
            await self._check(request)
            body = await read_json(request, LeadDecision, limit_bytes=4_096)
            await self.desk.decide(body.key, Fate(body.fate), days=body.days)
        except StateUnavailable:
            raise HTTPException(503, "Redis is out of reach") from None
        return JSONResponse({"key": body.key, "fate": body.fate})

    async def correct(self, request: Request) -> Response:
        try:
            await self._check(request)
            body = await read_json(request, LeadCorrection, limit_bytes=32_768)
            kind = CorrectionKind(body.kind)
            undo = await self.desk.correct(body.key, kind, sources=body.sources, answer=body.answer)
        except (StateUnavailable, RetrievalError) as error:
            raise HTTPException(503, f"nothing can be set right now ({type(error).__name__})") from None
        except BotError as error:
            raise HTTPException(422, str(error)) from None
        return JSONResponse({"key": undo, "kind": body.kind})

    async def judge(self, request: Request) -> Response:
        try:
            await self._check(request)
            body = await read_json(request, LeadJudgement, limit_bytes=8_192)
            await self.desk.judge(body.id, body.content, LeadVerdict(body.verdict), note=body.note.strip())
        except (StateUnavailable, RetrievalError) as error:
            raise HTTPException(503, f"not kept, try again ({type(error).__name__})") from None
        except BotError as error:
            raise HTTPException(409, str(error)) from None
        return JSONResponse({"id": body.id, "verdict": body.verdict})

    async def undo(self, request: Request) -> Response:
        try:
            await self._check(request)
            body = await read_json(request, LeadUndo, limit_bytes=4_096)
            await self.desk.undo(body.key)
        except StateUnavailable:
            raise HTTPException(503, "Redis is out of reach") from None
        return JSONResponse({"key": body.key})

    async def asset(self, name: str) -> Response:
        if name not in _ASSETS:
            raise HTTPException(404, "no such file")
        return FileResponse(Path(HERE / name), media_type=_ASSETS[name])

    async def _check(self, request: Request) -> None:
        if not await self.door.is_open(request.cookies.get(_COOKIE, "")):
            raise HTTPException(401, _CLOSED)
