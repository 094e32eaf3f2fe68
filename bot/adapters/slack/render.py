"""A reply as Slack messages: the answer, what must be known beside it, and the sources by id on the last part."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from bot.adapters.slack.answer_buttons import Block, Buttons
from bot.adapters.slack.markup import as_mrkdwn, safe_literal, safe_markdown, safe_url, with_hard_breaks
from bot.adapters.slack.split import LIMIT, closed_fence, size, split_markdown
from bot.adapters.slack.tables import without_pipes
from bot.answers.notice_order import notices_above, notices_below
from bot.messages import Answer, NoticeKind, Reply
from bot.questions.overheard import notes_around
from bot.questions.unread_files import unread_notes
from bot.texts import say
from retrieval.redaction import RedactedText

SECTION_LIMIT, MOST_SECTIONS = 2_900, 40  # of 3 000 characters and 50 blocks
TEXT_LIMIT = 3_900  # of the plain `text`; longer ones are cut by some clients


@dataclass(frozen=True, slots=True)
class Part:
    """One message: Markdown for the `markdown` block, the same in Slack's own format for `text`, and what stands below."""

    markdown: str
    text: str
    above: tuple[Block, ...] = ()
    below: tuple[Block, ...] = ()

    def blocks(self) -> list[Block]:
        """Give the blocks of the message."""
        return [*self.above, {"type": "markdown", "text": self.markdown}, *self.below]

    def sections(self) -> list[Block]:
        """Give the same in blocks that every client knows, each within its limit; at most as many as a message takes."""
        pieces = split_markdown(self.markdown, SECTION_LIMIT)[:MOST_SECTIONS]
        texts: list[Block] = [
            {"type": "section", "text": {"type": "mrkdwn", "text": as_mrkdwn(piece)}} for piece in pieces
        ]
        return [*self.above, *texts, *self.below]


def render(reply: Reply, buttons: Buttons | None = None) -> list[Part]:
    """Give the messages of a reply in order, the buttons below the last one; none when there is nothing to say."""
    parts = _parts(reply)
    if parts and buttons is not None:
        parts[-1] = replace(parts[-1], below=tuple(buttons.below(reply)))
        for mention in buttons.above(reply):
            section: Block = {"type": "section", "text": {"type": "mrkdwn", "text": mention}}
            parts[0] = replace(parts[0], above=(section,), text=f"{mention} {parts[0].text}")
    return parts


def beginning(reply: Reply) -> str:
    """Give what a reply says, without what stands below it; empty where it is too long for one message."""
    body = _body(reply)
    return body if size(body) <= LIMIT else ""


def _body(reply: Reply) -> str:
    answer = closed_fence(safe_markdown(without_pipes(reply.answer.text)))
    return with_hard_breaks("\n\n".join(filter(None, (_question(reply), *_heads(reply.answer), answer))))


def _parts(reply: Reply) -> list[Part]:
    body = _body(reply)
    tail = with_hard_breaks("\n\n".join(filter(None, ("\n".join(group) for group in _tail(reply)))))
    parts = split_markdown(body)
    if tail and parts and size(parts[-1]) + size(tail) + 2 <= LIMIT:
        parts[-1] = f"{parts[-1]}\n\n{tail}"
    elif tail:
        parts += split_markdown(tail)
    return [Part(part, _cut(as_mrkdwn(part))) for part in parts]


def _cut(text: str) -> str:
    """Cut where no word, address or link is halved."""
    if len(text) <= TEXT_LIMIT:
        return text
    head = text[: TEXT_LIMIT - 1]
    head = head[: max(head.rfind(" "), head.rfind("\n"))].rstrip() if " " in head or "\n" in head else head
    opened = head.rfind("<")
    return (head if head.find(">", opened) > 0 or opened < 0 else head[:opened]).rstrip() + "…"


def _question(reply: Reply) -> str:
    """Repeat the question of a slash command: nobody else saw it, and the asker's own copy is gone."""
    if not reply.message.is_command or not reply.message.text:
        return ""
    asked = say("you_asked", reply.answer.language, question=reply.message.text)
    return "> " + safe_literal(asked)[:1_000]


def _heads(answer: Answer) -> Iterator[str]:
    """Give what is broken right now, and that an answer is faint."""
    for notice in notices_above(answer):
        is_incident = notice.kind is NoticeKind.INCIDENT
        said = safe_literal(notice.text)
        yield f":rotating_light: **{said}**" if is_incident else f"_{said}_"


def _tail(reply: Reply) -> Iterator[Iterable[str]]:
    """Give what stands below the answer, in groups of lines: what must be known, where such cases go, the sources."""
    yield _notices(reply)
    yield _triage(reply.answer)
    yield _sources(reply.answer)


def _notices(reply: Reply) -> Iterator[str]:
    message, language = reply.message, reply.answer.language
    below = (notice.text for notice in notices_below(reply.answer))
    for text in (*below, *unread_notes(message, language), *notes_around(message, language)):
        yield f"_{safe_literal(text)}_"


def _triage(answer: Answer) -> Iterator[str]:
    triage, language = answer.triage, answer.language
    if triage is None:
        return
    lines = (("queue", triage.queue), ("next_step", triage.next_step), ("similar", ", ".join(triage.similar)))
    yield from (f"**{safe_literal(say(key, language))}:** {safe_literal(value)}" for key, value in lines if value)


def _sources(answer: Answer) -> Iterator[str]:
    if answer.citations:
        yield f"**{safe_literal(say('sources', answer.language))}**"
    for citation in answer.citations:
        url, name = safe_url(citation.url), safe_literal(citation.id)
        shown = f"[{name}]({url})" if url else name
        line = f"\\[{citation.n}\\] {shown} {safe_literal(citation.title)}".rstrip()
        if citation.updated_at:
            date = RedactedText.stored(citation.updated_at[:10])
            line += f" ({safe_literal(say('updated', answer.language, date=date))})"
        yield line
