"""One-time links to the lead's page, and the sessions that they open; only hashes of both lie in Redis."""

import hashlib
import secrets

from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import Keyspace

LINK_TTL_S = 15 * 60
# A note in the lead's channel is read after a weekend too.
NOTE_LINK_TTL_S = 3 * 86_400
SESSION_TTL_S = 12 * 3_600


class RedisLeadDoor:
    """Implements `bot.lead.findings.LeadDoor`. Every method raises `StateUnavailable` when Redis is out of reach."""

    def __init__(self, link: RedisLink, keys: Keyspace) -> None:
        """Keep links and sessions in this Redis."""
        self._link = link
        self._keys = keys

    async def make_link(self, ttl_s: int = LINK_TTL_S) -> str:
        """Give the secret of a new link; it opens the page once, within so many seconds."""
        secret = secrets.token_urlsafe(24)
        await self._link.execute("SET", self._key("lead-link", secret), "1", "EX", ttl_s)
        return secret

    async def is_waiting(self, link: str) -> bool:
        """Tell whether a link would open the page, without spending it."""
        return bool(link) and bool(await self._link.execute("EXISTS", self._key("lead-link", link)))

    async def enter(self, link: str) -> str:
        """Give a session for a one-time link; empty when the link was used, has expired or is none."""
        if not link or not await self._link.execute("DEL", self._key("lead-link", link)):
            return ""
        session = secrets.token_urlsafe(24)
        await self._link.execute("SET", self._key("lead-session", session), "1", "EX", SESSION_TTL_S)
        return session

    async def is_open(self, session: str) -> bool:
        """Tell whether a session may look."""
        return bool(session) and bool(await self._link.execute("EXISTS", self._key("lead-session", session)))

    def _key(self, kind: str, secret: str) -> str:
        return self._keys.of_all(f"{kind}:{hashlib.sha256(secret.encode('utf-8', 'replace')).hexdigest()}")
