"""Limits at the doors: who asks too much is told so a few times, then no more; the refusal is enqueued like an answer."""

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Protocol

import structlog

from bot.errors import StateUnavailable
from bot.messages import AcceptedMessage
from bot.ports import Intake
from bot.questions.access import OVER_LIMIT

# Routing value of a question that an app asked, with the app's id: the limits count those by thread and app.
APP = "app"
_log = structlog.get_logger(__name__)


class Verdict(StrEnum):
    """What the limits say of a question: answered, refused with a word, or refused without one more word."""

    WELCOME = "welcome"
    REFUSED = "refused"
    SILENT = "silent"


class Limits(Protocol):
    """Counts questions of people, channels and API tokens, shared by all processes."""

    async def judge(self, message: AcceptedMessage) -> Verdict:
        """Count a question once, however often it is delivered, and say whether it is within the limits.

        Raises:
            StateUnavailable: Redis is out of reach.
        """
        ...


class NoLimits:
    """Everybody is welcome."""

    async def judge(self, message: AcceptedMessage) -> Verdict:  # noqa: ARG002 - the port's form
        """Count nothing."""
        return Verdict.WELCOME


async def judged(limits: Limits, message: AcceptedMessage) -> Verdict:
    """Give the verdict; without Redis the question is welcome, since a limit protects the desk and must not close it."""
    try:
        return await limits.judge(message)
    except StateUnavailable:
        _log.warning("limits not counted", platform=message.thread.platform)
        return Verdict.WELCOME


def refused(message: AcceptedMessage) -> AcceptedMessage:
    """Give the message with the refusal of the limits, unless it was refused for another reason."""
    return message if message.refusal else replace(message, refusal=OVER_LIMIT)


class AdmittedQueue:
    """An `Intake` that counts before it enqueues."""

    def __init__(self, queue: Intake, limits: Limits) -> None:
        """Enqueue into the queue what the limits let through, and refusals."""
        self._queue = queue
        self._limits = limits

    async def enqueue(self, message: AcceptedMessage, *, claims: Sequence[str]) -> bool:
        """Claim and enqueue as `WorkQueue.enqueue`; False also for what gets no word any more."""
        verdict = await judged(self._limits, message)
        if verdict is Verdict.SILENT or (
            message.route(APP) and verdict is Verdict.REFUSED
        ):  # a word would be one more turn
            _log.info("over the limit, not answered", channel=message.thread.channel_id)
            return False
        return await self._queue.enqueue(refused(message) if verdict is Verdict.REFUSED else message, claims=claims)
