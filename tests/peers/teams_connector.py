"""A loopback Bot Connector: login service, key server and conversations in one, checking what the real ones check."""

import json
import time
from collections import deque
from dataclasses import dataclass, field
from typing import Any, Self

import jwt
from aiohttp import web
from cryptography.hazmat.primitives.asymmetric import rsa

CLIENT_ID = "11111111-aaaa-bbbb-cccc-222222222222"
CLIENT_SECRET = "peer-secret"
TENANT_ID = "33333333-aaaa-bbbb-cccc-444444444444"
ISSUER = "https://api.botframework.peer"
BOT_ID = f"28:{CLIENT_ID}"
CHANNEL = "19:support@thread.tacv2"


@dataclass
class SentActivity:
    """One activity that the bot posted."""

    conversation: str
    body: dict[str, Any]
    id: str


@dataclass
class Fault:
    """One answer to give instead of taking an activity."""

    status: int
    retry_after: str = ""
    is_taken: bool = False  # taken, and the answer lost all the same


@dataclass
class TeamsConnector:
    """The peer. `activities` is what the bot posted, in order; `faults` are played first."""

    activities: list[SentActivity] = field(default_factory=list)
    faults: deque[Fault] = field(default_factory=deque)
    logins: int = 0
    key_fetches: int = 0
    are_keys_away: bool = False
    is_login_away: bool = False
    stands: set[str] = field(default_factory=set)
    deleted_in: set[str] = field(default_factory=set)
    updated: dict[str, str] = field(default_factory=dict)

    async def __aenter__(self) -> Self:
        """Start on a free port."""
        self._key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self._tokens: set[str] = set()
        application = web.Application()
        application.router.add_get("/v1/.well-known/keys", self._keys)
        application.router.add_post("/login/{tenant}/oauth2/v2.0/token", self._login)
        application.router.add_post("/teams/v3/conversations/{conversation}/activities", self._activity)
        application.router.add_delete("/teams/v3/conversations/{conversation}/activities/{id}", self._delete)
        application.router.add_put("/teams/v3/conversations/{conversation}/activities/{id}", self._update)
        self._runner = web.AppRunner(application)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"
        return self

    async def __aexit__(self, *_error: object) -> None:
        """Stop."""
        await self._runner.cleanup()

    @property
    def service_url(self) -> str:
        """The service URL that activities carry."""
        return f"{self.url}/teams/"

    @property
    def openid_url(self) -> str:
        """Where the keys are announced."""
        return f"{self.url}/v1/.well-known/openidconfiguration"

    @property
    def login_url(self) -> str:
        """The login service."""
        return f"{self.url}/login"

    def token(self, **changes: Any) -> str:
        """Sign a token as the Bot Connector does; a change of None leaves a claim out."""
        now = int(time.time())
        claims: dict[str, Any] = {
            "iss": ISSUER,
            "aud": CLIENT_ID,
            "iat": now,
            "nbf": now,
            "exp": now + 3600,
            "serviceurl": self.service_url,
        }
        claims |= changes
        claims = {name: value for name, value in claims.items() if value is not None}
        return jwt.encode(claims, self._key, algorithm="RS256", headers={"kid": "peer-key"})

    def activity(self, text: str, **changes: Any) -> dict[str, Any]:
        """Give a message of Ana in the support channel that mentions the bot, as Teams sends it."""
        number = changes.pop("number", None) or str(int(time.time() * 1000))
        root = changes.pop("root", number)
        is_mention = changes.pop("mention", True)
        mention = {"type": "mention", "text": "<at>Triage Bot</at>", "mentioned": {"id": BOT_ID, "name": "Triage Bot"}}
        body: dict[str, Any] = {
            "type": "message",
            "id": number,
            "channelId": "msteams",
            "serviceUrl": self.service_url,
            "from": {"id": "29:ana", "name": "Ana", "aadObjectId": "ana-aad"},
            "recipient": {"id": BOT_ID, "name": "Triage Bot"},
            "conversation": {
                "id": f"{CHANNEL};messageid={root}",
                "conversationType": "channel",
                "tenantId": TENANT_ID,
                "isGroup": True,
            },
            "channelData": {"tenant": {"id": TENANT_ID}, "team": {"id": "19:team"}, "channel": {"id": CHANNEL}},
            "textFormat": "plain",
            "text": f"<at>Triage Bot</at>&nbsp;{text}" if is_mention else text,
            "entities": [mention] if is_mention else [],
        }
        return body | changes

    async def _keys(self, _request: web.Request) -> web.Response:
        self.key_fetches += 1
        if self.are_keys_away:
            return web.Response(status=503)
        key = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(self._key.public_key()))
        return web.json_response({"keys": [key | {"kid": "peer-key", "use": "sig", "endorsements": ["msteams"]}]})

    async def _login(self, request: web.Request) -> web.Response:
        self.logins += 1
        if self.is_login_away:
            return web.Response(status=503)
        form = await request.post()
        is_right = (form.get("client_id"), form.get("client_secret")) == (CLIENT_ID, CLIENT_SECRET)
        if form.get("grant_type") != "client_credentials" or not is_right or not form.get("scope"):
            return web.json_response({"error": "invalid_client"}, status=401)
        token = jwt.encode({"aud": str(form["scope"]), "n": self.logins}, "a-peer-key-of-thirty-two-bytes-or-more")
        self._tokens.add(token)
        return web.json_response({"access_token": token, "expires_in": 3600, "token_type": "Bearer"})

    async def _delete(self, request: web.Request) -> web.Response:
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme != "Bearer" or token not in self._tokens:
            return web.json_response({"error": {"code": "Unauthorized"}}, status=401)
        if self.faults:
            return web.json_response({"error": {"code": "fault"}}, status=self.faults.popleft().status)
        if request.match_info["id"] not in self.stands:
            return web.json_response({"error": {"code": "ActivityNotFound"}}, status=404)
        self.stands.discard(request.match_info["id"])
        self.deleted_in.add(request.match_info["conversation"])
        return web.Response(status=200)

    async def _update(self, request: web.Request) -> web.Response:
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme != "Bearer" or token not in self._tokens:
            return web.json_response({"error": {"code": "Unauthorized"}}, status=401)
        if self.faults:
            return web.json_response({"error": {"code": "fault"}}, status=self.faults.popleft().status)
        name = request.match_info["id"]
        if name not in self.stands:
            return web.json_response({"error": {"code": "ActivityNotFound"}}, status=404)
        self.updated[name] = (await request.json())["text"]
        return web.json_response({"id": name})

    async def _activity(self, request: web.Request) -> web.Response:
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme != "Bearer" or token not in self._tokens:
            return web.json_response({"error": {"code": "Unauthorized"}}, status=401)
        raw = await request.read()
        body = json.loads(raw)
        if len(raw.decode().encode("utf-16-le")) > 100_000:
            return web.json_response({"error": {"code": "MessageSizeTooBig"}}, status=413)
        fault = self.faults.popleft() if self.faults else None
        if fault is None or fault.is_taken:
            sent = SentActivity(request.match_info["conversation"], body, f"sent-{len(self.activities) + 1}")
            self.activities.append(sent)
            self.stands.add(sent.id)
        if fault is not None:
            headers = {"Retry-After": fault.retry_after} if fault.retry_after else {}
            return web.json_response({"error": {"code": "fault"}}, status=fault.status, headers=headers)
        return web.json_response({"id": sent.id}, status=201)
