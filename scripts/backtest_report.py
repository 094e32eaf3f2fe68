"""What a backtest says: shares with their intervals by product, language and month, and first rows for `eval`."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from bot.lead.backtest import Cases, Replayed, known_from
from bot.messages import Outcome
from retrieval.documents import Document
from retrieval.documents.document import TICKET
from retrieval.evaluation.measures import wilson_interval
from retrieval.redaction import Redactor
from scripts.output import counted

REFUSED = frozenset({Outcome.NO_MATCH, Outcome.OFF_TOPIC})
RIGHTLY = (
    "a cited source is right when the ticket's resolution names it by id or address, or says the same as the source"
    " (cosine from 0.30 on, which 60 of 100 pairs that say the same reach, and few others: a lower bound)"
)
NOT_REPLAYED = "the topic gate; weights of words are those of the whole base"
_FEW = 30


def values_of(replayed: Sequence[Replayed], cases: Cases, documents: Sequence[Document]) -> dict[str, Any]:
    """Give everything in the public form."""
    articles = [document for document in documents if document.kind != TICKET]
    return {
        "tickets": len(replayed),
        "skipped": dict(cases.skipped),
        "articles": len(articles),
        "articles_without_date": sum(known_from(article) is None for article in articles),
        "from": _iso(replayed[0].case.asked_at),
        "to": _iso(replayed[-1].case.asked_at),
        "rightly": RIGHTLY,
        "not_replayed": NOT_REPLAYED,
        "all": row_of(replayed),
        "products": _by(replayed, lambda one: one.case.ticket.product or "(none)"),
        "languages": _by(replayed, lambda one: one.language),
        "queues": _by(replayed, lambda one: one.case.ticket.queue or "(none)"),
        "months": _by(replayed, lambda one: _iso(one.case.asked_at)[:7]),
    }


def row_of(replayed: Sequence[Replayed]) -> dict[str, Any]:
    """Give the shares of some tickets with their 95 % intervals; `cited_rightly` is a share of the answered ones."""
    answered = [one for one in replayed if one.is_answered]
    with_vote = [one for one in replayed if one.queue and one.case.ticket.queue]
    naming = [one for one in replayed if one.named]
    refused = sum(one.outcome in REFUSED for one in replayed)
    n = len(replayed)
    return {
        "n": n,
        **_share("answered", len(answered), n),
        **_share("refused", refused, n),
        "uncertain": _ratio(sum(one.is_uncertain for one in answered), n),
        "other": _ratio(n - len(answered) - refused, n),
        **_share("cited_rightly", sum(one.is_right for one in answered), len(answered)),
        "answered_rightly_of_all": _ratio(sum(one.is_right for one in answered), n),
        "named": {"n": len(naming), "cited": sum(bool(set(one.named) & set(one.cited)) for one in naming)},
        "queue": {
            "n": len(with_vote),
            **_share("right", sum(one.queue == one.case.ticket.queue for one in with_vote), len(with_vote)),
        },
    }


def _share(name: str, hits: int, n: int) -> dict[str, Any]:
    if not n:
        return {name: None, f"{name}_ci95": None}
    return {name: _ratio(hits, n), f"{name}_ci95": [round(bound, 4) for bound in wilson_interval(hits, n)]}


def _ratio(hits: int, n: int) -> float | None:
    return round(hits / n, 4) if n else None


def _by(replayed: Sequence[Replayed], key: Callable[[Replayed], str]) -> dict[str, Any]:
    groups: dict[str, list[Replayed]] = defaultdict(list)
    for one in replayed:
        groups[key(one)].append(one)
    return {name: row_of(group) for name, group in sorted(groups.items())}


def rows_to_write(replayed: Iterable[Replayed], *, redactor: Redactor) -> list[dict[str, Any]]:
    """Give first rows for `eval` and `calibrate`: each question with the sources found that are right.

    `held_out` names the ticket itself, which would be found first. Tickets that got no answer and found nothing right are
    rows without an answer; tickets that got one from sources that may be right are left out: nobody knows.
    """
    rows = []
    for one in replayed:
        if not one.right and one.outcome is not Outcome.NO_MATCH:
            continue
        ticket = one.case.ticket
        question = redactor.redact(ticket.question or ticket.title, names=ticket.people).text
        rows.append(
            {
                "id": f"backtest-{ticket.id}",
                "query": str(question),
                "relevant": list(one.right),
                "answerable": bool(one.right),
                "lang": one.language,
                "held_out": [ticket.id],
                "basis": sorted(set(one.right.values())) or ["nothing found"],
            }
        )
    return rows


def text_of(values: Mapping[str, Any]) -> str:
    """Give the report for a person."""
    skipped = ", ".join(f"{count} {reason.replace('_', ' ')}" for reason, count in values["skipped"].items() if count)
    head = (
        f"{counted(values['tickets'], 'resolved ticket')} asked again, {values['from'][:10]} to {values['to'][:10]},"
        f" each with only what was known before it ({counted(values['articles'], 'article')},"
        f" {values['articles_without_date']} without a date and taken as always known)"
    )
    lines = [head]
    if skipped:
        lines.append(f"left out: {skipped}")
    lines += ["", _line("all", values["all"])]
    for title, name in (("by product", "products"), ("by language", "languages"), ("by month", "months")):
        lines += ["", title, *(_line(key, row) for key, row in values[name].items())]
    queue = values["all"]["queue"]
    if queue["n"]:
        lines += ["", f"queue voted for {counted(queue['n'], 'ticket')}, right for {_percent(queue, 'right')}"]
    named = values["all"]["named"]
    if named["n"]:
        lines.append(f"{counted(named['n'], 'resolution')} named a known source; it was cited for {named['cited']}")
    lines += ["", f"rightly: {values['rightly']}", f"not replayed: {values['not_replayed']}"]
    if values["tickets"] < _FEW:
        lines.append(f"fewer than {_FEW} tickets: the shares are mostly chance")
    return "\n".join(lines)


def _line(name: str, row: Mapping[str, Any]) -> str:
    return (
        f"  {name[:24]:24} {row['n']:6}  answered {_percent(row, 'answered')}  of all uncertain {row['uncertain']:4.0%}  refused {_percent(row, 'refused')}"
        f"  cited rightly {_percent(row, 'cited_rightly')}"
    )


def _percent(row: Mapping[str, Any], name: str) -> str:
    if row[name] is None:
        return "   -          "
    low, high = row[f"{name}_ci95"]
    return f"{row[name]:4.0%} ({low:.0%} to {high:.0%})"


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
