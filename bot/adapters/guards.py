"""Guards in front of the private listener: only this machine's own browser and tools get through.

A page on the internet can make a browser call a loopback port (DNS rebinding, cross-site forms); a reverse proxy can
expose it by mistake. So the Host must name this machine, an Origin must be our own, and forwarded requests are refused.
"""

import re
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_LOCAL_HOST = re.compile(r"(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?")
_FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via")
_SECURITY_HEADERS = (
    (b"content-security-policy", b"default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-store"),
)


class PrivateOnly:
    """ASGI middleware: 403 unless Host and Origin are this machine's and nobody forwarded the request."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap the application."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Judge the headers, then pass on and add the security headers to the response."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        reason = _refusal(Request(scope))
        if reason:
            await JSONResponse({"error": reason}, status_code=403)(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *_SECURITY_HEADERS]
            await send(message)

        await self._app(scope, receive, send_with_headers)


def _refusal(request: Request) -> str:
    if any(name in request.headers for name in _FORWARDED):
        return "this port does not take forwarded requests"
    if not _LOCAL_HOST.fullmatch(request.headers.get("host", "")):
        return "this port answers only to its loopback address"
    origin = request.headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != request.headers.get("host"):
        return "requests of other pages are refused"
    return ""
