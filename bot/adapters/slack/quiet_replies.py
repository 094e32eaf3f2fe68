"""Which replies are not for everybody in the thread."""

from bot.adapters.slack.accept import FOLLOWED
from bot.adapters.slack.other_apps import is_unsaid
from bot.messages import Outcome, Reply
from bot.questions.access import DRAFTED, SILENT


def is_kept_silent(reply: Reply) -> bool:
    """Tell whether nothing is posted: the message was not for the bot, or nobody mentioned it and it has no answer."""
    is_followed = bool(reply.message.route(FOLLOWED))
    return (
        is_unsaid(reply)
        or reply.message.refusal == SILENT
        or (is_followed and reply.answer.outcome is not Outcome.ANSWERED)
    )


def is_draft_first(reply: Reply) -> bool:
    """Tell whether only the asker sees this reply: so is the channel set, and nothing is asked back."""
    message, is_asking = reply.message, reply.answer.outcome in {Outcome.CLARIFY, Outcome.COURTESY}
    return bool(message.route(DRAFTED)) and not (is_asking or message.is_direct or message.is_command or message.task)
