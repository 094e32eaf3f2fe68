"""The forms and windows that a click opens: why an answer came out as it did, what was wrong with it, and a source.

Texts of sources and people stand in `plain_text` objects, in which nothing is a link, a mention or a format.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime

from bot.adapters.slack.answer_buttons import Block, plain_text
from bot.adapters.slack.markup import safe_url
from bot.adapters.slack.split import split_markdown
from bot.answers.kept_answers import KeptAnswer
from bot.messages import Answer, Citation
from bot.texts import say
from retrieval.redaction import RedactedText

REASON_VIEW, REASON_BLOCK = "triage_reason", "reason"
TITLE_LIMIT, SECTION_LIMIT, HEADER_LIMIT = 24, 2_900, 150
REASON_LIMIT = 500
_MOST_HITS, _MOST_SECTIONS = 8, 40


def why_view(kept: KeptAnswer, now: float) -> Block:
    """Build the window that says what was searched and found, from where on it counts, how old and dear it is.

    `now` is seconds since the epoch.
    """
    answer, language = kept.answer, kept.answer.language
    groups = (
        (say("why_searched", language), [f"• {query}" for query in answer.queries]),
        (_found_heading(answer), [_hit_line(answer, place) for place in range(len(answer.hits[:_MOST_HITS]))]),
        (say("why_age", language), [_age_line(citation, language, now) for citation in answer.citations]),
        (say("why_cost", language), [_cost(answer)]),
    )
    blocks: list[Block] = []
    for heading, lines in groups:
        if lines:
            blocks += [{"type": "header", "text": plain_text(heading, HEADER_LIMIT)}, *_sections("\n".join(lines))]
    if not answer.queries:
        blocks = [*_sections(say("why_nothing", language)), *blocks]
    blocks.append({"type": "context", "elements": [plain_text(_made_by(answer), 300)]})
    return _window(say("why", language), blocks, language)


def reason_view(language: str, *, ref: str) -> Block:
    """Build the form that asks what was wrong; writing nothing is an answer too."""
    field: Block = {"type": "plain_text_input", "action_id": "text", "multiline": True, "max_length": REASON_LIMIT}
    return {
        **_window(say("reason_title", language), [], language),
        "callback_id": REASON_VIEW,
        "private_metadata": ref,
        "submit": plain_text(say("send", language), TITLE_LIMIT),
        "blocks": [
            {
                "type": "input",
                "block_id": REASON_BLOCK,
                "optional": True,
                "label": plain_text(say("reason_label", language), HEADER_LIMIT),
                "element": field,
            }
        ],
    }


def source_view(citation: Citation, language: str) -> Block:
    """Build the window of a source while its text is fetched: what was quoted of it stands there at once."""
    blocks = [*_heading(citation, language), *_sections(citation.quote or say("source_loading", language))]
    return _window(RedactedText.stored(citation.id), blocks, language)


def whole_source_view(answer: Answer) -> Block:
    """Build the window of a source whose text was fetched; `answer` has the text and the source as its only citation."""
    citation = next(iter(answer.citations), None)
    heading = _heading(citation, answer.language) if citation else []
    title = RedactedText.stored(citation.id) if citation else say("sources", answer.language)
    return _window(title, [*heading, *_sections(answer.text)], answer.language)


def found_view(answer: Answer) -> Block:
    """Build the window of what a shortcut found: its text, and each source by id, opened by its own page."""
    sources: list[Block] = []
    for citation in answer.citations:
        name = f"[{citation.n}] {citation.id} {citation.title}".rstrip()
        row: Block = {"type": "section", "text": plain_text(name, SECTION_LIMIT)}
        if url := safe_url(citation.url):
            button = {"type": "button", "action_id": "triage_link", "text": plain_text(citation.id), "url": url}
            row["accessory"] = button
        sources.append(row)
    return _window(say("similar", answer.language), [*_sections(answer.text), *sources], answer.language)


def _window(title: RedactedText, blocks: Sequence[Block], language: str) -> Block:
    return {
        "type": "modal",
        "title": plain_text(title, TITLE_LIMIT),
        "close": plain_text(say("close", language), TITLE_LIMIT),
        "blocks": list(blocks),
    }


def _sections(text: str) -> list[Block]:
    parts = split_markdown(text, SECTION_LIMIT)
    shown = parts if len(parts) <= _MOST_SECTIONS else [*parts[: _MOST_SECTIONS - 1], "…"]
    return [{"type": "section", "text": plain_text(part, SECTION_LIMIT + 100)} for part in shown]


def _heading(citation: Citation, language: str) -> list[Block]:
    blocks: list[Block] = []
    if citation.title:
        blocks.append({"type": "header", "text": plain_text(citation.title, HEADER_LIMIT)})
    if citation.updated_at:
        dated = say("updated", language, date=RedactedText.stored(citation.updated_at[:10]))
        blocks.append({"type": "context", "elements": [plain_text(dated, 300)]})
    return blocks


def _found_heading(answer: Answer) -> RedactedText:
    cut = answer.uncertain_cut if answer.uncertain_cut is not None else answer.cut
    return say("why_found", answer.language, cut=round(100 * (cut or 0)))


def _hit_line(answer: Answer, place: int) -> str:
    hit = answer.hits[place]
    mark = "✓" if hit.used else "·"
    return f"{mark} {hit.id} {hit.title}".rstrip() + f" — {round(100 * hit.relevance)} %"


def _age_line(citation: Citation, language: str, now: float) -> str:
    day = _day(citation.updated_at)
    if day is None:
        return f"{citation.id}: {say('why_undated', language)}"
    days = max(0, (datetime.fromtimestamp(now, UTC).date() - day).days)
    return f"{citation.id}: {say('why_days', language, date=RedactedText.stored(day.isoformat()), days=days)}"


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None


def _cost(answer: Answer) -> str:
    usage, language = answer.usage, answer.language
    if usage.calls == 0:
        return say("why_no_model", language)
    tokens = say("why_tokens", language, calls=usage.calls, tokens=usage.input_tokens + usage.output_tokens)
    price = say("why_no_price", language) if usage.cost_usd is None else f"{usage.cost_usd:.4f} USD"
    return f"{price}, {tokens}"


def _made_by(answer: Answer) -> str:
    return " · ".join(filter(None, _made(answer)))


def _made(answer: Answer) -> Iterator[str]:
    yield answer.provenance.model or str(answer.mode)
    yield answer.provenance.index and f"index {answer.provenance.index[:12]}"
    total = dict(answer.timings_ms).get("total")
    yield f"{round(total)} ms" if total else ""
    yield answer.request_id
