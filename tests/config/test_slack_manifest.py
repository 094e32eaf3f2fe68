"""The Slack manifest asks for what the bot uses."""

from pathlib import Path

import yaml

MANIFEST = yaml.safe_load((Path(__file__).parents[2] / "config" / "slack_manifest.yaml").read_text("utf-8"))
# What Slack demands for each event subscription; https://docs.slack.dev/reference/events
_SCOPE_OF_EVENT = {
    "app_mention": "app_mentions:read",
    "message.channels": "channels:history",
    "message.groups": "groups:history",
    "message.im": "im:history",
    "message.mpim": "mpim:history",
}
_EVENTS_WITHOUT_SCOPE = {"app_uninstalled", "tokens_revoked"}
_SCOPES_OF_LISTING = {"channels:read", "groups:read", "im:read", "mpim:read"}
_SCOPES_OF_CALLS = {"chat:write", "users:read", "commands", *_SCOPES_OF_LISTING}


def test_every_event_and_call_has_its_scope() -> None:
    """Each subscribed event and each called method has its scope, and no scope is asked for nothing."""
    events = MANIFEST["settings"]["event_subscriptions"]["bot_events"]
    scopes = set(MANIFEST["oauth_config"]["scopes"]["bot"])
    assert set(events) == set(_SCOPE_OF_EVENT) | _EVENTS_WITHOUT_SCOPE
    assert scopes == set(_SCOPE_OF_EVENT.values()) | _SCOPES_OF_CALLS


def test_command_is_kb() -> None:
    """The slash command exists, and its text arrives in the wire form that is decoded."""
    (command,) = MANIFEST["features"]["slash_commands"]
    assert (command["command"], command["should_escape"]) == ("/kb", True)
