"""Reads what `--since` may be: a date, a time, or an age."""

import re
import time
from datetime import UTC, datetime

from bot.errors import BotError

_AGE = re.compile(r"(\d{1,6})\s*([smhdw])")
_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800}


class TimeInvalid(BotError):
    """A text is neither a date, a time nor an age."""


def seconds_since(text: str, *, now: float | None = None) -> float:
    """Give the moment that a text names, seconds since the epoch; 0 for an empty text. Without an offset it is UTC.

    Raises:
        TimeInvalid: it is neither a date, a time nor an age.
    """
    text = text.strip()
    if not text:
        return 0.0
    if age := _AGE.fullmatch(text.lower()):
        return max(0.0, (time.time() if now is None else now) - int(age[1]) * _SECONDS[age[2]])
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise TimeInvalid(f"--since {text!r} is neither a date (2026-11-30), a time nor an age (7d, 12h, 2w)") from None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
