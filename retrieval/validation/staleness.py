"""What has gone out of date, by what documents say of themselves: dates, links, versions, age."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from retrieval.documents import Document
from retrieval.validation.links import dead_links
from retrieval.validation.policy import REPLACED, TICKET, dated, read_date
from retrieval.validation.statements import statements_of
from retrieval.validation.value import Value
from retrieval.validation.words import topic_names

# How long an article is taken for true when nobody looked at it, in days: prices and versions age faster than rules.
_AGES = ((frozenset({"price", "version", "app", "discount", "api"}), 540), (frozenset[str](), 1_095))
_AHEAD = timedelta(days=1)
_YEAR = re.compile(r"\d{4}")
_UNTIL = re.compile(
    r"(?i)\b(?:until|till|through|ends?(?: on)?|expires?(?: on)?|valid (?:to|through|until)|no later than|deadline(?: is)?|bis(?: zum| einschließlich)?"
    r"|gültig bis|endet am|läuft am|до|по|дійсн\w+ до|закінчується|действ\w+ до|заканчивается|jusqu'(?:au|à|en)|fin le|hasta(?: el)?|vence el|até"
    r"|termina em|do(?: dnia)?|ważn\w+ do)\s*$|(?:まで|截止|截至)"
)


@dataclass(frozen=True, slots=True)
class Stale:
    """One reason why a document may be out of date. `date` is ISO 8601, empty when the reason has none."""

    id: str
    kind: str
    date: str
    owner: str
    reason: str
    certainty: float


def stale_documents(
    documents: Sequence[Document], *, today: date, base: Sequence[Document] | None = None
) -> list[Stale]:
    """Find what has gone out of date, the most certain first.

    Args:
        documents: what is looked through.
        today: what lies before it has passed.
        base: where links may lead, also to what is replaced; without it the documents themselves.
    """
    found = [stale for document in documents for stale in _by_itself(document, today)]
    found += [
        Stale(one.id, "dead_link", "", one.owner, f"links to {target}, which is not in the base", 0.7)
        for one, target in dead_links(documents, documents if base is None else base)
    ]
    found += _old_versions(documents, today)
    return sorted(found, key=lambda stale: (-stale.certainty, stale.date, stale.id))


def _by_itself(document: Document, today: date) -> Iterable[Stale]:
    for name, kind, certainty in (("valid_until", "expired", 1.0), ("review_by", "review_due", 0.85)):
        day = read_date(getattr(document, name))
        if day is not None and day < today:
            said = "was valid until" if kind == "expired" else "was to be reviewed by"
            yield Stale(document.id, kind, str(day), document.owner, f"{said} {day}", certainty)
    changed = read_date(document.updated_at) or read_date(document.created_at)
    if changed is not None and changed > today + _AHEAD:
        yield Stale(
            document.id, "future_date", str(changed), document.owner, f"its date {changed} is still to come", 0.9
        )
    if document.kind == TICKET:
        return
    passed = passed_dates(document.evidence, today)
    if passed:
        day, sentence = passed[-1]
        yield Stale(document.id, "passed_date", str(day), document.owner, f"says “{sentence[:160]}”", 0.8)
    age = _too_old(document, today)
    if age is not None:
        changed_on = dated(document, today)
        said = f"was last changed {age // 365} years ago" if age >= 730 else "was last changed more than a year ago"
        yield Stale(document.id, "age", str(changed_on), document.owner, said, min(0.5, 0.2 + age / 10_000))


def passed_dates(text: str, today: date) -> list[tuple[date, str]]:
    """Give the days that a text calls an end ("until 31 March 2024") and that have passed, with their sentences."""
    found: list[tuple[date, str]] = []
    for statement in statements_of("", text) if _YEAR.search(text) else ():
        for value in statement.values:
            if value.kind != "date" or not _is_end(statement.text, value):
                continue
            end = _last_day(value)
            if end is not None and end < today:
                found.append((end, statement.text))
    return sorted(found)


def _is_end(sentence: str, value: Value) -> bool:
    before, after = sentence[: value.start], sentence[value.end : value.end + 3]
    return bool(_UNTIL.search(before[-40:])) or bool(_UNTIL.match(after.lstrip()))


def _last_day(value: Value) -> date | None:
    """Give the last day of a date, a month or a year; see `values._take_date` for how they are counted."""
    year, rest = divmod(int(value.high), 372)
    month, day = rest // 31 + 1, rest % 31 + 1
    for last in range(day, 27, -1):
        try:
            return date(year, month, last)
        except ValueError:
            continue
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _too_old(document: Document, today: date) -> int | None:
    day = dated(document, today)
    if day is None or document.status.strip().casefold() in REPLACED:
        return None
    words = re.findall(r"[^\W\d_]+", document.title.casefold())
    topics = {topic for word in words for topic in topic_names(word)}
    limit = next(days for names, days in _AGES if not names or names & topics)
    age = (today - day).days
    return age if age > limit else None


def _old_versions(documents: Sequence[Document], today: date) -> Iterable[Stale]:
    """Find articles that speak of a version of something when newer documents speak only of later ones."""
    latest: dict[tuple[str, str], dict[str, float]] = {}
    versions: dict[str, dict[tuple[str, str], float]] = {}
    for document in documents:
        own: dict[tuple[str, str], float] = {}
        for statement in statements_of(document.id, document.evidence) if _has_version(document) else ():
            for value in statement.values:
                if value.kind == "version" and value.unit != "version" and value.low < 1_000:
                    key = (document.product, value.unit)
                    own[key] = max(own.get(key, 0.0), value.low)
        versions[document.id] = own
        for key, number in own.items():
            latest.setdefault(key, {})[document.id] = number
    yield from _behind(documents, versions, latest, today)


def _has_version(document: Document) -> bool:
    return document.kind != TICKET and bool(re.search(r"[A-Za-z][\w+#.]* v?\d", document.evidence))


_NEWER_SOURCES = 2


def _behind(
    documents: Sequence[Document],
    versions: Mapping[str, Mapping[tuple[str, str], float]],
    latest: Mapping[tuple[str, str], Mapping[str, float]],
    today: date,
) -> Iterable[Stale]:
    by_id = {document.id: document for document in documents}
    for document in documents:
        day = dated(document, today)
        for key, number in versions[document.id].items():
            newer = [i for i, n in latest[key].items() if int(n) > int(number) and _is_newer(by_id[i], day, today)]
            if day is not None and len(newer) >= _NEWER_SOURCES:
                top = max(latest[key][i] for i in newer)
                reason = f"speaks of {key[1]} {number:g}, newer documents of {key[1]} {top:g}"
                yield Stale(document.id, "old_version", str(day), document.owner, reason, 0.4)
                break


def _is_newer(other: Document, day: date | None, today: date) -> bool:
    own = dated(other, today)
    return own is not None and day is not None and own > day
