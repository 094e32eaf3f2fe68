"""Sources that are no more: a thread keeps nothing of them, and whoever asks on is told."""

from dataclasses import replace

from bot.lead.withdrawn import with_withdrawn, without_sources
from bot.messages import NoticeKind, Question, Turn
from bot.questions.message_json import turn_from_json, turn_to_json
from retrieval.redaction import RedactedText
from tests.sample_messages import answer, message, turn

BOTH = replace(turn("how do I reset it?"), cited_ids=("kb-101", "kb-102"))


def asked(text: str, *turns: Turn) -> Question:
    """Ask in a thread."""
    said = RedactedText.stored(text)
    return Question(replace(message(), text=said), said, "en", turns)


def test_a_turn_keeps_only_that_the_source_is_gone() -> None:
    """Neither its id among the cited ones nor the answer's words; another turn is left alone; it is read back as written."""
    left = without_sources(BOTH, {"kb-101", "kb-900"})
    assert left is not None
    assert (left.cited_ids, left.withdrawn_ids) == (("kb-102",), ("kb-101",))
    assert left.answer == "kb-101, which an earlier answer here rested on, was withdrawn."
    assert left.question == BOTH.question
    assert turn_from_json(turn_to_json(left)) == left
    assert without_sources(turn(), {"kb-102"}) is None
    again = without_sources(left, {"kb-102"})
    assert again is not None
    assert again.withdrawn_ids == ("kb-101", "kb-102")


def test_a_follow_up_is_told() -> None:
    """Leaning on such a turn or naming the source; a question of its own, and one in a thread without it, is not."""
    gone = without_sources(BOTH, {"kb-101"})
    assert gone is not None
    told = with_withdrawn(answer(), asked("and how long is it valid?", gone))
    (notice,) = told.notices
    assert (notice.kind, notice.ids) == (NoticeKind.WITHDRAWN, ("kb-101",))
    assert "kb-101" in notice.text
    named = asked("What does KB-101 say about refunds in general?", gone, turn("another question"))
    assert with_withdrawn(answer(), named).notices
    other = asked("How do I print a receipt on the TR-P80 printer?", gone, turn("another question"))
    assert not with_withdrawn(answer(), other).notices
    assert not with_withdrawn(answer(), asked("and on Android?", turn())).notices
    assert not with_withdrawn(answer(), None).notices
