"""Under which heading the sentences of a chunk stand."""

from dataclasses import replace

from retrieval.documents.chunk import chunk_document
from retrieval.documents.document import TICKET, Document
from retrieval.passages import DocumentCard
from retrieval.ports import StoredPassage
from retrieval.redaction import RedactedText
from retrieval.search.headed import Headed, headed

PAGE = """# Errors

Some of them are listed here, in no order.

## V-22: certificate

The clock of the computer is wrong.

## V-31: sessions

You are connected twice.

**The printer shows "held". Why?**
Your balance is too low. Top it up.

What about paper?
Own paper jams.
"""


def _stored(text: str, *, kind: str = "article") -> list[StoredPassage]:
    """Store the chunks of a page as an index does."""
    document = Document(id="a", title="Errors", text=text, kind=kind)
    card = DocumentCard("a", RedactedText.stored("Errors"), kind=kind)
    return [
        StoredPassage(
            n,
            chunk.id,
            card,
            RedactedText.stored(chunk.heading),
            RedactedText.stored(chunk.search_text),
            tuple(map(RedactedText.stored, chunk.sentences)),
            None,
            n,
        )
        for n, chunk in enumerate(chunk_document(document))
    ]


def test_a_sentence_stands_under_the_heading_above_it() -> None:
    """Also under a line in bold, whatever stops stand in it, and under a question."""
    (chunk,) = _stored(PAGE)
    found = dict(zip(map(str, chunk.sentences), (one.text for one in headed(chunk)), strict=True))
    assert found["Some of them are listed here, in no order."] == "Errors"
    assert found["The clock of the computer is wrong."] == "V-22: certificate"
    assert found["You are connected twice."] == "V-31: sessions"
    for reply in ('**The printer shows "held".', "Why?**", "Your balance is too low.", "Top it up."):
        assert found[reply] == 'V-31: sessions › The printer shows "held". Why?'
    assert found["Own paper jams."] == "V-31: sessions › What about paper?"


def test_a_section_goes_on_in_the_next_chunk() -> None:
    """Which has the whole path above it, and does not repeat the line in bold."""
    long = " ".join(
        f"Step {n} is done with great care and no hurry at all by whoever happens to be there." for n in range(20)
    )
    chunks = _stored(f"# All\n\n## Setup\n\nA line.\n\n## Removal\n\n**On a phone**\n{long}")
    assert len(chunks) > 1
    before = headed(chunks[0])[-1]
    assert before == Headed("Removal", "**On a phone**") or before.own == "**On a phone**"
    assert all(one.is_same(before) for one in headed(chunks[1], before))
    assert headed(chunks[1])[0].own == ""


def test_nothing_is_said_of_a_ticket_or_of_a_text_that_differs() -> None:
    """Around a resolution stand the customer's words."""
    (chunk,) = _stored(PAGE)
    (ticket,) = _stored(PAGE, kind=TICKET)
    assert set(headed(ticket)) == {Headed()}
    other = replace(chunk, search_text=RedactedText.stored("Something else."))
    assert headed(other)[1].above == str(chunk.heading)
    assert headed(replace(chunk, sentences=())) == ()
