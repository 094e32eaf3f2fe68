"""Claims of `retrieval.documents.code`: code is found with and without a fence, comes whole, and prose stays prose."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.documents import Document, chunk_document
from retrieval.documents.blocks import WHOLE
from retrieval.documents.chunk import WORDS
from retrieval.documents.code import code_at, is_fence

SCRIPT = "```\nmake install\n./run.sh --all\n```"


def sentences_of(text: str) -> list[str]:
    """Give the evidence of an article."""
    chunks = chunk_document(Document(id="kb-1", title="Title", text=text))
    return list(dict.fromkeys(sentence for chunk in chunks for sentence in chunk.sentences))


@pytest.mark.parametrize(
    "written",
    [
        "```\nmake install\n./run.sh --all\n```",
        "~~~\nmake install\n./run.sh --all\n~~~",
        "    ```\n    make install\n    ./run.sh --all\n    ```",
        "\t~~~\n\tmake install\n\t./run.sh --all\n\t~~~",
        "    make install\n    ./run.sh --all",
        "\tmake install\n\t./run.sh --all",
        "        make install\n        ./run.sh --all",
    ],
)
@pytest.mark.parametrize("step", ["1. Run the script:", "Run the script:", "**Führen Sie aus:**", "运行脚本："])
@pytest.mark.parametrize("gap", ["\n", "\n\n", "\n    \n"])
def test_one_form_however_it_is_written(written: str, step: str, gap: str) -> None:
    """Fenced by backticks or tildes, in a list or not, or only indented; with a blank line or none; nothing swallows what follows."""
    assert sentences_of(f"{step}{gap}{written}\n\n2. Wait for it.") == [step, SCRIPT, "2. Wait for it."]


@pytest.mark.parametrize(
    "text",
    [
        "The mode is chosen here:\n\n    Only one mode can be chosen at a time.\n",
        "Choose one:\n\n    Python (psycopg2)\n    Java (JDBC)\n",
        "It is over.\n\n    make install\n",
        "1. Do this:\n    - click it\n    - leave it\n",
        "Look here:\n  a = b\n",
        "Use ```make``` there.\n",
    ],
)
def test_prose_is_no_code(text: str) -> None:
    """Indented paragraphs, lists, what nothing announces, and code within a line stay as they were."""
    assert not any("\n" in sentence or sentence.startswith("```\n") for sentence in sentences_of(text))


def test_the_inside_keeps_its_own_shape() -> None:
    """Indentation beyond that of the list, blank lines, the language, and shorter fences within."""
    text = "- Add this:\n\n    ~~~ yaml\n    a:\n\n      b: 1\n    ```\n    ~~~\n"
    assert sentences_of(text)[1] == "````yaml\na:\n\n  b: 1\n```\n````"
    assert sentences_of("Add this:\n\n\ta:\n\t\tb: 1\n\n\t\tc: 2\n")[1] == "```\na:\n    b: 1\n\n    c: 2\n```"
    assert sentences_of("~~~ a`b\nx\n~~~")[0] == "~~~a`b\nx\n~~~"


def test_a_script_stays_with_the_line_that_announces_it() -> None:
    """Where a chunk is full, both go to the next one; a script longer than a chunk stays whole."""
    script = "```\n" + "\n".join(f"echo step {n} of the script" for n in range(40)) + "\n```"
    chunks = chunk_document(Document(id="kb-1", title="T", text=f"{'Some words here. ' * 36}Run this:\n\n{script}\n"))
    assert [chunk.sentences[:2] for chunk in chunks if script in chunk.sentences] == [("Run this:", script)]
    (one,) = chunk_document(Document(id="kb-1", title="T", text=f"Run this:\n{script}"))
    assert one.sentences == ("Run this:", script)


def test_of_a_torn_script_no_piece_looks_whole() -> None:
    """What is far too long for an answer is searched in pieces, and none of them is taken for a script."""
    lines = [f"echo step {n} of the script" for n in range(120)]
    for text in ("\n".join(lines), "x = [" + "1, " * (WHOLE * WORDS + 50) + "]", "\n".join([*lines, "word " * 500])):
        pieces = [
            s for s in sentences_of(f"Run this:\n```sh\n{text}\n```\nDone now.") if s not in ("Run this:", "Done now.")
        ]
        assert len(pieces) > 1
        assert all(sum(map(is_fence, piece.split("\n"))) == 1 for piece in pieces)


def test_pieces_of_a_long_table_have_its_head() -> None:
    """A row without its head says nothing."""
    table = "| plan | a month |\n|---|---|\n" + "\n".join(f"| plan number {n} of all | {n} euro |" for n in range(120))
    assert all(piece.startswith("| plan | a month |\n|---|---|\n") for piece in sentences_of(table))
    bare = "\n".join(f"| plan number {n} of all | {n} euro |" for n in range(120))
    assert "".join(sentences_of(bare)).count("|") == bare.count("|")


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(["```", "~~~", "  ```sh", "    x = 1", "Run:", "", "\t- a", "word"]), max_size=12))
def test_every_line_is_read_once(lines: list[str]) -> None:
    """Whatever the fences, reading goes on behind what was read, and loses no word."""
    for position in range(len(lines)):
        if found := code_at(lines, position):
            assert position < found[1] <= len(lines)
            inside = [line.strip() for line in lines[position : found[1]] if line.strip(" \t`~")]
            assert [line.strip() for line in found[0].split("\n") if line.strip(" \t`~")] == inside or "sh" in inside[0]
