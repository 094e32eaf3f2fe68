"""Where to look for the end of a long thread: Slack gives the oldest of a window of time first, and knows no other order."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.adapters.slack.payload import Payload, text_at

PAGE = 200
WANTED, ENOUGH, _SOME = (
    100,
    40,
    10,
)  # newest messages that a look aims at, that are enough, and that are after a second look
_MOST_WIDER = 2  # looks further back once the very newest are known
_LEAST_S = 1.0
_FITS = 150  # so many as are expected are read at once: an expectation may be wrong by a third


@dataclass(slots=True)
class ThreadEnd:
    """Narrows down, by how densely was written, from when on the newest messages fill a page. Times are epoch seconds.

    `until` is where the thread ends, `run` what was read last without a gap, its end the earliest place to look from;
    `left` messages are expected behind it. `newest` is what is known to reach to the end.
    """

    until: float
    run: list[Payload]
    left: float
    is_whole: bool = True
    newest: list[Payload] = field(default_factory=list)
    is_found: bool = False
    _few_from: float | None = None
    _wider: int = 0

    def look_from(self, *, is_last: bool = False) -> float:
        """Give the time from which to read next; the last look is short if no end was found, so that it finds one.

        Where nothing stands at the end that was looked at, it goes on from where the last page ended.
        """
        low = self._low
        if self._few_from is not None and is_last and not self.newest:
            return low
        if self._few_from is None and is_last:
            return self.until - math.sqrt(_LEAST_S * (self.until - low))
        if self._few_from is None:
            return low if self.left <= _FITS else self.until - (self.until - low) * WANTED / self.left
        span, short = self.until - low, max(self.until - self._few_from, _LEAST_S)
        wanted = short * WANTED / len(self.newest) if self.newest else span
        return self.until - (wanted if wanted < span else math.sqrt(short * span))

    def took(self, begins: float, found: Sequence[Payload], *, is_end: bool) -> None:
        """Take what stands from a time on: up to the end, or the first page of it."""
        follows = begins <= self._low
        self._wider += bool(self.newest)
        if is_end:
            self.newest = [*self.run, *found] if follows else list(found)
            self.is_whole = self.is_whole and follows
            is_enough = len(found) >= (ENOUGH if self._few_from is None else _SOME)
            self.is_found = follows or is_enough or self._wider >= _MOST_WIDER
            self._few_from = begins
            return
        self.is_found = self._wider >= _MOST_WIDER
        self.is_whole = self.is_whole and follows
        self.left = expected(found, begins, self.until) if found else 0.0
        self.run = ([*self.run, *found] if follows else list(found)) or self.run

    @property
    def posts(self) -> tuple[Payload, ...]:
        """Give the newest messages that are known, oldest first."""
        return tuple(self.newest or self.run)

    @property
    def _low(self) -> float:
        return at(self.run[-1])


def expected(page: Sequence[Payload], begins: float, until: float) -> float:
    """Give how many messages stand behind a page, if it goes on as densely."""
    passed = at(page[-1]) - begins
    return len(page) * (until - at(page[-1])) / passed if passed > 0 else float(PAGE)


def at(post: Payload) -> float:
    """Give the time of a message, 0 for a broken one."""
    whole, _, rest = text_at(post, "ts").partition(".")
    return float(f"{whole}.{rest or 0}") if whole.isdecimal() and (rest or "0").isdecimal() else 0.0
