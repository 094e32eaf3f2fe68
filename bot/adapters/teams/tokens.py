"""Tokens of the bot towards the Bot Connector: OAuth client credentials, kept until shortly before they expire.

Source: https://learn.microsoft.com/en-us/azure/bot-service/rest-api/bot-framework-rest-connector-authentication
"""

import asyncio
import time
from dataclasses import dataclass
from urllib.parse import quote

import httpx
from pydantic import SecretStr

from bot.adapters.teams.sdk import PUBLIC, CloudEnvironment, JsonWebToken, with_overrides
from bot.errors import PlatformUnavailable, ReplyRejected

_EARLY_S = 300.0
_TIMEOUT_S = 10.0


@dataclass(frozen=True, slots=True)
class TeamsCloud:
    """Where the Bot Connector's keys, issuer and tokens come from; empty values mean Microsoft's public cloud."""

    openid_metadata_url: str = ""
    token_issuer: str = ""
    login_url: str = ""

    @property
    def environment(self) -> CloudEnvironment:
        """The SDK's form of it."""
        return with_overrides(
            PUBLIC,
            openid_metadata_url=self.openid_metadata_url or None,
            token_issuer=self.token_issuer or None,
            login_endpoint=self.login_url.rstrip("/") or None,
        )


class BotTokens:
    """The SDK's token provider: gets one token and gives it until five minutes before its end."""

    def __init__(self, *, client_id: str, client_secret: SecretStr, tenant_id: str, cloud: TeamsCloud) -> None:
        """Prepare; nothing is asked for until the first post. An empty tenant id means a multi-tenant bot."""
        environment = cloud.environment
        tenant = quote(tenant_id or environment.login_tenant, safe="")
        self._url = f"{environment.login_endpoint}/{tenant}/oauth2/v2.0/token"
        self._scope = environment.bot_scope
        self._client_id = client_id
        self._client_secret = client_secret
        self._lock = asyncio.Lock()
        self._token = ""
        self._good_until = 0.0

    async def get_app_token(
        self,
        scope: str | None = None,
        tenant_id: str | None = None,  # noqa: ARG002 - the SDK's signature; the bot has one home tenant
    ) -> JsonWebToken:
        """Give the bearer token; one tenant only, whatever the SDK asks for.

        Raises:
            PlatformUnavailable: the login service is out of reach.
            ReplyRejected: it refuses the client id or the secret.
        """
        async with self._lock:
            if time.monotonic() >= self._good_until:
                self._token, lives_s = await self._request(scope or self._scope)
                self._good_until = time.monotonic() + max(lives_s - _EARLY_S, 0.0)
            return JsonWebToken(value=self._token)

    async def _request(self, scope: str) -> tuple[str, float]:
        form = {
            "grant_type": "client_credentials",
            "client_id": self._client_id,
            "client_secret": self._client_secret.get_secret_value(),
            "scope": scope,
        }
        try:
            async with httpx.AsyncClient(timeout=_TIMEOUT_S, trust_env=False) as client:
                response = await client.post(self._url, data=form)
                if response.status_code in {400, 401, 403}:
                    raise ReplyRejected(f"the login service refuses the bot's credentials ({response.status_code})")
                response.raise_for_status()
                given = response.json()
                return str(given["access_token"]), float(given.get("expires_in", 0))
        except (httpx.HTTPError, ValueError, KeyError, TypeError) as error:
            raise PlatformUnavailable(f"the login service is out of reach: {type(error).__name__}") from error
