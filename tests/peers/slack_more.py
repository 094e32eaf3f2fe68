"""Further methods of the loopback Slack: people's clocks, views, suggested prompts, files, what an app is granted."""

import itertools
from typing import Any

from aiohttp import web

Json = dict[str, Any]
_PROMPTS = 4


class MoreOfSlack:
    """Mixed into `SlackPeer`, which reaches each method by its name.

    `views` are the open ones by external id, `prompts` what was suggested in which channel, `files` what can be fetched,
    `scopes` what the token was granted, `subscribed` what the app listens to, `is_view_late` makes `views.open` refuse.
    """

    port: int
    bot_token: str

    def __init__(self) -> None:
        self.views: dict[str, Json] = {}
        self.prompts: dict[str, list[Json]] = {}
        self.files: dict[str, tuple[Json, bytes]] = {}
        self.fetched: list[tuple[str, str]] = []
        self.scopes: tuple[str, ...] = ()
        self.subscribed: tuple[str, ...] = ()
        self.is_view_late = False
        self._view_numbers = itertools.count(1)

    def _views_open(self, arguments: Json) -> Json:
        view = arguments.get("view") or {}
        if self.is_view_late:
            return {"ok": False, "error": "expired_trigger_id"}
        if not arguments.get("trigger_id") or len(view.get("title", {}).get("text", "")) > 24:
            return {"ok": False, "error": "invalid_arguments"}
        name = view.get("external_id") or f"V{next(self._view_numbers)}"
        if name in self.views:
            return {"ok": False, "error": "duplicate_external_id"}
        self.views[name] = view
        return {"ok": True, "view": {**view, "id": name}}

    def _views_update(self, arguments: Json) -> Json:
        name = arguments.get("external_id") or arguments.get("view_id") or ""
        if name not in self.views:
            return {"ok": False, "error": "not_found"}
        blocks = arguments["view"]["blocks"]
        if len(blocks) > 100 or any(
            len(b.get("text", {}).get("text", "x")) > 3_000 for b in blocks if b["type"] == "section"
        ):
            return {"ok": False, "error": "invalid_arguments"}
        self.views[name] = arguments["view"]
        return {"ok": True, "view": {**arguments["view"], "id": name}}

    def _assistant_threads_setSuggestedPrompts(self, arguments: Json) -> Json:  # noqa: N802 - the method's own name
        prompts = arguments.get("prompts") or []
        if not 1 <= len(prompts) <= _PROMPTS or any(not (p.get("title") and p.get("message")) for p in prompts):
            return {"ok": False, "error": "invalid_arguments"}
        self.prompts[arguments["channel_id"]] = prompts
        return {"ok": True}

    def add_file(self, name: str, content: bytes, **facts: object) -> Json:
        """Put up a file; give it as it stands in a message."""
        id_ = f"F0{len(self.files):05d}"
        url = f"http://127.0.0.1:{self.port}/files-pri/T0HOME-{id_}/download/file"
        file = {
            "id": id_,
            "name": name,
            "title": name,
            "mimetype": "text/plain",
            "filetype": "text",
            "size": len(content),
            "mode": "snippet",
            "url_private": url,
            "url_private_download": url,
            **facts,
        }
        self.files[id_] = (file, content)
        return file

    def _files_info(self, arguments: Json) -> Json:
        found = self.files.get(arguments.get("file", ""))
        return {"ok": True, "file": found[0]} if found else {"ok": False, "error": "file_not_found"}

    async def serve_file(self, request: web.Request) -> web.Response:
        """Give a file to whoever brings the bot's token; everybody else gets a page to sign in."""
        id_ = request.match_info["name"].partition("-")[2]
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        self.fetched.append((id_, token))
        if token != self.bot_token or id_ not in self.files:
            return web.Response(text="<!DOCTYPE html><html>Sign in</html>", content_type="text/html")
        return web.Response(body=self.files[id_][1], content_type="text/plain")

    def _apps_manifest_export(self, arguments: Json) -> Json:
        return {"ok": True, "manifest": {"settings": {"event_subscriptions": {"bot_events": list(self.subscribed)}}}}

    def _bots_info(self, arguments: Json) -> Json:
        return {"ok": True, "bot": {"id": arguments.get("bot"), "app_id": "A0APP", "name": "triage"}}
