"""`triage feedback report`: votes summed up, and what most voted down counts as a gap."""

from dataclasses import replace

from bot.lead.feedback import Rated, Verdict, Vote
from bot.lead.gaps import GapReason, gap_of_votes
from bot.messages import MessageId
from retrieval.redaction import RedactedText
from scripts.feedback_report import report_of, text_of
from tests.sample_messages import thread, turn

UP = Vote(Verdict.USEFUL, 10.0)
DOWN = Vote(Verdict.NOT_USEFUL, 20.0, RedactedText.stored("out of date"))


def rated(name: str, *votes: Vote, cited: tuple[str, ...] = ("kb-101",), language: str = "en") -> Rated:
    """Make an answer with votes."""
    about = replace(turn(f"question {name}"), cited_ids=cited, language=language)
    return Rated(MessageId(name), thread(), about, (), {str(place): vote for place, vote in enumerate(votes)})


def test_votes_by_source_language_and_week() -> None:
    """The most voted down source comes first, with its reasons; small numbers have wide intervals; older votes are left out."""
    rows = [
        rated("a", UP, UP, cited=("kb-1",)),
        rated("b", DOWN, UP, cited=("kb-2",), language="de"),
        rated("old", Vote(Verdict.USEFUL, 1.0)),
    ]
    told = report_of(rows, since=5.0)
    assert (told["answers"], told["useful"], told["not_useful"], told["share_useful"]) == (2, 3, 1, 0.75)
    assert [(row["id"], row["not_useful"], row["reasons"]) for row in told["sources"]] == [
        ("kb-2", 1, ["out of date"]),
        ("kb-1", 0, []),
    ]
    assert told["languages"]["de"]["share_useful"] == 0.5
    assert told["weeks"].keys() == {"2023-W46"}
    assert told["languages"]["en"]["share_useful_ci95"][0] < 0.5
    text = text_of(told)
    assert text.startswith("2 answers with votes: 3 useful, 1 not (75% useful")
    assert "“out of date”" in text
    assert text_of(report_of([], since=0.0)) == "nobody has said anything of an answer"


def test_what_most_voted_down_is_a_gap() -> None:
    """A tie is none; the gap has the question, what was cited, and its reason."""
    gap = gap_of_votes(rated("a", DOWN, DOWN, UP))
    assert gap is not None
    assert (gap.reason, gap.question, gap.cited) == (GapReason.THUMBS_DOWN, "question a", ("kb-101",))
    assert gap_of_votes(rated("b", DOWN, UP)) is None
