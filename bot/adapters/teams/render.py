"""A reply as Teams messages: Markdown, numbered citations as entities, sources by id on the last part."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bot.adapters.slack.markup import defanged, without_links
from bot.adapters.slack.split import closed_fence, outside_fences, size, split_markdown
from bot.answers.notice_order import notices_above, notices_below
from bot.checks.closed_output import unlinked
from bot.checks.inert import with_brackets
from bot.messages import Answer, Citation, NoticeKind, Reply
from bot.questions.unread_files import unread_notes
from bot.texts import say
from retrieval.redaction import RedactedText

# Teams refuses messages over about 28 KB, counted as UTF-16 with all of the payload; half of it is left for that.
LIMIT_UNITS = 7_000
NAME_LIMIT, ABSTRACT_LIMIT = 80, 160  # of a citation's entity

_SPECIAL = re.compile(r"([\\`*_~\[\]#|])")


@dataclass(frozen=True, slots=True)
class TeamsPart:
    """One message: its text, and the citations that its markers name."""

    text: str
    citations: tuple[Citation, ...] = ()


def render(reply: Reply) -> list[TeamsPart]:
    """Give the messages of a reply in order; none when there is nothing to say."""
    answer = reply.answer
    body = "\n\n".join((*_heads(answer), closed_fence(safe_markdown(answer.text))))
    tail = "\n\n".join(_tail(reply))
    parts = split_markdown(body, LIMIT_UNITS) if body.strip() else []
    if tail and parts and size(parts[-1]) + size(tail) + 2 <= LIMIT_UNITS:
        parts[-1] = f"{parts[-1]}\n\n{tail}"
    elif tail:
        parts += split_markdown(tail, LIMIT_UNITS)
    return [TeamsPart(part, tuple(c for c in answer.citations if f"[{c.n}]" in part)) for part in parts]


def safe_markdown(text: str) -> str:
    """Give Markdown in which no mention, HTML, image or link of a text survives; code and quotes stay."""
    return with_brackets(outside_fences(text, without_links)).replace("&", "&amp;").replace("<", "&lt;")


def safe_literal(text: str) -> str:
    """Give text that is shown as it is inside our own Markdown, addresses in it as words."""
    one_line = defanged(unlinked(with_brackets(" ".join(text.split()))))
    return _SPECIAL.sub(r"\\\1", one_line).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _heads(answer: Answer) -> Iterator[str]:
    """Give what is broken right now, and that an answer is faint."""
    for notice in notices_above(answer):
        mark = "**" if notice.kind is NoticeKind.INCIDENT else "_"
        yield f"{mark}{safe_literal(notice.text)}{mark}"


def _tail(reply: Reply) -> Iterator[str]:
    answer = reply.answer
    yield from (f"_{safe_literal(notice.text)}_" for notice in notices_below(answer))
    yield from (f"_{safe_literal(note)}_" for note in unread_notes(reply.message, answer.language))
    yield from _triage(answer)
    if answer.citations:
        rows = "\n".join(_source(c, answer.language) for c in answer.citations)
        yield f"**{safe_literal(say('sources', answer.language))}**\n\n{rows}"


def _triage(answer: Answer) -> Iterator[str]:
    triage = answer.triage
    if triage is None:
        return
    lines = (("queue", triage.queue), ("next_step", triage.next_step), ("similar", ", ".join(triage.similar)))
    yield from (f"**{safe_literal(say(k, answer.language))}:** {safe_literal(value)}" for k, value in lines if value)


def _source(citation: Citation, language: str) -> str:
    line = f"- [{citation.n}] {safe_literal(citation.id)} {safe_literal(citation.title)}".rstrip()
    if citation.updated_at:
        date = RedactedText.stored(citation.updated_at[:10])
        line += f" ({safe_literal(say('updated', language, date=date))})"
    return line
