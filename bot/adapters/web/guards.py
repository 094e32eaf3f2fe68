"""Guards in front of the private listener: only this machine's own browser and tools get through.

A page on the internet can make a browser call a loopback port (DNS rebinding, cross-site forms); a reverse proxy can
expose it by mistake. So the Host must name this machine, an Origin must be our own, and forwarded requests are refused.
"""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_LOCAL_HOST = re.compile(r"(127\.0\.0\.1|localhost|\[::1\])(:[0-9]{1,5})?", re.IGNORECASE)
# What proxies, load balancers and content networks add; no browser and no tool sends one of these by itself.
_FORWARDED = re.compile(
    r"forwarded|via|x-forwarded(-.+)?|x-(real|client|cluster-client|original-forwarded|envoy-external)-?.*"
    r"|x-original-(host|for|proto|url)|x-appengine-.+|x-azure-.+|cf-.+|cdn-loop|true-client-ip|fastly-client-ip|fly-client-ip"
)
_SECURITY_HEADERS = (
    (b"content-security-policy", b"default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-store"),
)


@dataclass(frozen=True, slots=True)
class OpenedPath:
    """A path that the operator's own proxy may lead to, and the address that browsers know it by (`https://triage.internal`)."""

    path: str
    origin: str

    @property
    def host(self) -> str:
        """Its host, with the port if it has one."""
        return urlsplit(self.origin).netloc.lower()

    def leads_to(self, path: str) -> bool:
        """Whether a request's path is this one or beneath it."""
        return bool(self.origin) and (path == self.path or path.startswith(self.path + "/"))


class PrivateOnly:
    """ASGI middleware: 403 unless Host and Origin are this machine's and nobody forwarded the request."""

    def __init__(self, app: ASGIApp, opened: OpenedPath | None = None) -> None:
        """Wrap the application; what is opened may also come from its own address, through a proxy."""
        self._app = app
        self._opened = opened

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Judge the headers, then pass on and add the security headers to the response."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        reason = _refusal(Request(scope), self._opened)
        if reason:
            await JSONResponse({"error": reason}, status_code=403)(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *_SECURITY_HEADERS]
            await send(message)

        await self._app(scope, receive, send_with_headers)


def _refusal(request: Request, opened: OpenedPath | None) -> str:
    is_opened = opened is not None and opened.leads_to(str(request.scope["path"]))
    other = opened.host if opened is not None and is_opened else ""
    if not is_opened and any(_FORWARDED.fullmatch(name) for name in request.headers):
        return "this port does not take forwarded requests"
    host = request.headers.get("host", "")
    if not (_LOCAL_HOST.fullmatch(host) or (other and host.lower() == other)):
        return "this port answers only to its loopback address"
    if any(
        not (_is_own(origin, host) or (other and _is_own(origin, other)))
        for origin in request.headers.getlist("origin")
    ):
        return "requests of other pages are refused"
    return ""


def _is_own(origin: str, host: str) -> bool:
    try:
        return urlsplit(origin).netloc.lower() == host.lower()
    except ValueError:  # "http://[::1" is no address at all
        return False
