"""ARCHITECTURE.md shows the flow that the code has."""

import re
from pathlib import Path

from bot.pipeline import STAGES

PAGE = (Path(__file__).parents[2] / "ARCHITECTURE.md").read_text(encoding="utf-8")


def test_the_picture_names_the_stages_in_order() -> None:
    """The chain of the diagram is accept, the tuple of the pipeline, reply."""
    diagram = re.search(r"```mermaid\n(.*?)```", PAGE, re.DOTALL)
    assert diagram is not None
    chain = next(line for line in diagram.group(1).splitlines() if line.count("-->") > 3)
    names = [part.strip() for part in chain.split("-->")]
    assert names == ["accept", *(stage.__name__.removesuffix("_stage") for stage in STAGES), "reply"]


def test_every_end_of_the_picture_is_an_outcome() -> None:
    """The dotted arrows carry outcomes of the contract."""
    from bot.messages import Outcome

    ends = re.findall(r"-\. ([a-z_, ]+) \.->", PAGE)
    named = {name.strip() for end in ends for name in end.split(",")}
    assert named <= {str(outcome) for outcome in Outcome}
    assert {"off_topic", "no_match", "clarify"} <= named
