"""What Slack sends: deliveries in their wire form, and the signature over them."""

import hashlib
import hmac
import itertools
import json
import time
from typing import Any
from urllib.parse import urlencode

BOT, BOT_ID, TEAM = "U0BOT", "B0BOT", "T0HOME"
ANA, BEN = "U0ANA", "U0BEN"
CHANNEL, DIRECT = "C0SUP", "D0ANA"
SECRET = "8f742231b10e8888abcd99yyyzzz85a5"
_numbers = itertools.count(1)

Json = dict[str, Any]


def next_ts(age_s: float = 0.0) -> str:
    """Give a fresh message time stamp."""
    return f"{int(time.time() - age_s)}.{next(_numbers):06d}"


def event_body(event: Json, **outer: Any) -> Json:
    """Wrap an event as the Events API does."""
    return {
        "token": "verification",
        "team_id": TEAM,
        "context_team_id": TEAM,
        "context_enterprise_id": None,
        "api_app_id": "A0APP",
        "event": event,
        "type": "event_callback",
        "event_id": f"Ev{next(_numbers):08d}",
        "event_time": int(time.time()),
        "authorizations": [
            {"enterprise_id": None, "team_id": TEAM, "user_id": BOT, "is_bot": True, "is_enterprise_install": False}
        ],
        "is_ext_shared_channel": False,
        "event_context": "4-eyJldCI6Im1lc3NhZ2UifQ",
        **outer,
    }


def message(text: str, **fields: Any) -> Json:
    """Give a `message` event of U0ANA in C0SUP."""
    ts = fields.pop("ts", None) or next_ts()
    return {
        "type": "message",
        "client_msg_id": f"6a{next(_numbers)}",
        "user": ANA,
        "text": text,
        "ts": ts,
        "team": TEAM,
        "blocks": [_rich_text(text)],
        "channel": CHANNEL,
        "event_ts": ts,
        "channel_type": "channel",
        **fields,
    }


def mention(text: str, **fields: Any) -> Json:
    """Give an `app_mention` event; `text` without the mention itself."""
    event = message(f"<@{BOT}> {text}".strip(), **fields)
    event.pop("channel_type", None)
    return {**event, "type": "app_mention"}


def direct_message(text: str, **fields: Any) -> Json:
    """Give a `message` event of a direct message."""
    return message(text, **{"channel": DIRECT, "channel_type": "im", **fields})


def twin_of(event: Json) -> Json:
    """Give the `message` event that Slack sends beside an `app_mention` of the same message."""
    return {**event, "type": "message", "channel_type": "channel"}


def command_fields(text: str, **fields: str) -> dict[str, str]:
    """Give the form of a slash command."""
    return {
        "token": "verification",
        "team_id": TEAM,
        "team_domain": "home",
        "channel_id": CHANNEL,
        "channel_name": "support",
        "user_id": ANA,
        "user_name": "ana",
        "command": "/kb",
        "text": text,
        "api_app_id": "A0APP",
        "is_enterprise_install": "false",
        "response_url": "https://hooks.slack.com/commands/T0HOME/1/abc",
        "trigger_id": f"{next(_numbers)}.2.abcdef",
        **fields,
    }


def sign(body: bytes, *, secret: str = SECRET, timestamp: str | None = None) -> dict[str, str]:
    """Give the headers that prove the body, as https://docs.slack.dev/authentication/verifying-requests-from-slack/ says."""
    stamp = str(int(time.time())) if timestamp is None else timestamp
    digest = hmac.new(secret.encode(), b"v0:" + stamp.encode() + b":" + body, hashlib.sha256).hexdigest()
    return {"x-slack-request-timestamp": stamp, "x-slack-signature": f"v0={digest}"}


def signed_json(body: Json, *, retry: int = 0) -> tuple[bytes, dict[str, str]]:
    """Give body and headers of an Events API request."""
    raw = json.dumps(body).encode()
    headers = {"content-type": "application/json", **sign(raw)}
    if retry:
        headers |= {"x-slack-retry-num": str(retry), "x-slack-retry-reason": "http_timeout"}
    return raw, headers


def signed_form(fields: dict[str, str]) -> tuple[bytes, dict[str, str]]:
    """Give body and headers of a slash command or an interaction."""
    raw = urlencode(fields).encode()
    return raw, {"content-type": "application/x-www-form-urlencoded", **sign(raw)}


def _rich_text(text: str) -> Json:
    elements = _elements(text)
    return {"type": "rich_text", "block_id": "b1", "elements": [{"type": "rich_text_section", "elements": elements}]}


def _elements(text: str) -> list[Json]:
    """Give the rich text of a message; a mention at its start is an element of its own, as Slack writes it."""
    rest = text.removeprefix(f"<@{BOT}>")
    mention_element = [{"type": "user", "user_id": BOT}] if rest != text else []
    return mention_element + ([{"type": "text", "text": rest}] if rest else [])
