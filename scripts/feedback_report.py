"""`triage feedback report`: what people say of the answers, by source, language and week."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from bot.lead.feedback import Rated, Verdict
from retrieval.evaluation.measures import wilson_interval
from scripts.output import counted

_SHOWN = 10
_REASONS = 5


def report_of(rated: Iterable[Rated], *, since: float) -> dict[str, Any]:
    """Give the public form: all votes, then by source (most voted down first), language and week."""
    kept = [one for one in rated if one.votes and max(vote.at for vote in one.votes.values()) >= since]
    sources: dict[str, list[Rated]] = defaultdict(list)
    for one in kept:
        for name in one.turn.cited_ids:
            sources[name].append(one)
    rows = [{"id": name, **_row(group), "reasons": _reasons(group)} for name, group in sources.items()]
    return {
        "since": datetime.fromtimestamp(since, UTC).isoformat(timespec="seconds") if since else None,
        "answers": len(kept),
        **_row(kept),
        "outcomes": dict(sorted(Counter(str(one.turn.outcome) for one in kept).items())),
        "sources": sorted(rows, key=lambda row: (-row["not_useful"], row["useful"], row["id"])),
        "languages": _by(kept, lambda one: one.turn.language),
        "weeks": _by(kept, _week),
        "reasons": _reasons(kept),
    }


def _row(rated: Sequence[Rated]) -> dict[str, Any]:
    votes = [vote for one in rated for vote in one.votes.values()]
    useful = sum(vote.verdict is Verdict.USEFUL for vote in votes)
    share = round(useful / len(votes), 4) if votes else None
    bounds = [round(bound, 4) for bound in wilson_interval(useful, len(votes))] if votes else None
    return {"useful": useful, "not_useful": len(votes) - useful, "share_useful": share, "share_useful_ci95": bounds}


def _by(rated: Sequence[Rated], key: Callable[[Rated], str]) -> dict[str, Any]:
    groups: dict[str, list[Rated]] = defaultdict(list)
    for one in rated:
        groups[key(one)].append(one)
    return {name: _row(group) for name, group in sorted(groups.items())}


def _week(rated: Rated) -> str:
    year, week, _ = datetime.fromtimestamp(rated.turn.asked_at, UTC).isocalendar()
    return f"{year}-W{week:02d}"


def _reasons(rated: Sequence[Rated]) -> list[str]:
    """Give the newest reasons that people wrote, redacted as they are kept."""
    votes = [vote for one in rated for vote in one.votes.values() if vote.reason]
    return [str(vote.reason) for vote in sorted(votes, key=lambda vote: -vote.at)[:_REASONS]]


def text_of(report: dict[str, Any]) -> str:
    """Give the report for a person."""
    if not report["answers"]:
        return "nobody has said anything of an answer"
    lines = [f"{counted(report['answers'], 'answer')} with votes: {_line(report)}"]
    for title, name in (("by language", "languages"), ("by week", "weeks")):
        lines += ["", title, *(f"  {key:10} {_line(row)}" for key, row in report[name].items())]
    lines += ["", "by source, most voted down first"]
    for row in report["sources"][:_SHOWN]:
        lines.append(f"  {row['id']:20} {_line(row)}")
        lines += [f"      “{reason}”" for reason in row["reasons"]]
    return "\n".join(lines)


def _line(row: dict[str, Any]) -> str:
    low, high = row["share_useful_ci95"]
    return (
        f"{row['useful']} useful, {row['not_useful']} not ({row['share_useful']:.0%} useful, {low:.0%} to {high:.0%})"
    )
