"""A message among the turns of its thread: equal values get equal numbers.

The door redacts before anything is stored and leaves a keyed mark at each token (`[EMAIL#…]`). Here, where the turns are
known, marks become numbers (`[EMAIL_1]`). Each turn keeps the marks of its own question with their numbers: they live
and are forgotten with it. Two questions of one thread answered at the same moment (HTTP API, playground) may give two
values one number; the work queue serves a thread in order.
"""

from collections.abc import Sequence
from dataclasses import replace

from bot.messages import AcceptedMessage, Told, Turn
from retrieval.redaction import numbered, unnumbered


def told_in(message: AcceptedMessage, asked: tuple[Turn, ...], turns: Sequence[Turn]) -> Told:
    """Number the tokens of a message by what its thread has numbered before.

    Args:
        message: the accepted question.
        asked: the turns that are shown with it.
        turns: all turns that are kept.
    """
    known = {mark: label for turn in turns for mark, label in turn.labels}
    earlier = [text for turn in turns for text in (turn.question, turn.answer)]
    found = numbered(message.marked or message.text, known=known, earlier=earlier)
    return Told(found.text, asked, found.labels)


def plain_turn(turn: Turn) -> Turn:
    """Give a turn with plain tokens, as the index has them."""
    question, answer = unnumbered(turn.question), unnumbered(turn.answer)
    is_plain = question is turn.question and answer is turn.answer
    return turn if is_plain else replace(turn, question=question, answer=answer)
