"""The app manifests say what the adapters need and no more."""

import json
from pathlib import Path

CONFIG = Path(__file__).parents[2] / "config"


def test_the_teams_manifest_is_a_bot_for_channels_chats_and_people() -> None:
    """The manifest parses, names one bot with the three scopes, and asks for no resource-specific consent."""
    manifest = json.loads((CONFIG / "teams_manifest.json").read_text(encoding="utf-8"))
    bot = manifest["bots"][0]
    assert bot["botId"] == manifest["id"]
    assert sorted(bot["scopes"]) == ["groupChat", "personal", "team"]
    assert "authorization" not in manifest
