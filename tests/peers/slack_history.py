"""What the loopback Slack tells of channels, threads and messages, page by page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.peers.slack_payloads import BOT, BOT_ID, Json

if TYPE_CHECKING:
    from tests.peers.slack_posts import Post


class HistoryApi:
    """`conversations.history`, `conversations.replies`, `users.conversations` and `chat.getPermalink`."""

    channels: dict[str, Json]
    posts: list[Post]
    said: list[Json]

    def _conversations_replies(self, arguments: Json) -> Json:
        if arguments.get("channel") not in self.channels:
            return {"ok": False, "error": "channel_not_found"}
        rows = self._messages(arguments, thread=arguments.get("ts", ""))
        for root in rows[:1] if len(rows) > 1 and rows[0]["ts"] == arguments.get("ts") else []:
            root |= {"reply_count": len(rows) - 1, "latest_reply": rows[-1]["ts"]}
        return _page(rows, arguments)

    def _conversations_history(self, arguments: Json) -> Json:
        """Give a channel's own messages, newest first; its threads' are not among them, but their roots tell of them."""
        if arguments.get("channel") not in self.channels:
            return {"ok": False, "error": "channel_not_found"}
        everything = self._messages(arguments)
        roots = [row for row in everything if row.get("thread_ts") in {None, row["ts"]}]
        told = []
        for root in reversed(roots):
            replies = [row["ts"] for row in everything if row.get("thread_ts") == root["ts"] != row["ts"]]
            told.append({**root, "reply_count": len(replies), "latest_reply": replies[-1]} if replies else root)
        return _page(told, arguments)

    def _messages(self, arguments: Json, *, thread: str | None = None) -> list[Json]:
        """Give a channel's messages, or those of one thread; the others are not built, since a long run has thousands."""
        with_metadata = str(arguments.get("include_all_metadata")).lower() in {"1", "true"}
        channel, outer = arguments["channel"], {"channel", "channel_type", "event_ts"}
        posts = [p for p in self.posts if p.channel == channel and (thread is None or thread in {p.thread_ts, p.ts})]
        own = [_message(p, with_metadata=with_metadata) for p in posts]
        said = [event for event in self.said if event["channel"] == channel]
        if thread is not None:
            said = [event for event in said if thread in {event.get("thread_ts"), event["ts"]}]
        people = [{k: v for k, v in event.items() if k not in outer} | {"type": "message"} for event in said]
        return sorted((*own, *people), key=lambda row: float(row["ts"]))

    def _users_conversations(self, arguments: Json) -> Json:
        rows = [
            {"id": channel, "is_im": channel.startswith("D"), "is_private": channel.startswith("G"), **fields}
            | ({} if channel.startswith("D") else {"is_ext_shared": bool(fields.get("is_ext_shared"))})
            for channel, fields in self.channels.items()
            if not (fields.get("is_archived") or fields.get("is_foreign"))
        ]
        return _page(rows, arguments, name="channels")

    def _chat_getPermalink(self, arguments: Json) -> Json:  # noqa: N802
        ts = arguments["message_ts"].replace(".", "")
        return {"ok": True, "permalink": f"https://home.slack.com/archives/{arguments['channel']}/p{ts}"}


def _message(p: Post, *, with_metadata: bool) -> Json:
    author = p.raw.get("author", BOT)
    return (
        {"type": "message", "ts": p.ts, "text": p.text, "user": author}
        | ({"thread_ts": p.thread_ts} if p.thread_ts else {})
        | ({"bot_id": p.raw.get("bot_id", BOT_ID)} if author == BOT or "bot_id" in p.raw else {})
        | ({"metadata": p.metadata} if with_metadata and p.metadata else {})
        | ({"streaming_state": "in_progress"} if p.is_streaming else {})
        | p.raw.get("fields", {})
    )


def _page(rows: list[Json], arguments: Json, *, name: str = "messages") -> Json:
    oldest = float(arguments.get("oldest") or 0)
    latest = float(arguments.get("latest") or 9e18)
    rows = [r for r in rows if oldest < float(r.get("ts", oldest + 1)) < latest or r["ts"] == arguments.get("ts")]
    start, limit = int(arguments.get("cursor") or 0), int(arguments.get("limit") or 1000)
    more = str(start + limit) if start + limit < len(rows) else ""
    page = rows[start : start + limit]
    return {"ok": True, name: page, "has_more": bool(more), "response_metadata": {"next_cursor": more}}
