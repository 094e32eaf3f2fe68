"""Which notices stand above an answer and which below it.

What is broken right now may explain everything, and who reads in a hurry must know before the first quote that it is
faint: of 27 faint answers that a newcomer judged 23 were not what he had asked for.
"""

from bot.messages import Answer, Notice, NoticeKind


def notices_above(answer: Answer) -> tuple[Notice, ...]:
    """Give the incidents, and the first word of doubt."""
    incidents = tuple(notice for notice in answer.notices if notice.kind is NoticeKind.INCIDENT)
    return (*incidents, *_doubts(answer)[:1])


def notices_below(answer: Answer) -> tuple[Notice, ...]:
    """Give the others, in their order."""
    above = notices_above(answer)
    return tuple(notice for notice in answer.notices if notice not in above)


def _doubts(answer: Answer) -> list[Notice]:
    return [notice for notice in answer.notices if notice.kind is NoticeKind.UNCERTAIN]
