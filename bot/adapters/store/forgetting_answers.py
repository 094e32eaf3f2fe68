"""What of kept answers and votes belongs to somebody or something that is to be forgotten."""

from collections.abc import Mapping
from dataclasses import replace

from bot.adapters.store.answers import read_rated, voter_field
from bot.answers.kept_json import kept_from_json
from bot.lead.forgetting import Subject, SubjectKind


def is_answer_of(subject: Subject, text: str) -> bool:
    """Tell whether a kept answer belongs to the subject; one that cannot be read any more goes with whatever is forgotten."""
    kept = kept_from_json(text)
    if kept is None:
        return True
    is_shown = subject.kind is SubjectKind.DOCUMENT and subject.id in {hit.id for hit in kept.answer.hits}
    earlier = (replace(kept.as_turn, question=question) for question in kept.earlier)
    return is_shown or subject.is_thread(kept.message.thread.key) or any(map(subject.is_turn, (kept.as_turn, *earlier)))


def votes_of(subject: Subject, message_id: str, fields: Mapping[str, str]) -> tuple[str, ...] | None:
    """Give the fields of an answer's votes that belong to the subject; None when all of the answer does."""
    rated = read_rated(message_id, fields)
    if rated is None or subject.is_thread(rated.thread.key):
        return None
    asked = (rated.turn, *(replace(rated.turn, question=question) for question in rated.earlier))
    if any(map(subject.is_turn, asked)):
        return None
    nobody = replace(rated.turn, asker="", cited_ids=())
    return tuple(
        voter_field(voter)
        for voter, vote in rated.votes.items()
        if (subject.kind is SubjectKind.USER and voter == subject.pseudonym)
        or subject.is_turn(replace(nobody, question=vote.reason))
    )
