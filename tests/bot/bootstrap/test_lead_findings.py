"""Findings as the page shows them."""

from datetime import date

from bot.bootstrap.lead_findings import findings_of, gap_findings, unresolved_finding
from bot.lead.findings import Decided, Fate, Finding
from bot.lead.gaps import Gap, GapReason
from bot.messages import MessageId
from retrieval.documents import Document
from retrieval.redaction import RedactedText
from retrieval.validation import validate
from tests.sample_messages import thread

_TODAY = date(2026, 11, 30)


def _found(title: str) -> list[Finding]:
    documents = [
        Document(id="kb-1", title=title, text="- **Refund:** the window is 14 days from the invoice.", lang="en"),
        Document(id="kb-2", title="Refunds", text="- **Refund:** the window is 30 days from the invoice.", lang="en"),
        Document(id="kb-3", title="Old", text="Open the door.", status="superseded", review_by="2026-01-01"),
        Document(id="kb-4", title="Parking", text="Visitors park behind it.", review_by="2026-01-01", owner="Ana"),
        Document(id="kb-5", title="New", text="Push the door of the hall.", supersedes=("kb-6",)),
        Document(id="kb-6", title="Doors", text="Pull the door of the hall."),
    ]
    return list(findings_of(validate(documents, today=_TODAY), {document.id: document for document in documents}))


def test_ids_have_titles_and_quotes_no_markdown() -> None:
    """A document without a title, or whose title is its id, is named by its id alone."""
    found = {(one.kind, one.title): one for one in _found("kb-1")}
    (conflict,) = [one for one in found.values() if one.kind == "conflict"]
    sides = " ".join(conflict.details[:2])
    assert "kb-2 · Refunds" in sides
    assert "kb-1 · kb-1" not in sides
    assert "“Refund: the window is 14 days from the invoice.”" in sides
    assert ("stale", "kb-4 · Parking") in found
    assert found["superseded", "kb-6 · Doors"].details == ("replaced by kb-5 · New",)
    assert found["superseded", "kb-3 · Old"].details == ("replaced, by its status",)


def test_a_document_is_out_of_date_once() -> None:
    """With everything that speaks against it side by side."""
    late = Document(
        id="kb-1", title="Till", text="Support ends on 31 March 2026.", valid_until="2026-03-31", review_by="2025-12-01"
    )
    found = [one for one in findings_of(validate([late], today=_TODAY), {"kb-1": late}) if one.kind == "stale"]
    assert [one.ids for one in found] == [("kb-1",)]
    assert len(found[0].details) >= 2


def test_a_decision_holds_when_a_title_changes() -> None:
    """A finding is named by what its documents say, not by how the page shows it."""
    assert [one.key for one in _found("Refunds of 2024")] == [one.key for one in _found("Money back")]


def test_questions_in_other_words_are_one_finding() -> None:
    """With the newest as its title and the others beside it; votes are findings of their own."""
    asked = ["Can customers pay with Bitcoin?", "Could a customer pay by Bitcoin", "Do schools get a discount?"]
    gaps = [
        Gap(MessageId(f"m{n}"), thread(), RedactedText.stored(q), RedactedText.stored(q), "en", GapReason.NO_MATCH, n)
        for n, q in enumerate(asked)
    ]
    first, second = gap_findings(gaps, {})
    assert (first[0].title, first[0].weight, first[1]) == (asked[1], 2.0, gaps[1])
    assert first[0].details[-1] == f"also asked as: {asked[0]}"
    assert second[0].title == asked[2]


def test_one_more_asker_undoes_no_decision() -> None:
    """The question keeps its name when it is asked again, in other words or with other sources; its owner is the sources' one."""
    text = RedactedText.stored("Can customers pay with Bitcoin?")
    other = RedactedText.stored("Could a customer pay by Bitcoin")
    first = Gap(MessageId("m1"), thread(), text, text, "en", GapReason.THUMBS_DOWN, 1.0, cited=("kb-1",))
    again = Gap(MessageId("m2"), thread(), other, other, "en", GapReason.THUMBS_DOWN, 9.0, cited=("kb-4",))
    documents = {"kb-4": Document(id="kb-4", title="Payment", text="By card.", owner="Ana")}
    ((before, _),) = gap_findings([first], documents)
    ((after, _),) = gap_findings([first, again], documents)
    assert (before.key, before.owners) == (after.key, ())
    assert (after.owners, after.seen_at, after.title) == (("Ana",), 9.0, str(other))
    assert "rested on kb-4 · Payment" in after.details
    assert Decided(Fate.RESOLVED, "lead", 1.0).hides(before, 5.0)
    assert not Decided(Fate.RESOLVED, "lead", 1.0).hides(after, 9.0)
    assert Decided(Fate.SNOOZED, "lead", 1.0, until=20.0).hides(after, 9.0)


def test_tickets_without_a_resolution_are_one_finding() -> None:
    """With their ids, as far as anybody reads them; none without one."""
    assert list(unresolved_finding(())) == []
    (one,) = unresolved_finding(("t-1",))
    assert (one.title, one.details) == ("1 ticket", ("t-1",))
    (many,) = unresolved_finding(tuple(f"t-{n}" for n in range(70)))
    assert (many.title, many.details[0][-42:]) == ("70 tickets", "and 10 more (`triage validate` lists them)")
