"""What the lead's page says of findings and unanswered questions: titles beside ids, quotes without Markdown."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime

from bot.lead.findings import Finding
from bot.lead.gaps import Gap, GapReason
from bot.questions.asked_alike import asked_alike
from retrieval.documents import Document
from retrieval.validation import Validation
from retrieval.validation.grouping import Conflict
from retrieval.validation.plain_quotes import plain_quote
from retrieval.validation.staleness import Stale

# Wordings of a question that are shown beside the newest.
_WORDINGS = 3
# Tickets that are named one by one.
_TICKETS = 60
_BY_STATUS = "replaced, by its status"


def findings_of(found: Validation, documents: Mapping[str, Document]) -> Iterator[Finding]:
    """Give what was found in the base, as the page shows it."""
    for conflict in found.conflicts:
        yield _conflict(conflict, documents)
    yield from _out_of_date(found.stale, documents)
    for one in found.superseded:
        yield Finding(
            kind="superseded",
            ids=(one.id,),
            title=_named(one.id, documents),
            details=(f"replaced by {_named(one.by, documents)}" if one.by else _BY_STATUS,),
            owners=_owners(documents, (one.id,)),
            said=(one.id, f"replaced by {one.by}" if one.by else _BY_STATUS),
        )
    for kind, families in (("copies", found.copies), ("ring", found.rings)):
        for ids in families:
            titles = tuple(f"{name}\n{documents[name].title}" for name in ids if name in documents)
            yield Finding(kind, ids, ", ".join(ids), titles, _owners(documents, ids), float(len(ids)))


def _out_of_date(stale: Sequence[Stale], documents: Mapping[str, Document]) -> Iterator[Finding]:
    """Give one finding for a document, with everything that speaks against it: it is reviewed once."""
    by_document: dict[str, list[Stale]] = {}
    for one in stale:
        by_document.setdefault(one.id, []).append(one)
    for name, of_one in by_document.items():
        reasons = tuple(one.reason for one in of_one)
        yield Finding(
            kind="stale",
            ids=(name,),
            title=_named(name, documents),
            details=reasons,
            owners=(of_one[0].owner,),
            weight=max(one.certainty for one in of_one),
            said=(name, *reasons),
        )


def _conflict(conflict: Conflict, documents: Mapping[str, Document]) -> Finding:
    """Give both sides with id, title, date, value and quote.

    It is named by the texts as they are written, so that a decision holds whatever the page shows of them.
    """
    _, *details = _told(conflict, lambda name: _named(name, documents), plain_quote)
    subject = plain_quote(conflict.subject) or conflict.slot or conflict.kind
    return Finding(
        kind="conflict",
        ids=conflict.ids,
        title=f"{subject}: {' or '.join(map(plain_quote, conflict.values))}",
        details=(*details, f"{conflict.likelihood}: {conflict.why}"),
        owners=conflict.owners,
        weight=conflict.certainty,
        said=_told(conflict, str, str),
    )


def _told(conflict: Conflict, named: Callable[[str], str], quoted: Callable[[str], str]) -> tuple[str, ...]:
    """Give title, both sides, who says the same, and the reason."""
    sides = tuple(
        f"{named(name)}{f' · {day}' if day else ''}{' · preferred' if name == conflict.prefer else ''}"
        f"\n{quoted(value)}\n“{quoted(sentence)}”"
        for name, day, value, sentence in zip(
            conflict.ids[:2], conflict.dates, conflict.values, conflict.sentences, strict=True
        )
    )
    others = conflict.ids[2:]
    same = (f"the same is said by {', '.join(map(named, others))}",) if others else ()
    title = f"{conflict.slot or conflict.kind}: {' or '.join(map(quoted, conflict.values))}"
    return (title, *sides, *same, conflict.reason)


def _named(name: str, documents: Mapping[str, Document]) -> str:
    """Give the id of a document and, where it has another one, its title."""
    title = documents[name].title.strip() if name in documents else ""
    return f"{name} · {title}" if title and title != name else name


def _owners(documents: Mapping[str, Document], ids: Sequence[str]) -> tuple[str, ...]:
    return tuple(documents[name].owner for name in ids if name in documents)


def unresolved_finding(ids: Sequence[str]) -> Iterator[Finding]:
    """Give the tickets without a resolution as one finding: what they lack is the same."""
    if ids:
        shown = ", ".join(ids[:_TICKETS])
        more = f" and {len(ids) - _TICKETS} more (`triage validate` lists them)" if len(ids) > _TICKETS else ""
        title = "1 ticket" if len(ids) == 1 else f"{len(ids)} tickets"
        yield Finding("unresolved", tuple(ids), title, (shown + more,), said=tuple(ids))


def gap_findings(gaps: Sequence[Gap], documents: Mapping[str, Document]) -> Iterator[tuple[Finding, Gap]]:
    """Give one finding for questions that ask for the same, with its newest gap; `triage gaps` also joins languages."""
    for kind, is_down in (("gap", False), ("thumbs_down", True)):
        chosen = [gap for gap in gaps if (gap.reason is GapReason.THUMBS_DOWN) is is_down]
        for places in asked_alike([str(gap.query) for gap in chosen]):
            same = [chosen[place] for place in places]
            yield _asked(kind, same, documents), same[-1]


def _asked(kind: str, same: Sequence[Gap], documents: Mapping[str, Document]) -> Finding:
    """Give the finding; it is named by its oldest wording, so that one more asker does not undo what was decided."""
    newest = same[-1]
    day = datetime.fromtimestamp(newest.asked_at, UTC).date().isoformat()
    reasons = ", ".join(sorted({str(gap.reason).replace("_", " ") for gap in same}))
    details = [f"{len(same)} × {reasons}, last on {day} ({newest.language})"]
    if newest.cited:
        details.append(f"rested on {', '.join(_named(name, documents) for name in newest.cited)}")
    wordings = dict.fromkeys(
        str(gap.query) for gap in reversed(same) if gap.query.casefold() != newest.query.casefold()
    )
    if wordings:
        details.append(f"also asked as: {' / '.join(list(wordings)[:_WORDINGS])}")
    return Finding(
        kind=kind,
        ids=newest.cited,
        title=str(newest.query),
        details=tuple(details),
        owners=_owners(documents, newest.cited),
        weight=float(len(same)),
        said=(str(same[0].query),),
        seen_at=newest.asked_at,
    )
