"""What `triage doctor` looks at in the settings: values that no start refuses, and that do nothing as they are. No value is shown."""

import re
from collections.abc import Callable, Collection, Iterator

from bot.bootstrap.trust import call_prices
from config.settings import ConfigError, Settings
from config.trust_settings import is_slack_channel

Told = tuple[str, str]
_EVERYWHERE = frozenset({"*", "direct"})
_SLACK_USER = re.compile(r"[UW][A-Z0-9]{2,20}")
# A Teams user, as the platform names them (29:…) or as Entra does.
_TEAMS_USER = re.compile(r"\A(?:\d+:\S+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})", re.IGNORECASE)


def idle_settings(settings: Settings) -> Iterator[Told]:
    """Give what is wrong with each setting that has no effect, and what to do."""
    access = settings.access
    if wrong := _places(access.channels, _is_place):
        yield (
            f"TRIAGE_CHANNELS: {wrong} is no id of a channel, so nothing there applies",
            "name channels by their ids (C0123ABCD, 19:…@thread.tacv2), or `direct`, or `*`",
        )
    if wrong := _places(access.leads, _is_user):
        yield f"TRIAGE_LEADS: {wrong} is no user id, so nobody is meant", "give user ids, such as U0123ABCD"
    if wrong := _places(settings.retrieval.phone_regions, _is_region):
        yield (
            f"TRIAGE_PHONE_REGIONS: {wrong} is no region, so its phone numbers are not hidden",
            "give codes of two letters, such as GB for the United Kingdom",
        )
    yield from _budget(settings)


def _budget(settings: Settings) -> Iterator[Told]:
    if settings.limits.daily_budget_usd is None:
        return
    try:
        call_prices(settings.model)
    except ConfigError as error:
        yield str(error), "set TRIAGE_PRICES; with a model the bot does not start without"


def _places(values: Collection[str], is_right: Callable[[str], bool]) -> str:
    """Say which of the values are wrong, by their place; empty when none is."""
    wrong = [str(place) for place, value in enumerate(values, 1) if not is_right(value)]
    return f"entry {', '.join(wrong)} of {len(values)}" if wrong else ""


def _is_place(name: str) -> bool:
    return name in _EVERYWHERE or is_slack_channel(name) or ":" in name


def _is_user(name: str) -> bool:
    return bool(_SLACK_USER.fullmatch(name) or _TEAMS_USER.fullmatch(name))


def _is_region(name: str) -> bool:
    from phonenumbers import SUPPORTED_REGIONS

    return name.upper() in SUPPORTED_REGIONS
