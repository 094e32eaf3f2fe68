"""Slack: events, slash commands and replies, over Socket Mode or signed HTTP."""

from bot.adapters.slack.admit import SlackAdmission
from bot.adapters.slack.app import SlackApp, SlackParts, build_slack_app, slack_rules
from bot.adapters.slack.catch_up import CatchUp
from bot.adapters.slack.client import build_client
from bot.adapters.slack.http_door import mount_slack
from bot.adapters.slack.notes import SlackNotes
from bot.adapters.slack.poster import SlackPoster
from bot.adapters.slack.prepare import SlackPreparer
from bot.adapters.slack.remover import SlackRemover
from bot.adapters.slack.socket_mode import SlackSocket, serve_socket_mode
from bot.adapters.slack.streaming import Streams
from bot.adapters.slack.working import SlackWorking, WorkingPoster, WorkingResponder

__all__ = [
    "CatchUp",
    "SlackAdmission",
    "SlackApp",
    "SlackNotes",
    "SlackParts",
    "SlackPoster",
    "SlackPreparer",
    "SlackRemover",
    "SlackSocket",
    "SlackWorking",
    "Streams",
    "WorkingPoster",
    "WorkingResponder",
    "build_client",
    "build_slack_app",
    "mount_slack",
    "serve_socket_mode",
    "slack_rules",
]
