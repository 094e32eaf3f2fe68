"""A reply as Slack messages: the answer, what must be known beside it, and the sources by id on the last part."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bot.adapters.slack.markup import as_mrkdwn, safe_literal, safe_markdown, safe_url
from bot.adapters.slack.split import LIMIT, size, split_markdown
from bot.adapters.slack.tables import without_pipes
from bot.messages import Answer, Citation, Reply
from bot.texts import say
from retrieval.redaction import RedactedText

TEXT_LIMIT = 3_900  # of the plain `text`; longer ones are cut by some clients


@dataclass(frozen=True, slots=True)
class Part:
    """One message: Markdown for the `markdown` block, and the same in Slack's own format for `text`."""

    markdown: str
    text: str

    def blocks(self) -> list[dict[str, object]]:
        """Give the blocks of the message."""
        return [{"type": "markdown", "text": self.markdown}]


def render(reply: Reply) -> list[Part]:
    """Give the messages of a reply in order; none when there is nothing to say."""
    body = "\n\n".join(filter(None, (_question(reply), safe_markdown(without_pipes(_closed(reply.answer.text))))))
    tail = "\n".join(_tail(reply))
    parts = split_markdown(body) if body.strip() else []
    if tail and parts and size(parts[-1]) + size(tail) + 2 <= LIMIT:
        parts[-1] = f"{parts[-1]}\n\n{tail}"
    elif tail:
        parts += split_markdown(tail)
    return [Part(part, _cut(as_mrkdwn(part))) for part in parts]


def _closed(text: str) -> str:
    """Close a code fence that the answer left open, or the sources would become code."""
    return text + "\n```" if text.count("```") % 2 else text


def _cut(text: str) -> str:
    return text if len(text) <= TEXT_LIMIT else text[: TEXT_LIMIT - 1] + "…"


def _question(reply: Reply) -> str:
    """Repeat the question of a slash command: nobody else saw it, and the asker's own copy is gone."""
    if not reply.message.is_command or not reply.message.text:
        return ""
    asked = say("you_asked", reply.answer.language, question=reply.message.text)
    return "> " + safe_literal(asked)[:1_000]


def _tail(reply: Reply) -> Iterator[str]:
    answer = reply.answer
    yield from (f"_{safe_literal(notice.text)}_" for notice in answer.notices)
    for name in filter(None, reply.message.route("files").split("\n")):
        yield f"_{safe_literal(say('file_not_read', answer.language, name=RedactedText.stored(name)))}_"
    yield from _triage(answer)
    if answer.citations:
        yield f"**{safe_literal(say('sources', answer.language))}**"
        yield from _sources(answer.citations, answer.language)


def _triage(answer: Answer) -> Iterator[str]:
    triage, language = answer.triage, answer.language
    if triage is None:
        return
    lines: Iterable[tuple[str, str]] = (
        ("queue", triage.queue),
        ("next_step", triage.next_step),
        ("similar", ", ".join(triage.similar)),
    )
    yield from (f"**{safe_literal(say(key, language))}:** {safe_literal(value)}" for key, value in lines if value)


def _sources(citations: Iterable[Citation], language: str) -> Iterator[str]:
    for citation in citations:
        url = safe_url(citation.url)
        name = safe_literal(citation.id)
        shown = f"[{name}]({url})" if url else name
        line = f"\\[{citation.n}\\] {shown} {safe_literal(citation.title)}".rstrip()
        if citation.updated_at:
            date = RedactedText.stored(citation.updated_at[:10])
            line += f" ({safe_literal(say('updated', language, date=date))})"
        yield line
