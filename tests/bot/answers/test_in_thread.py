"""Follow-ups: the sentence for the new word, from the sources of the thread."""

from dataclasses import replace

import pytest

from bot.messages import Outcome
from retrieval.passages import Passage
from tests.bot.flow_kit import Conversation, card
from tests.fakes import FakePassageSource, make_passage

WEBHOOKS = make_passage(
    card("kb-1", lang="en"),
    ("Only an administrator can set up webhooks here.", 0.15),
    ("Open **Developers > Webhooks** and enter the address to set up webhooks.", 0.25),
    ("The secret is renewed with **New secret** on that page.", 0.16),
)
REFUND = make_passage(
    card("kb-2", lang="en"),
    ("Monthly plans can be refunded within 14 days of the last charge.", 0.27),
    ("Annual plans can be refunded within 30 days of the first charge.", 0.2),
    ("To ask for one, open **Billing > Invoices** there.", 0.07),
)
CHANGE = make_passage(card("kb-3", lang="en"), ("Annual plans change at the renewal date only.", 0.18), relevance=0.9)


async def _texts(passages: tuple[Passage, ...], *questions: str) -> list[str]:
    thread = Conversation(FakePassageSource(*passages))
    return [str((await thread.ask(question)).text) for question in questions]


@pytest.mark.parametrize("question", ["and the secret?", "ok and the secret?", "und das secret?"])
async def test_the_sentence_of_the_new_word_is_chosen(question: str) -> None:
    """Not the quote that the thread has read already, which is nearer to the words that it carries."""
    first, second = await _texts((WEBHOOKS,), "how do I set up webhooks", question)
    assert "Open **Developers" in first
    assert "New secret" in second
    assert "Open **Developers" not in second


@pytest.mark.parametrize("question", ["who may do that?", "wer darf das machen?", "кто может это сделать?"])
async def test_asked_who_may_the_sentence_with_the_role_is_chosen(question: str) -> None:
    """Whatever the language of the question; nothing else is said."""
    _, second = await _texts((WEBHOOKS,), "how do I set up webhooks", question)
    assert second.startswith("“Only an administrator can set up webhooks here.” [1]")
    assert "secret" not in second


async def test_the_section_of_the_new_word_is_quoted() -> None:
    """Though only its heading has that word."""
    both = make_passage(
        card("kb-4", lang="de"),
        ("1. Das Programm laden.", 0.3),
        ("2. Damit verbinden.", 0.29),
        ("1. Die Seite öffnen.", 0.26),
    )
    heads = ("Windows", "Windows", "iPhone und iPad")
    sections = tuple(
        replace(one, heading=head, section=head == heads[2]) for one, head in zip(both.sentences, heads, strict=True)
    )
    first, second = await _texts(
        (replace(both, sentences=sections),), "How do I set up the network on Windows?", "And on an iPhone?"
    )
    assert "Programm" in first
    assert second.startswith("“1. Die Seite öffnen.”")


async def test_what_the_thread_cited_leads() -> None:
    """Behind a question for a refund, "and for annual plans?" asks for the refund of annual plans."""
    first, second = await _texts((CHANGE, REFUND), "how long can a monthly plan be refunded", "and for annual plans?")
    assert "14 days" in first
    assert second.startswith("“Annual plans can be refunded within 30 days of the first charge.”")


async def test_a_question_that_stands_alone_has_nothing_of_its_thread() -> None:
    """It is answered as it would be without."""
    question = "When can annual plans of a company be changed?"
    _, second = await _texts((CHANGE, REFUND), "how long can a monthly plan be refunded", question)
    assert [second] == await _texts((CHANGE, REFUND), question)


async def test_nothing_more_is_said_only_when_it_is_true() -> None:
    """A vague question gets what the thread has not read yet; then there is nothing more."""
    thread = Conversation(FakePassageSource(REFUND))
    await thread.ask("how long can a monthly plan be refunded")
    second = await thread.ask("how do i do it")
    assert "open **Billing > Invoices**" in second.text
    third = await thread.ask("more")
    fourth = await thread.ask("more")
    assert third.outcome is fourth.outcome is Outcome.ANSWERED
    assert "nothing more" in fourth.text
