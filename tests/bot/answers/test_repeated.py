"""A vague follow-up gets what is left of the sources, and otherwise one line instead of the same answer again."""

import pytest

from bot.answers.brevity import MOST_STEPS, is_more
from bot.lexicon import LANGUAGES, lexicon
from bot.messages import Answer, DraftSentence, Mode, NoticeKind, Outcome, SentenceRef, Usage
from bot.ports import ModelAnswer
from bot.texts import say
from retrieval.redaction import RedactedText
from tests.bot.flow_kit import RESET, Conversation, card
from tests.fakes import FakePassageSource, ScriptedModel, make_passage

QUESTION = "How do I reset the password of the console?"
SHORT = make_passage(
    card("kb-101", lang="en", url="https://kb.example/1"), *[(s.text, s.similarity) for s in RESET.sentences[:2]]
)
STEPS = make_passage(
    card("kb-1", lang="en", url="https://kb.example/1"),
    *[(f"{n}. Open the settings page number {n} of the console.", 0.88 if n == 2 else 0.8) for n in range(1, 13)],
)


def is_no_more(answer: Answer, language: str = "en") -> bool:
    """Tell whether an answer is the one line, which names the source and cites it."""
    ids = RedactedText.stored(", ".join(f"{citation.id} [{citation.n}]" for citation in answer.citations))
    assert answer.outcome is Outcome.ANSWERED
    return bool(answer.citations) and answer.text == say("no_more", language, ids=ids)


@pytest.mark.parametrize(
    "vague",
    [
        "details",
        "more",
        "and then?",
        "Tell me more.",
        "What else?",
        "how do I do it?",
        "it is not working again",
        "а дальше?",
        "然后呢？",
    ],
)
async def test_the_same_answer_is_not_given_twice(vague: str) -> None:
    """One line with id and link, without the notices and the queue that were told already; and again one line after it."""
    thread = Conversation(FakePassageSource(SHORT))
    first = await thread.ask(QUESTION)
    for _ in range(2):
        again = await thread.ask(vague)
        assert is_no_more(again, again.language)
        assert ([c.id for c in again.citations], again.notices, again.triage) == (["kb-101"], (), None)
        assert again.citations[0].url == first.citations[0].url
        assert "\n" not in again.text


async def test_what_was_cut_comes_with_the_next_word() -> None:
    """Of twelve steps seven are said; "and then?" gives all twelve, and only then nothing is left."""
    thread = Conversation(FakePassageSource(STEPS))
    first = await thread.ask(QUESTION)
    assert first.text.count("Open the settings") == MOST_STEPS
    assert [notice.kind for notice in first.notices] == [NoticeKind.TRUNCATED]
    rest = await thread.ask("and then?")
    assert (rest.text.count("Open the settings"), rest.notices) == (12, ())
    assert is_no_more(await thread.ask("more"))


async def test_more_of_prose_is_what_stands_around_it() -> None:
    """Sentences that were too far from the question to be quoted are more; when they are said, nothing is left."""
    passage = make_passage(
        card("kb-2", lang="en"),
        ("The report is made in the console of the owner.", 0.9),
        ("Its pages show sales by hour and by product.", 0.6),
        ("A copy of all pages is kept for ninety days.", 0.6),
    )
    thread = Conversation(FakePassageSource(passage))
    assert "ninety" not in (await thread.ask("Where is the report made?")).text
    assert "ninety" in (await thread.ask("details")).text
    assert is_no_more(await thread.ask("details"))


@pytest.mark.parametrize("vague", ["how do I do it?", "who can do it?", "wie mache ich das?"])
async def test_a_question_without_a_subject_gets_what_was_not_said(vague: str) -> None:
    """It is told the rest of the page, without the sentence that the thread has heard, and then that nothing is left."""
    passage = make_passage(
        card("kb-2", lang="en"),
        ("The setup fee is refunded within ten days of the order.", 0.9),
        ("Its refund needs the number of the order from the owner.", 0.6),
        ("The owner opens the invoice in the console and chooses Request refund.", 0.6),
    )
    thread = Conversation(FakePassageSource(passage))
    first = await thread.ask("Is the setup fee refunded?")
    assert "Request refund" not in first.text
    rest = await thread.ask(vague)
    assert "Request refund" in rest.text
    assert "within ten days" not in rest.text
    again = await thread.ask(vague)
    assert is_no_more(again, again.language)


async def test_a_question_with_a_subject_is_answered_as_often_as_it_is_asked() -> None:
    """Asked again in so many words it gets its answer, and so does a bare mention."""
    thread = Conversation(FakePassageSource(RESET))
    first = await thread.ask(QUESTION)
    assert (await thread.ask(QUESTION)).text == first.text
    assert (await thread.ask("")).text == first.text


async def test_nothing_given_is_nothing_repeated() -> None:
    """After nothing found, more is nothing found again; at the head of a thread there is nothing more to ask for."""
    thread = Conversation(FakePassageSource())
    assert (await thread.ask(QUESTION)).outcome is Outcome.NO_MATCH
    assert (await thread.ask("details")).outcome is Outcome.NO_MATCH
    assert (await Conversation(FakePassageSource(RESET)).ask("and then?")).outcome is Outcome.CLARIFY


async def test_a_model_that_says_it_in_other_order_says_nothing_new() -> None:
    """The same words in another order are the same; a sentence about something else is not."""

    def said(text: str, place: int) -> ModelAnswer:
        return ModelAnswer((DraftSentence(RedactedText.stored(text), (SentenceRef(0, place),)),), Usage(), "m", "p")

    model = ScriptedModel(said("Open the console and choose Forgot password.", 0))
    thread = Conversation(FakePassageSource(RESET), model)
    assert (await thread.ask(QUESTION)).mode is Mode.MODEL
    model.said = said("In the console choose Forgot password: open it.", 0)
    assert is_no_more(await thread.ask("tell me more"))
    model.said = said("The link works once and expires after 30 minutes.", 1)
    assert "30 minutes" in (await thread.ask("details")).text


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_that_ask_for_more(language: str) -> None:
    """With any case and sign, in ten languages; none is a word of thanks."""
    assert all(is_more(f"{word.upper()}?") for word in lexicon(language).more)
