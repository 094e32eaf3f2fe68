"""HTTP deliveries: everything hostile is refused before bolt sees it, since bolt answers 500 to some of it.

The order is size, proof, form: an unsigned sender learns nothing, and costs one hash at most.
"""

import json
import re
from collections.abc import Mapping
from urllib.parse import parse_qsl

from slack_bolt.adapter.starlette.async_handler import to_async_bolt_request, to_starlette_response
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.request.payload_utils import (
    to_action,
    to_command,
    to_event,
    to_message,
    to_options,
    to_shortcut,
    to_step,
    to_view,
)
from slack_sdk.signature import SignatureVerifier
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bot.adapters.slack.app import SlackApp
from bot.adapters.slack.receive import PARSED_BODY
from bot.adapters.web.request_body import BODY_TIMEOUT_S, BodyRefused, read_body

BODY_LIMIT_BYTES = 1024 * 1024
PATHS = ("/slack/events", "/slack/interactivity", "/slack/commands")
_TIMESTAMP = re.compile(r"[0-9]{1,12}")  # `int()` would also take "1_0", " 1" and other scripts' digits
_SIGNATURE = re.compile(r"v0=[0-9a-f]{64}")  # comparing a non-ASCII one raises
_MAX_FIELDS = 200
# Bolt calls these for every listener, whatever it asks for; one that raises would become its 500.
_BOLT_READS = (to_options, to_shortcut, to_action, to_view, to_command, to_event, to_message, to_step)


class _Refused(Exception):
    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


def mount_slack(web: Starlette, slack: SlackApp, *, body_timeout_s: float = BODY_TIMEOUT_S) -> None:
    """Serve Slack's events, interactivity and commands on the application (FastAPI is one).

    A body that is not here after `body_timeout_s` seconds is given up.

    Raises:
        ValueError: the Slack application has no signing secret.
    """
    if not slack.signing_secret:
        raise ValueError("Slack over HTTP needs SLACK_SIGNING_SECRET")
    door = _Door(slack, body_timeout_s)
    web.router.routes.extend(Route(path, door.take, methods=["POST"]) for path in PATHS)


class _Door:
    def __init__(self, slack: SlackApp, body_timeout_s: float) -> None:
        self._body_timeout_s = body_timeout_s
        self._bolt = slack.bolt
        self._verifier = SignatureVerifier(slack.signing_secret)

    async def take(self, request: Request) -> Response:
        """Answer one delivery: 413 too large, 408 too slow, 401 no proof, 400 unreadable, else what the receiver says."""
        try:
            body = await read_body(request, limit_bytes=BODY_LIMIT_BYTES, timeout_s=self._body_timeout_s)
            bolt_request = self._checked(request, body)
        except (BodyRefused, _Refused) as refusal:
            return JSONResponse({"error": str(refusal)}, status_code=refusal.status)
        return to_starlette_response(await self._bolt.async_dispatch(bolt_request))

    def _checked(self, request: Request, body: bytes) -> AsyncBoltRequest:
        try:
            text = body.decode("utf-8")
        except UnicodeDecodeError:
            raise _Refused(400, "the body is not UTF-8") from None
        if not self._is_signed(request, text):
            raise _Refused(401, "invalid request")
        parsed = _parsed(text, request.headers.get("content-type", ""))
        try:
            bolt_request = to_async_bolt_request(request, body, {PARSED_BODY: parsed})
            for read in _BOLT_READS:
                read(bolt_request.body)
        except (TypeError, ValueError, AttributeError, LookupError):  # bolt reads ids without looking at their types
            raise _Refused(400, "the body has not the form of a Slack request") from None
        return bolt_request

    def _is_signed(self, request: Request, text: str) -> bool:
        stamps = request.headers.getlist("x-slack-request-timestamp")
        signatures = request.headers.getlist("x-slack-signature")
        if len(stamps) != 1 or len(signatures) != 1:
            return False
        if not _TIMESTAMP.fullmatch(stamps[0]) or not _SIGNATURE.fullmatch(signatures[0]):
            return False
        return self._verifier.is_valid(text, stamps[0], signatures[0])


def _parsed(text: str, content_type: str) -> Mapping[str, object]:
    """Parse JSON or a form once more than bolt, which takes any form that contains the word "payload" for empty."""
    try:
        if content_type.split(";", maxsplit=1)[0].strip().lower() == "application/json" or text.startswith("{"):
            value: object = json.loads(text)
        else:
            form = dict(parse_qsl(text, keep_blank_values=True, max_num_fields=_MAX_FIELDS))
            value = json.loads(form["payload"]) if "payload" in form else form
    except (ValueError, RecursionError):
        raise _Refused(400, "the body is neither JSON nor a form") from None
    if not isinstance(value, Mapping) or not value:
        raise _Refused(400, "the body is not a JSON object")
    return value
