"""Windows and buttons within Slack's limits, in every language and at every size."""

from dataclasses import replace

import pytest

from bot.adapters.slack.answer_buttons import Buttons, ref_of
from bot.adapters.slack.answer_views import reason_view, source_view, whole_source_view, why_view
from bot.answers.answer_tasks import Handover
from bot.answers.kept_answers import KeptAnswer
from bot.lexicon import LANGUAGES
from bot.messages import Hit, Notice, NoticeKind, Usage
from bot.texts import say
from tests.bot.adapters.slack.replies import a_message, a_reply, sealed
from tests.peers.slack_blocks import refusal_of_blocks
from tests.peers.slack_views import refusal_of_view, shown_in

NOW = 1_800_000_000.0


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [1, 400])
def test_every_window_and_button_fits(language: str, size: int) -> None:
    """Titles of 24, buttons of 75 characters, sections of 3 000: whatever the texts of sources are."""
    hit = Hit("kb-101", "kb-101#0", sealed("Title " * size), 1.0, 0.8, 0.5, 0.9, used=True)
    cited = a_reply().answer.citations[0]
    long = replace(
        cited, id="kb-" + "1" * min(size, 100), url=None, title=sealed("Title " * size), quote=sealed("q " * size * 20)
    )
    away = Notice(NoticeKind.DEGRADED, (), say("degraded", language))
    reply = a_reply(
        "word " * size, citations=(long,), hits=(hit,) * 12, language=language, queries=(sealed("why? " * size),),
        usage=Usage(10, 0, 5, 2, 0.01), notices=(away,), cut=0.4,
    )  # fmt: skip
    kept = KeptAnswer(a_message(), reply.answer)
    views = [why_view(kept, NOW), reason_view(language, ref=ref_of(a_message())), source_view(long, language)]
    views.append(whole_source_view(replace(reply.answer, text=sealed("line\n" * size * 100))))
    assert [refusal_of_view(view) for view in views] == [""] * 4
    buttons = Buttons(Handover({"*": "S1"})).below(reply)
    assert refusal_of_blocks(buttons) == ""
    assert len(buttons[1]["elements"]) == 5  # type: ignore[arg-type]


def test_what_nobody_searched_or_dated_says_so() -> None:
    """A window without queries, a source without a date, a price that nobody knows, an age that lies in the future."""
    cited = a_reply().answer.citations[0]
    undated, early = replace(cited, updated_at=""), replace(cited, id="kb-7", updated_at="2199-01-01")
    usage = Usage(10, 0, 5, 2, None)
    reply = a_reply(citations=(undated, early), usage=usage)
    shown = shown_in(why_view(KeptAnswer(a_message(), reply.answer), NOW))
    for line in ("Nothing was searched", "kb-101: without a date", "kb-7: updated 2199-01-01, 0 days ago"):
        assert line in shown
    assert "price unknown, 2 calls, 15 tokens" in shown
    assert shown_in(whole_source_view(a_reply("Gone.", citations=()).answer)) == "Sources\nGone."
