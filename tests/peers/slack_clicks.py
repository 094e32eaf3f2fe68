"""What Slack sends when somebody presses a button or sends a form: https://docs.slack.dev/reference/interaction-payloads ."""

import json
from collections.abc import Iterator

from tests.peers.slack_api import Post, SlackPeer
from tests.peers.slack_payloads import ANA, TEAM, Json, signed_form


def elements(post: Post) -> Iterator[Json]:
    """Give every button of a post, also those of a pair that asks for a verdict."""
    for block in post.blocks:
        yield from (element for element in block.get("elements", []) if "action_id" in element)


def labels(post: Post) -> list[str]:
    """Give what stands on the buttons of a post, in order."""
    found: list[str] = []
    for element in elements(post):
        pair = (element.get("positive_button"), element.get("negative_button"))
        found += [button["text"]["text"] for button in (pair if all(pair) else (element,)) if button]
    return found


def click(peer: SlackPeer, post: Post, label: str, *, user: str = ANA, **fields: object) -> Json:
    """Give the body of a click on the button with this label."""
    action = next(action for element in elements(post) for action in _actions(element, label))
    return {
        "type": "block_actions",
        "team": {"id": TEAM, "domain": "home"},
        "user": {"id": user, "username": "u", "name": "u", "team_id": TEAM},
        "api_app_id": "A0APP",
        "token": "verification",
        "container": {
            "type": "message",
            "message_ts": post.ts,
            "channel_id": post.channel,
            "is_ephemeral": bool(post.user),
            **({"thread_ts": post.thread_ts} if post.thread_ts else {}),
        },
        "trigger_id": peer.trigger(),
        "channel": {"id": post.channel, "name": "support"},
        "message": {"type": "message", "ts": post.ts, "text": post.text, "blocks": post.blocks},
        "response_url": peer.response_url(),
        "actions": [{**action, "block_id": "b", "action_ts": post.ts}],
        **fields,
    }


def shortcut(peer: SlackPeer, message: Json, *, user: str = ANA, **fields: object) -> Json:
    """Give the body of the shortcut "Find similar tickets" on a message."""
    return {
        "type": "message_action",
        "callback_id": "triage_find_similar",
        "team": {"id": TEAM, "domain": "home"},
        "user": {"id": user, "name": "u", "team_id": TEAM},
        "token": "verification",
        "channel": {"id": message["channel"], "name": "support"},
        "message": message,
        "message_ts": message["ts"],
        "trigger_id": peer.trigger(),
        "response_url": peer.response_url(),
        "action_ts": message["ts"],
        **fields,
    }


def submission(peer: SlackPeer, text: str | None, *, user: str = ANA) -> Json:
    """Give the body of sending the newest window's form with this text in its only field."""
    view_id, view = list(peer.views.items())[-1]
    block = next(block for block in view["blocks"] if block["type"] == "input")
    field = {"type": "plain_text_input", "value": text}
    values = {block["block_id"]: {block["element"]["action_id"]: field}}
    return {
        "type": "view_submission",
        "team": {"id": TEAM, "domain": "home"},
        "user": {"id": user, "username": "u", "name": "u", "team_id": TEAM},
        "api_app_id": "A0APP",
        "token": "verification",
        "trigger_id": peer.trigger(),
        "view": {**view, "id": view_id, "state": {"values": values}},
        "response_urls": [],
    }


def signed_interaction(body: Json) -> tuple[bytes, dict[str, str]]:
    """Give body and headers of an interaction over HTTP."""
    return signed_form({"payload": json.dumps(body)})


def _actions(element: Json, label: str) -> Iterator[Json]:
    if element["type"] == "feedback_buttons":
        for button in (element["positive_button"], element["negative_button"]):
            if button["text"]["text"] == label:
                yield {"type": "feedback_buttons", "action_id": element["action_id"], **button}
    elif element["text"]["text"] == label:
        yield element
