"""`POST /api/messages`: size, form and proof are checked, the question is claimed and enqueued, then acknowledged."""

import json
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from bot.adapters.teams.accept import ActivityReader
from bot.adapters.teams.activity import text_at
from bot.adapters.teams.gone import DeletedActivity, read_gone
from bot.adapters.teams.proof import ConnectorProof
from bot.adapters.web.request_body import BODY_TIMEOUT_S, BodyRefused, read_body
from bot.errors import SignatureInvalid, StateUnavailable
from bot.ports import Intake, Place, Withdrawals

BODY_LIMIT_BYTES = 256 * 1024  # Teams sends at most about 100 KB


def build_teams_door(
    proof: ConnectorProof,
    reader: ActivityReader,
    queue: Intake,
    *,
    withdrawals: Withdrawals | None = None,
    body_timeout_s: float = BODY_TIMEOUT_S,
) -> APIRouter:
    """Build the route.

    It answers 401 without the proof, 400, 408 and 413 for bodies that no Connector sends, 500 while a question cannot be made
    durable (the Connector tries again), and otherwise 200 at once.
    """
    router = APIRouter()

    @router.post("/api/messages")
    async def receive(request: Request) -> Response:
        authorization = request.headers.get("authorization", "")
        try:
            raw = await read_body(request, limit_bytes=BODY_LIMIT_BYTES, timeout_s=body_timeout_s)
        except BodyRefused as refusal:
            return _error(refusal.status, str(refusal))
        if not authorization.startswith("Bearer "):
            return _error(401, "the Bot Connector's token is missing")
        activity = _parsed(raw)
        if activity is None:
            return _error(400, "the body is not an activity")
        try:
            await proof.check(authorization, service_url=text_at(activity, "serviceUrl"))
        except SignatureInvalid:
            return _error(401, "the token is not the Bot Connector's")
        gone = read_gone(activity)
        if gone is not None and withdrawals is not None:
            return await _take_out(gone, withdrawals)
        return await _enqueue(activity, reader, queue)

    return router


async def _take_out(gone: DeletedActivity | Place, withdrawals: Withdrawals) -> Response:
    try:
        if isinstance(gone, Place):
            await withdrawals.leave(gone)
        else:
            await withdrawals.withdraw(gone.message_id, gone.thread)
    except StateUnavailable:
        return _error(500, "it could not be taken out; deliver it again")
    return JSONResponse({}, status_code=200)


async def _enqueue(activity: dict[str, Any], reader: ActivityReader, queue: Intake) -> Response:
    incoming = reader.read(activity)
    if incoming is None:
        return JSONResponse({}, status_code=200)
    try:
        await queue.enqueue(incoming.message, claims=incoming.claims)
    except StateUnavailable:
        return _error(500, "the question could not be stored; deliver it again")
    return JSONResponse({}, status_code=200)


def _parsed(raw: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _error(status: int, reason: str) -> Response:
    return JSONResponse({"error": reason}, status_code=status)
