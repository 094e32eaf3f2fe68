"""A loopback Slack: Web API, Socket Mode and response URLs, with the checks and refusals of the real one.

Checked: token, known and open channels, text and block limits, metadata form. Faults: any status, error or
silence after success, a given number of times.
"""

import asyncio
import itertools
import json
from collections.abc import Callable
from types import TracebackType
from typing import Self

from aiohttp import WSMsgType, web

from tests.peers.slack_blocks import refusal_of_blocks, refusal_of_post
from tests.peers.slack_history import HistoryApi
from tests.peers.slack_more import MoreOfSlack
from tests.peers.slack_payloads import ANA, BEN, BOT, BOT_ID, CHANNEL, DIRECT, TEAM, Json
from tests.peers.slack_posts import Fault, Post, arguments_of, post_of
from tests.peers.slack_streams import StreamsApi
from tests.peers.slack_views import ViewsApi

BOT_TOKEN, APP_TOKEN, CONFIG_TOKEN = "xoxb-peer-token", "xapp-peer-token", "xoxe.xoxp-peer-token"
_RESPONSE_URL_USES = 5


class SlackPeer(MoreOfSlack, ViewsApi, StreamsApi, HistoryApi):
    """The server; use as an async context manager."""

    bot_token = BOT_TOKEN

    def __init__(self) -> None:
        MoreOfSlack.__init__(self)
        ViewsApi.__init__(self)
        StreamsApi.__init__(self)
        self.channels: dict[str, Json] = {CHANNEL: {}, "C0DEV": {}, "G0PRV": {}, "C0EXT": {}, DIRECT: {}}
        self.people: dict[str, Json] = {ANA: {}, BEN: {}, BOT: {}}
        self.groups: dict[str, list[str]] = {}
        self.posts: list[Post] = []
        self.said: list[Json] = []  # what people wrote, as events
        self.ephemerals: list[Post] = []
        self.responses: list[Json] = []
        self.calls: list[str] = []
        self.faults: dict[str, Fault] = {}
        self.after: dict[str, Callable[[], None]] = {}
        self.acks: dict[str, Json] = {}
        self.envelopes = itertools.count(1)
        self.sockets: list[web.WebSocketResponse] = []
        self.is_mute = False
        self._acked: dict[str, asyncio.Event] = {}
        self._connected = asyncio.Event()
        self._ended = asyncio.Event()
        self._response_uses: dict[str, int] = {}
        self._runner: web.AppRunner | None = None
        self.port = 0

    async def __aenter__(self) -> Self:
        app = web.Application()
        app.router.add_route("*", "/api/{method}", self._api)
        app.router.add_get("/socket", self._socket)
        app.router.add_post("/response/{id}", self._response)
        app.router.add_get("/files-pri/{name}/download/file", self.serve_file)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.port = self._runner.addresses[0][1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        await self.close_sockets()
        if self._runner is not None:
            await self._runner.cleanup()

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/api/"

    def response_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/response/{next(self.envelopes)}"

    def thread(self, root: str) -> list[Post]:
        """Give what stands in a thread below its root, without what is still being streamed."""
        return [post for post in self.posts if post.thread_ts == root and not post.is_streaming]

    # Socket Mode

    async def connected(self) -> None:
        """Wait until a client has opened a socket."""
        await asyncio.wait_for(self._connected.wait(), 60)

    async def deliver(
        self, payload: Json, *, kind: str = "events_api", retry: int = 0, wait_s: float = 30, socket: int = -1
    ) -> Json | None:
        """Send an envelope over one socket, the newest unless told; give its acknowledgement, None when there was none in time."""
        envelope_id = f"env-{next(self.envelopes)}"
        event = self._acked[envelope_id] = asyncio.Event()
        envelope = {
            "envelope_id": envelope_id,
            "payload": payload,
            "type": kind,
            "accepts_response_payload": kind != "events_api",
        }
        if kind == "events_api":
            envelope |= {"retry_attempt": retry, "retry_reason": "timeout" if retry else ""}
        await self.sockets[socket].send_json(envelope)
        try:
            await asyncio.wait_for(event.wait(), wait_s)
        except TimeoutError:
            return None
        return self.acks[envelope_id]

    async def close_sockets(self) -> None:
        """Close every socket from the server's side."""
        self._connected.clear()
        sockets, self.sockets = self.sockets, []
        for socket in sockets:
            await socket.close()

    async def refresh(self) -> None:
        """Tell the client that its connection will be replaced."""
        self._connected.clear()
        await self.sockets[-1].send_json({"type": "disconnect", "reason": "refresh_requested", "debug_info": {}})

    async def _socket(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(autoping=False)
        await socket.prepare(request)
        hello = {"type": "hello", "num_connections": 1, "connection_info": {"app_id": "A0APP"}, "debug_info": {}}
        await socket.send_json(hello)
        self.sockets.append(socket)
        self._connected.set()
        try:
            async for frame in socket:
                if frame.type is WSMsgType.PING and not self.is_mute:
                    await socket.pong(frame.data)
                elif frame.type is WSMsgType.TEXT:
                    answer = json.loads(frame.data)
                    self.acks[answer["envelope_id"]] = answer
                    self._acked[answer["envelope_id"]].set()
        finally:
            if socket in self.sockets:
                self.sockets.remove(socket)
        return socket

    # Web API

    async def _api(self, request: web.Request) -> web.StreamResponse:
        method = request.match_info["method"]
        self.calls.append(method)
        arguments = await arguments_of(request)
        fault = self.faults.get(method)
        if fault is not None and fault.after > 0:
            fault.after -= 1
        elif fault is not None and fault.times > 0:
            fault.times -= 1
            return await self._faulty(request, method, arguments, fault)
        answer = self._answer(request, method, arguments)
        if method in self.after:
            self.after.pop(method)()
        headers = {"x-oauth-scopes": ",".join(self.scopes)} if self.scopes else {}
        return web.json_response(answer, headers=headers)

    async def _faulty(self, request: web.Request, method: str, arguments: Json, fault: Fault) -> web.StreamResponse:
        if fault.is_done:
            self._answer(request, method, arguments)
        if fault.is_cut and request.transport is not None:
            request.transport.close()
        if fault.is_held:
            await self._ended.wait()
        headers = {"Retry-After": fault.retry_after} if fault.retry_after else {}
        return web.json_response({"ok": False, "error": fault.error}, status=fault.status, headers=headers)

    def _answer(self, request: web.Request, method: str, arguments: Json) -> Json:
        token = request.headers.get("Authorization", "").removeprefix("Bearer ") or arguments.get("token", "")
        wanted = {"apps.connections.open": APP_TOKEN, "apps.manifest.export": CONFIG_TOKEN}.get(method, BOT_TOKEN)
        if not token:
            return {"ok": False, "error": "not_authed"}
        if token != wanted:
            return {"ok": False, "error": "invalid_auth"}
        handler = getattr(self, "_" + method.replace(".", "_"), None)
        return handler(arguments) if handler else {"ok": False, "error": "unknown_method"}

    def _auth_test(self, arguments: Json) -> Json:
        return {"ok": True, "url": "https://home.slack.com/", "team_id": TEAM, "user_id": BOT, "bot_id": BOT_ID}

    def _apps_connections_open(self, arguments: Json) -> Json:
        return {"ok": True, "url": f"ws://127.0.0.1:{self.port}/socket"}

    def _chat_postMessage(self, arguments: Json) -> Json:  # noqa: N802 - the method's own name
        error = refusal_of_post(self.channels, arguments)
        if error:
            return {"ok": False, "error": error}
        post = post_of(arguments)
        self.posts.append(post)
        self.clear_status(post.thread_ts)
        return {"ok": True, "channel": post.channel, "ts": post.ts, "message": {"text": post.text}}

    def _new_post(self, channel: str, thread_ts: str, arguments: Json) -> Post:
        return post_of({**arguments, "channel": channel, "thread_ts": thread_ts})

    def _refusal_of_blocks(self, blocks: list[Json]) -> str:
        return refusal_of_blocks(blocks)

    def _chat_postEphemeral(self, arguments: Json) -> Json:  # noqa: N802
        error = refusal_of_post(self.channels, arguments) or (
            "" if arguments.get("user") in {ANA, BEN, "U0EXT"} else "user_not_in_channel"
        )
        if error:
            return {"ok": False, "error": error}
        self.ephemerals.append(post_of(arguments))
        return {"ok": True, "message_ts": self.ephemerals[-1].ts}

    def _chat_update(self, arguments: Json) -> Json:
        for post in self.posts:
            if post.ts == arguments.get("ts"):
                if post.is_streaming:
                    return {"ok": False, "error": "streaming_state_conflict"}
                post.steps.append(post.shown)
                post.streamed = ""
                post.text, post.blocks = arguments.get("text", ""), arguments.get("blocks") or []
                post.metadata = arguments.get("metadata") or post.metadata
                return {"ok": True, "ts": post.ts, "channel": post.channel}
        return {"ok": False, "error": "message_not_found"}

    def _conversations_info(self, arguments: Json) -> Json:
        if (known := self.channels.get(arguments.get("channel", ""))) is None:
            return {"ok": False, "error": "channel_not_found"}
        facts = {"id": arguments["channel"], "is_ext_shared": False, "is_member": not known.get("is_foreign")}
        return {"ok": True, "channel": {**facts, **known}}

    def _users_info(self, arguments: Json) -> Json:
        names = {ANA: ("ana", "Ana Lima"), BEN: ("Ben", "Ben Kowalski"), BOT: ("Triage", "Triage")}
        if arguments.get("user") not in self.people:
            return {"ok": False, "error": "user_not_found"}
        display, real = names.get(arguments["user"], ("", ""))
        flags = {"is_restricted": False, "is_ultra_restricted": False} | self.people[arguments["user"]]
        profile = {"display_name": display, "real_name": real}
        clock = {"tz": "Europe/Kyiv", "tz_offset": 7200, "locale": "en-GB"}
        return {"ok": True, "user": {"id": arguments["user"], "profile": profile, **clock, **flags}}

    def _usergroups_users_list(self, arguments: Json) -> Json:
        users = self.groups.get(arguments.get("usergroup", ""))
        return {"ok": False, "error": "no_such_subteam"} if users is None else {"ok": True, "users": users}

    def _chat_delete(self, arguments: Json) -> Json:
        kept = [
            post for post in self.posts if (post.channel, post.ts) != (arguments.get("channel"), arguments.get("ts"))
        ]
        if len(kept) == len(self.posts):
            return {"ok": False, "error": "message_not_found"}
        self.posts = kept
        return {"ok": True, "ts": arguments.get("ts"), "channel": arguments.get("channel")}

    def _reactions_add(self, arguments: Json) -> Json:
        return {"ok": True}

    _reactions_remove = _reactions_add

    # response URLs

    async def _response(self, request: web.Request) -> web.Response:
        uses = self._response_uses[request.path] = self._response_uses.get(request.path, 0) + 1
        self.calls.append("response_url")
        fault = self.faults.get("response_url")
        if fault is not None and fault.times > 0:
            fault.times -= 1
            return web.Response(status=fault.status, text=fault.error)
        if uses > _RESPONSE_URL_USES:
            return web.Response(status=404, text="used_url")
        self.responses.append(await request.json())
        return web.Response(text="ok")
