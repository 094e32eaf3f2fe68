"""The machine's clock."""

import time


class SystemClock:
    """Time as the machine tells it."""

    def now(self) -> float:
        """Seconds since the epoch."""
        return time.time()
