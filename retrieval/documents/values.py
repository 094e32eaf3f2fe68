"""Which values a field may hold. What is dropped is said, so that nothing unsafe or unreadable is stored in silence."""

import re
from urllib.parse import urlsplit

from retrieval.documents.dates import DayOrder, NoDate, TwoReadings, iso_date

DATES = frozenset({"updated_at", "created_at", "valid_until", "review_by"})
# Shown beside answers and in triage, where nobody escapes them for every platform.
_LABELS = frozenset({"queue", "product", "status", "owner", "lang"})
_ONE_LINE = frozenset({"id", "title"}) | _LABELS
_ACTIVE = re.compile(
    r"<[!@#]|</?at\b|<[^<>\s]*\||<(?:a|img|script|iframe|style)\b|\]\(|\b(?:javascript|vbscript|data):"
    r"|(?<![\w@./-])@(?:here|channel|everyone|team|all)\b",
    re.IGNORECASE,
)
# "article", "ticket", or a desk's own ("faq", "runbook"), which counts as an article.
_KIND = re.compile(r"[a-z][a-z0-9_-]{0,30}")
_SHOWN = 60


class ValueRefused(ValueError):
    """The value is left out and the document kept; the message is one clear sentence."""


class OrderUnknown(ValueRefused):
    """A date is one day or another, and an order for its column would decide."""


def checked(name: str, text: str, order: DayOrder | None = None) -> str:
    """Give the value of a field in the form that is stored; of a date, `order` decides which number is the day.

    Raises:
        OrderUnknown: a date that can be read in two ways, without an order.
        ValueRefused: no date, no web address, a mention or markup where a label belongs, or a kind that is no plain word.
    """
    if name in _ONE_LINE:
        text = _joined(text)
    if name in DATES:
        return _date(name, text, order)
    if name == "url" and not _is_web_address(text):
        raise ValueRefused(f"url {_short(text)} is no plain http(s) address; it is left out")
    if name in _LABELS and _ACTIVE.search(text):
        raise ValueRefused(f"{name} {_short(text)} holds a mention or markup; it is left out")
    if name == "kind":
        text = text.casefold()
        if not _KIND.fullmatch(text):
            raise ValueRefused(f"kind {_short(text)} is no plain word; it is left out")
    return text


def _joined(text: str) -> str:
    lines = text.splitlines()
    return text.strip() if len(lines) <= 1 else " ".join(line.strip() for line in lines if line.strip())


def _date(name: str, text: str, order: DayOrder | None) -> str:
    try:
        return iso_date(text, order)
    except NoDate:
        raise ValueRefused(f"{name} {_short(text)} is no ISO 8601 date; it is left out") from None
    except TwoReadings as error:
        reason = f"may be {error}, and nothing in its file decides; it is left out"
        raise OrderUnknown(f"{name} {_short(text)} {reason}") from None


def _is_web_address(text: str) -> bool:
    if re.search(r"[\s<>|\"'`\\\x00-\x1f\x7f]", text):
        return False
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and not parts.username
    except ValueError:  # brackets that are no IPv6 address
        return False


def _short(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…")
