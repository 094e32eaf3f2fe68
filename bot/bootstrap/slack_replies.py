"""How replies come into Slack: streamed or whole, with their buttons, and with a signal while somebody waits."""

from typing import TYPE_CHECKING

from bot.answers.answer_tasks import Handover
from bot.bootstrap.clock import SystemClock
from bot.bootstrap.parts import State
from bot.messages import Platform
from bot.ports import Poster, Responder
from config.settings import ConfigError, Settings

if TYPE_CHECKING:
    from bot.adapters.slack import SlackPoster, SlackWorking


def slack_poster(settings: Settings, state: State) -> "SlackPoster":
    """Build what posts on Slack.

    Raises:
        ConfigError: no bot token.
    """
    from bot.adapters.slack import SlackPoster, Streams, build_client
    from bot.adapters.slack.answer_buttons import Buttons
    from bot.adapters.store.post_notes import RedisPostNotes

    client, clock = build_client(_token(settings), base_url=settings.slack.api_base_url), SystemClock()
    streaming, notes = settings.answers.slack_streaming, RedisPostNotes(state.link, state.keys)
    streams = Streams(client, notes, clock, is_early=streaming == "auto") if streaming != "off" else None
    return SlackPoster(client, clock=clock, buttons=Buttons(Handover(settings.answers.handover)), streams=streams)


def slack_working(settings: Settings, state: State) -> "SlackWorking":
    """Build what shows that the bot is at work.

    Raises:
        ConfigError: no bot token.
    """
    from bot.adapters.slack import SlackWorking, build_client
    from bot.adapters.store.post_notes import RedisPostNotes

    client = build_client(_token(settings), base_url=settings.slack.api_base_url)
    return SlackWorking(client, RedisPostNotes(state.link, state.keys), SystemClock())


def signalled(
    responder: Responder, posters: dict[Platform, Poster], settings: Settings, state: State
) -> tuple[Responder, dict[Platform, Poster]]:
    """Give responder and posters that show and end the signal on Slack; as they are where Slack is not served."""
    if Platform.SLACK not in posters:
        return responder, posters
    from bot.adapters.slack import WorkingPoster, WorkingResponder

    working = slack_working(settings, state)
    poster = WorkingPoster(posters[Platform.SLACK], working)
    return WorkingResponder(responder, working), {**posters, Platform.SLACK: poster}


def _token(settings: Settings) -> str:
    if settings.slack.bot_token is None:
        raise ConfigError("SLACK_BOT_TOKEN is not set")
    return settings.slack.bot_token.get_secret_value()
