"""The bolt application: one dispatcher for Socket Mode and HTTP, with the receiver where the signature is verified."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.slack.accept import EventReader
from bot.adapters.slack.admit import SlackAdmission
from bot.adapters.slack.clicks import LOOKUP_S, ClickParts
from bot.adapters.slack.commands import CommandReader
from bot.adapters.slack.desk_clicks import DeskClicks, DeskParts
from bot.adapters.slack.identity import IdentityBook
from bot.adapters.slack.interact import Serve
from bot.adapters.slack.pressed import PressedOnce, Presses
from bot.adapters.slack.prompts import SuggestedPrompts
from bot.adapters.slack.quiet_log import quiet_logger
from bot.adapters.slack.receive import ENQUEUE_TIMEOUT_S, Readers, Receiver, Stores
from bot.adapters.slack.rules import SlackRules
from bot.adapters.slack.working import SlackWorking
from bot.answers.kept_answers import AnswerStore
from bot.lead.feedback import FeedbackStore
from bot.ports import Clock, Intake, ThreadStore, Withdrawals
from bot.questions.access import Places
from retrieval.redaction import Redactor

# bolt wants a secret even where it never reads one; Socket Mode is authenticated by its app token.
_NO_HTTP = "not served over HTTP"


@dataclass(frozen=True, slots=True)
class SlackApp:
    """The dispatcher, who the bot is, and the secret that HTTP deliveries are signed with (empty: Socket Mode only)."""

    bolt: AsyncApp
    identity: IdentityBook
    signing_secret: str = ""


@dataclass(frozen=True, slots=True)
class SlackParts:
    """What the receiver works with. Without `answers` and `feedback` no button is served, without `presses` each press counts.

    `prompts` are the questions that are suggested where somebody opens the bot's messages; ours without them.
    """

    queue: Intake
    threads: ThreadStore
    redactor: Redactor
    clock: Clock
    withdrawals: Withdrawals | None = None
    answers: AnswerStore | None = None
    feedback: FeedbackStore | None = None
    presses: Presses | None = None
    working: SlackWorking | None = None
    prompts: Sequence[str] = ()


def slack_rules(
    *,
    channels: Sequence[str] = (),
    home_teams: Sequence[str] = (),
    are_guests_answered: bool = False,
    places: Places | None = None,
    groups: Sequence[str] = (),
    apps: Sequence[str] = (),
) -> SlackRules:
    """Make the rules from plain settings."""
    homes, given = frozenset(home_teams), places or Places()
    return SlackRules(frozenset(channels), homes, are_guests_answered, given, tuple(groups), apps=frozenset(apps))


def build_slack_app(
    client: AsyncWebClient,
    parts: SlackParts,
    *,
    signing_secret: str | None = None,
    rules: SlackRules | None = None,
    enqueue_timeout_s: float = ENQUEUE_TIMEOUT_S,
) -> SlackApp:
    """Build the application; nothing is opened and nobody is asked yet.

    Args:
        client: from `build_client`; Socket Mode asks for its address through it.
        parts: queue, thread store, redactor, clock.
        signing_secret: needed for HTTP; None for Socket Mode alone.
        rules: who may ask where; everybody at home everywhere when None.
        enqueue_timeout_s: after this long without Redis a delivery is not acknowledged, seconds.

    Raises:
        ValueError: the signing secret is empty: anybody could sign with it.
    """
    if signing_secret is not None and not signing_secret.strip():
        raise ValueError("SLACK_SIGNING_SECRET is empty: every request could be forged")
    identity = IdentityBook(client)
    receiver = Receiver(
        stores=Stores(parts.queue, parts.threads, parts.withdrawals, parts.working),
        identity=identity,
        readers=_readers(client, parts, rules or SlackRules(), identity),
        timeout_s=enqueue_timeout_s,
    )
    return SlackApp(_bolt(client, receiver, signing_secret), identity, signing_secret or "")


def _readers(client: AsyncWebClient, parts: SlackParts, rules: SlackRules, identity: IdentityBook) -> Readers:
    events = EventReader(redactor=parts.redactor, rules=rules, clock=parts.clock)
    commands = CommandReader(events=events, rules=rules, clock=parts.clock)
    prompts = SuggestedPrompts(client, clock=parts.clock, prompts=parts.prompts)
    return Readers(events, commands, _clicks(client, parts, events, rules, identity=identity), prompts)


def _clicks(
    client: AsyncWebClient, parts: SlackParts, events: EventReader, rules: SlackRules, *, identity: IdentityBook
) -> Mapping[str, Serve]:
    if parts.answers is None or parts.feedback is None:
        return {}
    admit = SlackAdmission(client, rules=rules, clock=parts.clock, timeout_s=LOOKUP_S)
    clicks = ClickParts(
        client=client,
        answers=parts.answers,
        feedback=parts.feedback,
        queue=parts.queue,
        redactor=parts.redactor,
        clock=parts.clock,
        rules=rules,
        identity=identity,
        admit=admit,
    )
    table = DeskClicks(DeskParts(clicks, events)).table
    return table if parts.presses is None else PressedOnce(parts.presses).guarded(table)


def _bolt(client: AsyncWebClient, receiver: Receiver, signing_secret: str | None) -> AsyncApp:
    async def receive(request):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202 - bolt reads argument names
        return await receiver(request)

    return AsyncApp(
        name="triage",
        client=client,
        signing_secret=signing_secret or _NO_HTTP,
        before_authorize=receive,
        ssl_check_enabled=False,  # it answers before the signature is checked (slackapi/bolt-python#1495)
        logger=quiet_logger(),
    )
