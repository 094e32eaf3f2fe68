"""Clicks, forms and shortcuts: who did what where, and the one table that says who serves it.

All of it runs inline: a trigger id lives for three seconds, so a view that waits in a queue can never be opened.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from slack_bolt.response import BoltResponse

from bot.adapters.slack.payload import Payload, id_at, mapping_at, mappings_at, text_at

ACTIONS, SUBMISSION = "block_actions", "view_submission"
SHORTCUTS = frozenset({"message_action", "shortcut"})
KINDS = frozenset({ACTIONS, SUBMISSION, *SHORTCUTS})


@dataclass(frozen=True, slots=True)
class Interaction:
    """One thing that a person did. `name` is the action id up to its first colon, or the callback id of view or shortcut.

    `value` is that of the button, or the private metadata of the view.
    """

    kind: str
    name: str
    value: str
    user_id: str
    user_team: str
    team_id: str
    channel_id: str
    trigger_id: str
    body: Payload

    @property
    def response_url(self) -> str:
        """Where Slack takes a word for the person alone; empty for views."""
        return text_at(self.body, "response_url")

    def input(self, block_id: str) -> str:
        """Give what was written into the text field of a view's block."""
        values = mapping_at(mapping_at(mapping_at(self.body, "view"), "state"), "values")
        fields = (value for value in mapping_at(values, block_id).values() if isinstance(value, Mapping))
        return next((text_at(field, "value") for field in fields), "")


# Gives the response, None for a plain 200.
Serve = Callable[[Interaction], Awaitable[BoltResponse | None]]


def read_interaction(body: Payload) -> Interaction | None:
    """Read an interaction's body, None for every other one.

    Source: https://docs.slack.dev/reference/interaction-payloads
    """
    kind, user = text_at(body, "type"), mapping_at(body, "user")
    user_id = id_at(user, "id")
    if kind not in KINDS or not user_id:
        return None
    view, action = mapping_at(body, "view"), next(iter(mappings_at(body, "actions")), {})
    is_action = kind == ACTIONS
    name = text_at(action, "action_id") if is_action else text_at(view, "callback_id") or text_at(body, "callback_id")
    channel = id_at(mapping_at(body, "channel"), "id") or id_at(mapping_at(body, "container"), "channel_id")
    return Interaction(
        kind=kind,
        name=name.partition(":")[0],
        value=text_at(action, "value") if is_action else text_at(view, "private_metadata"),
        user_id=user_id,
        user_team=id_at(user, "team_id"),
        team_id=id_at(mapping_at(body, "team"), "id"),
        channel_id=channel,
        trigger_id=text_at(body, "trigger_id"),
        body=body,
    )
