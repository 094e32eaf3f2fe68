"""Names for people that only this installation can make: a keyed hash of their id, the same in every process.

The key lies in Redis beside what is named with it and lives as long: renewed while the bot runs, gone after 30 days
without it, when everything that it named is gone too.
"""

import hashlib
import hmac
import secrets
import time

from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import WORK_TTL_S, Keyspace

RENEW_S = 3_600.0
HEX_DIGITS = 24

KEY = """-- key | new key, ttl
local key = redis.call('GET', KEYS[1])
if not key then
  key = ARGV[1]
  redis.call('SET', KEYS[1], key)
end
redis.call('EXPIRE', KEYS[1], ARGV[2])
return key
"""


class Pseudonyms:
    """Makes the names; asks Redis once an hour."""

    def __init__(self, link: RedisLink, keys: Keyspace) -> None:
        """Keep the key in this Redis."""
        self._link = link
        self._name = keys.of_all("hash-key")
        self._key = ""
        self._good_until = float("-inf")

    async def of(self, user_id: str) -> str:
        """Name a person, 24 hex digits; empty for nobody.

        Raises:
            StateUnavailable: Redis is out of reach and the key is not known yet.
        """
        if not user_id:
            return ""
        if time.monotonic() >= self._good_until:
            self._key = str(await self._link.run(KEY, [self._name], [secrets.token_hex(32), WORK_TTL_S]))
            self._good_until = time.monotonic() + RENEW_S
        return hmac.new(self._key.encode(), user_id.encode("utf-8", "replace"), hashlib.sha256).hexdigest()[:HEX_DIGITS]
