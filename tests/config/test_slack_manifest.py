"""The Slack manifest asks for what the bot uses, and for nothing else."""

import re
from pathlib import Path

import yaml

from bot.adapters.slack.desk_clicks import FIND_SIMILAR
from bot.adapters.slack.needs import NEEDS, Feature, events_of, features_for, scopes_of

FILE = Path(__file__).parents[2] / "config" / "slack_manifest.yaml"
MANIFEST = yaml.safe_load(FILE.read_text("utf-8"))
# What Slack demands for each event subscription; https://docs.slack.dev/reference/events
_SCOPE_OF_EVENT = {
    "app_mention": "app_mentions:read",
    "message.channels": "channels:history",
    "message.groups": "groups:history",
    "message.im": "im:history",
    "message.mpim": "mpim:history",
}
# What each method that the bot calls demands; https://docs.slack.dev/reference/methods
_SCOPES_OF_METHOD = {
    "chat.": ("chat:write",),
    "users.info": ("users:read",),
    "usergroups.users.list": ("usergroups:read",),
    "conversations.info": ("channels:read", "groups:read", "im:read", "mpim:read"),
    "users.conversations": ("channels:read", "groups:read", "im:read", "mpim:read"),
    "conversations.history": ("channels:history", "groups:history", "im:history", "mpim:history"),
    "conversations.replies": ("channels:history", "groups:history", "im:history", "mpim:history"),
    "files.info": ("files:read",),
    "assistant.threads.": ("assistant:write",),
    "bots.info": ("users:read",),
}
_WITHOUT_SCOPE = ("auth.test", "views.", "apps.")


def test_manifest_is_what_the_features_need() -> None:
    """Scopes and events of everything that is on by default, no more."""
    features = features_for(has_groups=False)
    assert set(MANIFEST["oauth_config"]["scopes"]["bot"]) == set(scopes_of(features))
    assert set(MANIFEST["settings"]["event_subscriptions"]["bot_events"]) == set(events_of(features))
    assert Feature.GROUPS not in features
    assert "usergroups:read" in scopes_of(features_for(has_groups=True))
    assert "# - usergroups:read" in FILE.read_text("utf-8")


def test_every_event_has_its_scope() -> None:
    """A subscription without its scope brings nothing."""
    for need in NEEDS.values():
        assert {_SCOPE_OF_EVENT[event] for event in need.events if event in _SCOPE_OF_EVENT} <= set(need.scopes)


def test_every_method_that_is_called_has_its_scope() -> None:
    """Read from the adapter's own lines: a new call needs its scope in `needs`, or is one that needs none."""
    folder = FILE.parents[1] / "bot" / "adapters" / "slack"
    called = set()
    for file in folder.glob("*.py"):
        called |= set(re.findall(r'"((?:[a-z]+\.)+[a-zA-Z]+)"', file.read_text("utf-8")))
    called = {name for name in called if not name.endswith(".com")}
    methods = {name for name in called if name.split(".")[0] in {"chat", "users", "usergroups", "conversations", "files",
               "assistant", "bots", "views", "auth", "apps", "reactions", "agents"}}  # fmt: skip
    granted = set(scopes_of(features_for(has_groups=True)))
    assert {"chat.postMessage", "files.info", "conversations.replies"} <= methods
    for method in methods:
        if method.startswith(_WITHOUT_SCOPE):
            continue
        wanted = next(scopes for start, scopes in _SCOPES_OF_METHOD.items() if method.startswith(start))
        assert set(wanted) <= granted


def test_command_is_kb() -> None:
    """The slash command exists, and its text arrives in the wire form that is decoded."""
    (command,) = MANIFEST["features"]["slash_commands"]
    assert (command["command"], command["should_escape"]) == ("/kb", True)


def test_shortcut_and_agent_view() -> None:
    """The shortcut has the name that is served; the messages tab is open to people."""
    (shortcut,) = MANIFEST["features"]["shortcuts"]
    assert (shortcut["type"], shortcut["callback_id"]) == ("message", FIND_SIMILAR)
    assert MANIFEST["features"]["agent_view"]["agent_description"]
    assert MANIFEST["features"]["app_home"]["messages_tab_read_only_enabled"] is False
