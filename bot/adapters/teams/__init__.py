"""Microsoft Teams: activities in, replies with citations out. The only folder that knows the Teams SDK."""

from bot.adapters.teams.accept import ActivityReader, TeamsRules
from bot.adapters.teams.door import build_teams_door
from bot.adapters.teams.poster import TeamsPoster
from bot.adapters.teams.proof import ConnectorProof
from bot.adapters.teams.tokens import BotTokens, TeamsCloud

__all__ = [
    "ActivityReader",
    "BotTokens",
    "ConnectorProof",
    "TeamsCloud",
    "TeamsPoster",
    "TeamsRules",
    "build_teams_door",
]
