"""What people see in the loopback Slack, and how its calls can fail."""

from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.peers.slack_payloads import Json, next_ts


@dataclass(slots=True)
class Post:
    """Something that people see: in a thread, or only `user` when ephemeral. `steps` is what it showed before, in order."""

    channel: str
    ts: str
    text: str
    thread_ts: str = ""
    user: str = ""
    blocks: list[Json] = field(default_factory=list)
    metadata: Json = field(default_factory=dict)
    raw: Json = field(default_factory=dict)
    streamed: str = ""
    is_streaming: bool = False
    steps: list[str] = field(default_factory=list)

    @property
    def shown(self) -> str:
        """What a client with blocks shows: what was streamed, then the texts of the blocks."""
        return "\n".join(filter(None, (self.streamed, *map(_text_of, self.blocks)))) or self.text


@dataclass(slots=True)
class Fault:
    """How the next calls of a method end.

    `is_done` does the work first: the post stands, the answer is lost. `is_cut` closes the connection, `is_held` never
    answers. The first `after` calls go well.
    """

    status: int = 200
    error: str = ""
    retry_after: str = ""
    is_done: bool = False
    is_cut: bool = False
    is_held: bool = False
    times: int = 1
    after: int = 0


def _text_of(block: Json) -> str:
    text = block.get("text", "")
    return str(text.get("text", "")) if isinstance(text, dict) else str(text)


def post_of(arguments: Json) -> Post:
    """Make a post of what a method was called with."""
    return Post(
        channel=arguments["channel"],
        ts=next_ts(),
        text=arguments.get("text") or "",
        thread_ts=arguments.get("thread_ts") or "",
        user=arguments.get("user") or "",
        blocks=arguments.get("blocks") or [],
        metadata=arguments.get("metadata") or {},
        raw=arguments,
    )


async def arguments_of(request: web.Request) -> dict[str, Any]:
    """Read what a method was called with: JSON, or a form."""
    if request.content_type == "application/json":
        return dict(await request.json())
    form = {name: value for name, value in (await request.post()).items() if isinstance(value, str)}
    return {**form, **dict(request.query)}
