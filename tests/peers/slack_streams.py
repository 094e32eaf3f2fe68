"""Slack's streams and working signs: `chat.startStream`, `appendStream`, `stopStream` and `assistant.threads.setStatus`.

https://docs.slack.dev/reference/methods/chat.startStream
"""

from typing import Any

from tests.peers.slack_payloads import Json

_CHUNK_LIMIT, _STATUS_LIMIT = 12_000, 100


class StreamsApi:
    """Part of the peer; needs its `posts` and `channels`. `statuses` holds what each thread showed, in order."""

    channels: dict[str, Json]
    posts: list[Any]

    def __init__(self) -> None:
        self.statuses: dict[str, list[str]] = {}

    def status(self, thread_ts: str) -> str:
        """Give the working sign that a thread shows now."""
        return (self.statuses.get(thread_ts) or [""])[-1]

    def _chat_startStream(self, arguments: Json) -> Json:  # noqa: N802 - the method's own name
        channel = arguments.get("channel", "")
        if channel not in self.channels:
            return {"ok": False, "error": "channel_not_found"}
        if not arguments.get("thread_ts"):
            return {"ok": False, "error": "invalid_thread_ts"}
        if not channel.startswith("D") and not (
            arguments.get("recipient_user_id") and arguments.get("recipient_team_id")
        ):
            return {"ok": False, "error": "missing_recipient_user_id"}
        text = _text(arguments)
        if text is None:
            return {"ok": False, "error": "invalid_chunks"}
        post = self._new_post(channel, arguments["thread_ts"], arguments)
        post.streamed, post.is_streaming = text, True
        post.steps.append(post.streamed)
        self.posts.append(post)
        return {"ok": True, "channel": channel, "ts": post.ts}

    def _chat_appendStream(self, arguments: Json) -> Json:  # noqa: N802
        return self._streamed(arguments, is_last=False)

    def _chat_stopStream(self, arguments: Json) -> Json:  # noqa: N802
        return self._streamed(arguments, is_last=True)

    def _streamed(self, arguments: Json, *, is_last: bool) -> Json:
        post = next((post for post in self.posts if post.ts == arguments.get("ts")), None)
        text = _text(arguments)
        if post is None:
            return {"ok": False, "error": "message_not_found"}
        if not post.is_streaming:
            return {"ok": False, "error": "message_not_in_streaming_state"}
        if text is None or (not is_last and not text):
            return {"ok": False, "error": "invalid_chunks"}
        refusal = self._refusal_of_blocks(arguments.get("blocks") or [])
        if refusal:
            return {"ok": False, "error": refusal}
        post.streamed += text
        post.steps.append(post.streamed)
        post.raw["chunks"] = [*post.raw.get("chunks", []), *(arguments.get("chunks") or [])]
        if is_last:
            post.is_streaming, post.blocks = False, arguments.get("blocks") or []
            post.metadata = arguments.get("metadata") or {}
            self.clear_status(post.thread_ts)
        return {"ok": True, "channel": post.channel, "ts": post.ts}

    def clear_status(self, thread_ts: str) -> None:
        """Take the working sign away, as Slack does when the app says something in the thread."""
        if self.status(thread_ts):
            self.statuses[thread_ts].append("")

    def _assistant_threads_setStatus(self, arguments: Json) -> Json:  # noqa: N802
        status = arguments.get("status")
        if arguments.get("channel_id") not in self.channels:
            return {"ok": False, "error": "channel_not_found"}
        if not isinstance(status, str) or len(status) > _STATUS_LIMIT or not arguments.get("thread_ts"):
            return {"ok": False, "error": "invalid_arguments"}
        self.statuses.setdefault(arguments["thread_ts"], []).append(status)
        return {"ok": True}

    def _new_post(self, channel: str, thread_ts: str, arguments: Json) -> Any:
        raise NotImplementedError

    def _refusal_of_blocks(self, blocks: list[Json]) -> str:
        raise NotImplementedError


def _text(arguments: Json) -> str | None:
    """Give the text of the chunks, None for chunks that Slack refuses."""
    if "markdown_text" in arguments:
        return str(arguments["markdown_text"])
    chunks = arguments.get("chunks") or []
    texts = [chunk.get("text") for chunk in chunks if chunk.get("type") == "markdown_text"]
    if len(texts) != len(chunks) or any(not isinstance(t, str) or not 0 < len(t) <= _CHUNK_LIMIT for t in texts):
        return None
    return "".join(texts)
