"""Why a Redis that answers takes no writes, and what to do: full, disk full, a replica, no rights."""

from redis.exceptions import (
    AuthenticationError,
    BusyLoadingError,
    NoPermissionError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisError,
)

from bot.errors import Refusal

_KINDS: tuple[tuple[type[RedisError], Refusal], ...] = (
    (OutOfMemoryError, Refusal.FULL),
    (ReadOnlyError, Refusal.REPLICA),
    (BusyLoadingError, Refusal.LOADING),
    (NoPermissionError, Refusal.RIGHTS),
    (AuthenticationError, Refusal.PASSWORD),
)
# What has no class of its own, and what a server before version 7 tells from within a script: its code stands anywhere in the text.
_CODES = {
    "MISCONF": Refusal.DISK,
    "OOM": Refusal.FULL,
    "READONLY": Refusal.REPLICA,
    "NOREPLICAS": Refusal.REPLICAS_AWAY,
    "NOPERM": Refusal.RIGHTS,
    "NOAUTH": Refusal.PASSWORD,
    "WRONGPASS": Refusal.PASSWORD,
}


def refusal_of(error: BaseException) -> Refusal | None:
    """Tell why a server refused a command; None when it did not answer, or refused for another reason.

    Args:
        error: what the client raised. Its text is read for a code of the protocol, and never passed on: it may hold a key.
    """
    if not isinstance(error, RedisError):
        return None
    for kind, refusal in _KINDS:
        if isinstance(error, kind):
            return refusal
    said = str(error).replace("-", " ").replace(":", " ").split()
    return next((refusal for code, refusal in _CODES.items() if code in said), None)
