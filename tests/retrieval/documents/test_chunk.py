"""Claims of `retrieval.documents.chunk`: everything is covered, little is torn, tickets never show the customer's words."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.documents import Document, chunk_document
from retrieval.documents.blocks import WHOLE, weigh
from retrieval.documents.chunk import OVERLAP, WORDS


def chunks_of(text: str, **fields: str) -> tuple:
    """Chunk one article."""
    return chunk_document(Document(id="kb-1", title=fields.get("title", "Title"), text=text))


LINES = st.lists(
    st.one_of(
        st.text(alphabet="ab cд語。.!?\n#|`-1", max_size=60),
        st.sampled_from(
            [
                "# Top",
                "## Sub",
                "```",
                "1. Open it.",
                "- item",
                "| a | b |",
                "word " * 80,
                "語" * 90,
                "x" * 900,
                "Head\n===",
                "",
            ]
        ),
    ),
    max_size=14,
).map("\n".join)


def not_prose(sentence: str) -> bool:
    """Say whether a sentence is code or a table."""
    return "```" in sentence or "|" in sentence


def letters(text: str) -> str:
    """Give what must not be lost: everything but blanks and the marks of headings and rules."""
    return re.sub(r"[\s#=›-]+", "", text)


@settings(max_examples=150, deadline=None)
@given(LINES)
def test_chunks_cover_the_document(text: str) -> None:
    """Every letter of the document is in the headings and texts of its chunks, in order."""
    together = iter("".join(letters(chunk.heading) + letters(chunk.text) for chunk in chunks_of(text)))
    assert all(letter in together for letter in letters(text))  # `in` moves the iterator: a subsequence


@settings(max_examples=100, deadline=None)
@given(LINES)
def test_chunks_stay_near_their_size_and_have_evidence(text: str) -> None:
    """No chunk is over the size by more than its overlap and inner headings, save for code and tables; each has evidence."""
    for chunk in chunks_of(text):
        is_block = any(not_prose(sentence) for sentence in chunk.sentences)
        assert weigh(chunk.text) <= (WHOLE if is_block else 1) * WORDS + OVERLAP + 20
        assert chunk.sentences


def test_a_chunk_keeps_title_and_path_of_headings() -> None:
    """What stands above a slice is searched with it."""
    text = f"# Install\n\n## Linux\n\n{'Run the installer now. ' * 20}\n\n## Mac\n\n{'Drag the icon there. ' * 20}"
    chunks = chunks_of(text, title="Setup")
    assert [chunk.heading for chunk in chunks] == ["Install › Linux", "Install › Mac"]
    assert chunks[1].search_text.startswith("Setup\nInstall › Mac\nDrag")


def test_long_text_overlaps_by_a_sentence() -> None:
    """The last sentence of a slice begins the next one."""
    chunks = chunks_of(" ".join(f"Sentence number {i} says a little." for i in range(60)))
    assert len(chunks) > 2
    assert chunks[0].sentences[-1] in chunks[1].sentences[:2]


def test_code_steps_and_tables_are_not_torn() -> None:
    """A code block, a step and a small table each stay in one piece."""
    code = "```\nsudo systemctl stop app\nsudo systemctl start app\n```"
    table = "| Plan | Price |\n|---|---|\n| Pro | 5 |"
    chunks = chunks_of(f"{'Some words here. ' * 36}\n\n{code}\n\n1. Open it. Wait.\n2. Close it.\n\n{table}")
    sentences = [sentence for chunk in chunks for sentence in chunk.sentences]
    assert code in sentences
    assert table in sentences
    assert "1. Open it. Wait." in sentences


def test_unspaced_scripts_and_endless_words_are_cut() -> None:
    """Chinese is counted by characters; a word of 20 000 characters becomes many chunks of it."""
    assert len(chunks_of("打开设置并点击重置按钮。" * 60)) >= 3
    chunks = chunks_of("x" * 20_000)
    assert len(chunks) > 10
    assert "".join(chunk.text for chunk in chunks) == "x" * 20_000


def test_a_document_without_evidence_gives_no_chunk() -> None:
    """Nothing to quote, nothing to index."""
    assert chunks_of("") == ()
    assert chunk_document(Document(id="t", kind="ticket", question="Why?")) == ()


def test_headings_alone_are_the_evidence() -> None:
    """A page of headings can be found and quoted; headings at the end of a page are not lost."""
    assert chunks_of("# One\n\n# Two")[0].sentences == ("One", "Two")
    assert "Last" in chunks_of("Some text here.\n\n# Last")[-1].text


def test_a_ticket_is_found_by_the_question_and_quotes_the_resolution() -> None:
    """The customer's words are in the search text and in no sentence, however long they are."""
    question = " ".join(f"Customer line {i} complains loudly." for i in range(60))
    ticket = Document(id="t", kind="ticket", title="Help", question=question, resolution="We reset the token.")
    chunks = chunk_document(ticket)
    assert len(chunks) > 2
    assert all(chunk.sentences == ("We reset the token.",) for chunk in chunks)
    searched = " ".join(chunk.search_text for chunk in chunks)
    assert all(f"Customer line {i} complains" in searched for i in range(60))


def test_the_text_of_a_resolved_ticket_is_matched_and_not_quoted() -> None:
    """Beside a resolution, `text` may be the whole conversation."""
    ticket = Document(id="t", kind="ticket", text="Customer: my card is 1234", resolution="Refunded.")
    (chunk,) = chunk_document(ticket)
    assert "Customer" in chunk.search_text
    assert chunk.sentences == ("Refunded.",)
