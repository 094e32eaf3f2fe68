"""Answers and sources as HTML. Everything is escaped; Markdown is rendered without raw HTML, images or links."""

import re
from functools import cache
from pathlib import Path
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader
from markdown_it import MarkdownIt
from markupsafe import Markup

from bot.answers.notice_order import notices_above, notices_below
from bot.checks.inert import with_brackets
from bot.messages import Answer
from bot.texts import say
from retrieval.passages import SourceText

HERE = Path(__file__).parent
_MARKER = re.compile(r"\[(\d{1,3})\]")
_OUTCOME_LABELS = {
    "answered": "answered",
    "no_match": "nothing found",
    "off_topic": "off topic",
    "clarify": "needs more",
    "courtesy": "courtesy",
    "not_permitted": "not permitted",
    "unavailable": "unavailable",
}


@cache
def _templates() -> Environment:
    return Environment(loader=FileSystemLoader(HERE), autoescape=True, trim_blocks=False)


@cache
def _markdown() -> MarkdownIt:
    # A source may hold a link or an image that its text planted: both stay literal text.
    return (
        MarkdownIt("commonmark", {"html": False, "breaks": True}).enable("table").disable(["image", "link", "autolink"])
    )


def source_link(document_id: str) -> str:
    """Give the path of a source's page."""
    return "/playground/sources/" + quote(document_id, safe="")


def render_reply(answer: Answer) -> str:
    """Render one answer as the message of the bot."""
    return (
        _templates()
        .get_template("reply.html")
        .render(
            answer=answer,
            above=notices_above(answer),
            below=notices_below(answer),
            text=_with_markers(_markdown().render(with_brackets(_without_nearest(answer))), answer),
            outcome_label=_OUTCOME_LABELS[answer.outcome],
            nearest=answer.nearest,
            closest=say("closest", answer.language),
            cost=_cost(answer),
            source_link=source_link,
        )
    )


def render_source(source: SourceText) -> str:
    """Render one source."""
    return (
        _templates()
        .get_template("source.html")
        .render(
            source=source,
            text=Markup(_markdown().render(source.text)),  # noqa: S704 - markdown-it escapes with html off
        )
    )


def render_missing_source() -> str:
    """Render the page of a source that does not exist, or not for this reader."""
    return _templates().get_template("missing.html").render()


def render_page(*, examples: tuple[str, ...], documents: int, mode: str) -> str:
    """Render the channel."""
    return _templates().get_template("page.html").render(examples=examples, documents=documents, mode=mode)


def _without_nearest(answer: Answer) -> str:
    """Leave out the line that names the closest sources: the page shows them as links."""
    return answer.text.split("\n")[0] if answer.nearest else answer.text


def _with_markers(html: str, answer: Answer) -> Markup:
    ids = {c.n: c.id for c in answer.citations}

    def linked(found: re.Match[str]) -> str:
        document_id = ids.get(int(found.group(1)))
        if document_id is None:
            return found.group(0)
        return (
            f'<a class="marker" href="{source_link(document_id)}" target="_blank" rel="noopener">{found.group(0)}</a>'
        )

    return Markup(_MARKER.sub(linked, html))  # noqa: S704 - markdown-it escapes with html off; ids are percent-encoded


def _cost(answer: Answer) -> str:
    usage = answer.usage
    if usage.calls == 0:
        return "no model was called"
    cost = "price unknown" if usage.cost_usd is None else f"{usage.cost_usd:.4f} USD"
    thread = "" if answer.thread_cost_usd is None else f" (thread {answer.thread_cost_usd:.4f} USD)"
    tokens = f"{usage.input_tokens} in, {usage.cached_input_tokens} cached, {usage.output_tokens} out"
    return f"{cost}{thread} · {tokens} · {usage.calls} calls"
