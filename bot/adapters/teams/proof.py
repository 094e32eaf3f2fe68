"""The proof that a request comes from the Bot Connector: its signed token, checked by the SDK's validator."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import jwt

from bot.adapters.teams.sdk import TokenValidator
from bot.adapters.teams.tokens import TeamsCloud
from bot.errors import SignatureInvalid

# Microsoft asks for a refresh of the keys once a day; an unknown key id refreshes them earlier.
KEYS_LIVE_S = 86_400
_FETCH_TIMEOUT_S = 5


class _PatientValidator(TokenValidator):
    """The SDK's validator, which keeps keys for five minutes and waits half a minute for them; ours keep a day."""

    def __init__(self, pattern: TokenValidator) -> None:
        super().__init__(pattern.options)
        self._jwks_client = jwt.PyJWKClient(self.options.jwks_uri, lifespan=KEYS_LIVE_S, timeout=_FETCH_TIMEOUT_S)


class ConnectorProof:
    """Checks issuer, audience, expiry, signature (RS256) and that the token's service URL is the activity's."""

    def __init__(self, *, client_id: str, cloud: TeamsCloud) -> None:
        """Accept tokens for this bot only.

        Raises:
            ValueError: the client id is empty, with which every token would be for somebody else.
        """
        if not client_id:
            raise ValueError("Teams needs CLIENT_ID")
        self._validator = _PatientValidator(TokenValidator.for_service(client_id, cloud=cloud.environment))
        # The SDK fetches keys with a blocking call: it has a thread of its own, one at a time.
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="teams-keys")

    async def check(self, authorization: str, *, service_url: str) -> None:
        """Check the `Authorization` header of a request whose activity names this service URL.

        Raises:
            SignatureInvalid: no bearer token, or any part of the proof is wrong, or the keys cannot be had.
        """
        scheme, _, token = authorization.partition(" ")
        if scheme != "Bearer" or not token.strip() or not service_url:
            raise SignatureInvalid("no bearer token, or no service URL")
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._thread, self._checked, token.strip(), service_url)

    def _checked(self, token: str, service_url: str) -> None:
        try:
            asyncio.run(self._validator.validate_token(token, service_url))
        except (jwt.PyJWTError, ValueError, TypeError, AttributeError) as error:
            # The claims are the sender's: a service URL that is a number breaks the validator with an AttributeError.
            raise SignatureInvalid(f"the token does not hold: {type(error).__name__}") from None

    def close(self) -> None:
        """End the thread."""
        self._thread.shutdown(wait=False, cancel_futures=True)
