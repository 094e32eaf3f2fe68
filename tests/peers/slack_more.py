"""Further methods of the loopback Slack: people's clocks, suggested prompts, files, what an app is granted."""

from typing import Any

from aiohttp import web

from tests.peers.slack_payloads import BOT_ID

Json = dict[str, Any]
_PROMPTS = 4


class MoreOfSlack:
    """Mixed into `SlackPeer`, which reaches each method by its name.

    `prompts` what was suggested in which channel, `files` what can be fetched,
    `scopes` what the token was granted, `subscribed` what the app listens to.
    """

    port: int
    bot_token: str

    def __init__(self) -> None:
        self.prompts: dict[str, list[Json]] = {}
        self.files: dict[str, tuple[Json, bytes]] = {}
        self.fetched: list[tuple[str, str]] = []
        self.scopes: tuple[str, ...] = ()
        self.subscribed: tuple[str, ...] = ()

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
        given = arguments.get("bot")
        if given == "B0GONE":
            return {"ok": False, "error": "bot_not_found"}
        own = given == BOT_ID
        bot = {"id": given, "app_id": "A0APP" if own else "A0OTHER", "name": "triage" if own else "alerts"}
        return {"ok": True, "bot": {**bot, "deleted": given == "B0DELETED"}}
