"""History of threads for one run of a command, in its own memory: nothing is stored, no Redis is needed."""

from bot.messages import MessageId, ThreadRef, Turn


class ThreadMemory:
    """A `ThreadStore` that ends with the process."""

    def __init__(self) -> None:
        self._turns: dict[str, dict[MessageId, Turn]] = {}

    async def turns(self, thread: ThreadRef) -> tuple[Turn, ...]:
        """Give the turns of a thread, oldest first."""
        return tuple(self._turns.get(thread.key, {}).values())

    async def remember(self, thread: ThreadRef, turn: Turn, *, message_id: MessageId) -> None:
        """Append a turn once."""
        self._turns.setdefault(thread.key, {}).setdefault(message_id, turn)

    async def ping(self) -> None:
        """Is always there."""
