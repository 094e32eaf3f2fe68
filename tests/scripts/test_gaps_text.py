"""Groups of unanswered questions as a person and a program read them."""

from bot.lead.gaps import Gap, GapReason
from bot.messages import MessageId
from retrieval.redaction import RedactedText
from scripts.gaps import GapGroup, Near, group_text, group_values
from tests.sample_messages import thread


def _gap(number: int, question: str, *labels: str) -> Gap:
    said = RedactedText.stored(question)
    return Gap(MessageId(str(number)), thread(), said, said, "en", GapReason.NO_MATCH, 1.0, labels=labels)


def test_a_wording_is_told_once() -> None:
    """With how often it was asked, whatever its case."""
    gaps = tuple(_gap(n, text) for n, text in enumerate(("Dark theme?", "dark  theme?", "Night mode?", "Dark theme?")))
    group = GapGroup(gaps, {"en": ["dark"]}, ())
    examples = group_values(group)["examples"]
    assert isinstance(examples, list)
    assert [(one["question"], one["count"]) for one in examples] == [("Dark theme?", 3), ("Night mode?", 1)]
    assert [line for line in group_text(group) if "“" in line] == ["     “Dark theme?” × 3", "     “Night mode?”"]


def test_an_answer_that_askers_may_not_see_is_no_answer_for_them() -> None:
    """A document of other labels than theirs is told as such; where their labels are not known nothing is said."""
    asked = _gap(1, "What is the master code?", "public", "internal")
    assert asked.may_see(("internal", "leads"))
    assert not asked.may_see(("leads",))
    assert _gap(2, "What is the master code?").may_see(("leads",))
    group = GapGroup((asked,), {}, (Near("pd-110", "Codes", 0.96, answers=True, for_askers=False),))
    assert group_text(group)[-1] == "     answers now, but not for who asked: 0.96 pd-110  Codes"
