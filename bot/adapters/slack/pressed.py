"""One effect for two quick clicks: the second press of a button by the same person does nothing for a moment.

Each press of a double click is an interaction of its own, with its own trigger, and may reach another process.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from slack_bolt.response import BoltResponse

from bot.adapters.slack.answer_buttons import AGAIN, DRAFT, PERSON, read_ref
from bot.adapters.slack.interact import ACTIONS, Interaction, Serve
from bot.errors import StateUnavailable
from bot.messages import MessageId, ThreadRef

# Two clicks of one hand come within half a second; who closes a window and wants it again takes longer.
MOMENT_S = 2
# What is made in the meantime is on its way: an impatient second press asks for the same.
_ON_ITS_WAY_S: Mapping[str, int] = {DRAFT: 10, PERSON: 10, AGAIN: 10}


class Presses(Protocol):
    """Knows which button was pressed a moment ago. Raises `StateUnavailable` when Redis is out of reach."""

    async def press(self, thread: ThreadRef, message_id: MessageId, name: str, *, for_s: int) -> bool:
        """Take a name for some seconds; False when it is taken."""
        ...

    async def release(self, thread: ThreadRef, name: str) -> None:
        """Give a name back."""
        ...


@dataclass(frozen=True, slots=True)
class PressedOnce:
    """Serves the first press of a button as before, and answers a second one within a moment with a plain 200."""

    presses: Presses

    def guarded(self, table: Mapping[str, Serve]) -> dict[str, Serve]:
        """Give the same table with every button guarded; forms and shortcuts are as they were."""
        return {name: self._guard(serve) for name, serve in table.items()}

    def _guard(self, serve: Serve) -> Serve:
        async def first(by: Interaction) -> BoltResponse | None:
            pressed = read_ref(by.value) if by.kind == ACTIONS else None
            if pressed is None:
                return await serve(by)
            thread, message_id = pressed
            name, for_s = _name(by), _ON_ITS_WAY_S.get(by.name, MOMENT_S)
            if not await self.presses.press(thread, message_id, name, for_s=for_s):
                return None
            try:
                return await serve(by)
            except StateUnavailable:  # nothing came of it: the next press counts
                await self.presses.release(thread, name)
                raise

        return first


def _name(by: Interaction) -> str:
    """Name a press without saying whose it is: the same button of the same answer by the same person."""
    said = f"{by.name}\x00{by.value}\x00{by.user_id}"
    return f"press:{hashlib.sha256(said.encode()).hexdigest()[:32]}"
