"""Errors of the bot. A star marks what may be tried again.

BotError
├── PlatformError
│   ├── SignatureInvalid       the request was not signed by the platform
│   ├── ReplyRejected          the platform will never take this reply
│   └── PlatformUnavailable *  429, 5xx, no connection; `retry_after_s` when told
├── ChatModelError
│   ├── BudgetSpent            the day's money for the model is spent
│   ├── ChatModelOutputInvalid empty, refused, cut off early, or not readable
│   ├── ChatModelRejected      wrong key, no credit, unknown model, request too large
│   └── ChatModelUnavailable * 429, 5xx, no connection, out of time
├── SourceError
│   ├── SourceRefused          the address of a source is not to be spoken to, or cannot be read
│   └── SourceUnavailable      a source broke off, or refuses the credentials
└── StateUnavailable *         Redis is out of reach
    ├── StateRefused *         Redis answers and refuses: full, its disk full, a replica, no rights
    ├── QueueFull              nothing more is taken in for now
    └── WorkTaken              another worker took this message over; stop working on it
"""

from enum import StrEnum

from bot.messages import Usage


class BotError(Exception):
    """Root of everything that the bot raises on purpose."""


class PlatformError(BotError):
    """Slack or Teams did not do what was asked."""


class SignatureInvalid(PlatformError):
    """The request does not carry the platform's proof."""


class ReplyRejected(PlatformError):
    """The platform will never take this reply; trying again is useless."""


class PlatformUnavailable(PlatformError):
    """The platform is out of reach for now."""

    def __init__(self, message: str, *, retry_after_s: float | None = None) -> None:
        """Keep how long the platform asked us to wait, in seconds."""
        super().__init__(message)
        self.retry_after_s = retry_after_s


class ChatModelError(BotError):
    """The chat model gave nothing that can be used; `usage` is what it was paid for all the same."""

    usage: Usage = Usage()


class BudgetSpent(ChatModelError):
    """The model was not asked: less of the day's budget is left than the call may cost."""


class ChatModelOutputInvalid(ChatModelError):
    """The model answered, but empty, refused, cut off or unreadable."""

    def __init__(self, message: str, *, usage: Usage | None = None) -> None:
        """Keep what the useless answer used."""
        super().__init__(message)
        self.usage = usage or Usage()


class ChatModelRejected(ChatModelError):
    """The model's server will not take this request however often it is sent: key, credit, model name or size."""

    def __init__(self, message: str, *, status: int | None = None) -> None:
        """Keep the HTTP status, None when the request never got that far."""
        super().__init__(message)
        self.status = status


class ChatModelUnavailable(ChatModelError):
    """The model is out of reach or out of time."""


class SourceError(BotError):
    """A source of documents could not be read to its end; the message holds no credential and no address with one."""


class SourceRefused(SourceError):
    """The address cannot be read, leads where nothing may be asked, or the source leads there."""


class SourceUnavailable(SourceError):
    """The source broke off, misses a page, or refuses the credentials."""


class StateUnavailable(BotError):
    """Redis is out of reach; nothing was stored or claimed."""


class Refusal(StrEnum):
    """Why a Redis that answers refuses, in words that go behind "Redis"."""

    FULL = "is full (maxmemory) and takes no writes"
    DISK = "cannot write its own file (disk full?) and takes no writes"
    REPLICA = "is a read-only replica and takes no writes"
    REPLICAS_AWAY = "misses the replicas that it must write to, and takes no writes"
    RIGHTS = "does not let its user do this"
    PASSWORD = "refuses user or password"  # noqa: S105 - a text, no secret
    LOADING = "is still reading its file"


class StateRefused(StateUnavailable):
    """Redis answers and does not do what it was asked; `refusal` says why."""

    def __init__(self, refusal: Refusal) -> None:
        """Keep the reason."""
        super().__init__(f"Redis {refusal}")
        self.refusal = refusal


class QueueFull(StateUnavailable):
    """So much waits already that the question was not stored; the platform delivers it again."""


class WorkTaken(StateUnavailable):
    """Another worker has taken this message over: whatever is still done for it here would be done twice."""
