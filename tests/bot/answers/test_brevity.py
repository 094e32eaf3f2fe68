"""How long an answer is, and who gets more."""

import pytest

from bot.answers.brevity import MOST_STEPS, brief, is_more, wants_more
from bot.lexicon import LANGUAGES, lexicon
from bot.messages import DraftSentence, NoticeKind, SentenceRef, Usage
from bot.ports import ModelAnswer
from bot.texts import say
from retrieval.redaction import RedactedText
from tests.bot.flow_kit import Conversation, card
from tests.fakes import FakePassageSource, ScriptedModel, make_passage

sealed = RedactedText.stored


def said(text: str, *, item: str = "", refs: int = 1) -> DraftSentence:
    """Make a sentence with or without evidence."""
    return DraftSentence(sealed(text), tuple(SentenceRef(0, n) for n in range(refs)), item=item, begins_line=bool(item))


def test_seven_steps_follow_the_first_line() -> None:
    """What stands behind the seventh step is left out, and known to be missing."""
    steps = [said(f"Open page number {n}.", item=f"{n}.") for n in range(1, 10)]
    given = brief([said("Restart it from the console."), *steps])
    assert ([s.item for s in given.sentences], given.is_cut) == (["", "1.", "2.", "3.", "4.", "5.", "6.", "7."], True)
    assert not brief([said("Do this."), *steps[:MOST_STEPS]]).is_cut


def test_about_120_words() -> None:
    """A little over is fine; the first sentence stays however long it is; several questions have room each."""
    ten = "one two three four five six seven eight nine ten."
    assert len(brief([said(ten)] * 13).sentences) == 13
    assert len(brief([said(ten)] * 20).sentences) == 13
    assert len(brief([said(ten)] * 20, parts=2).sentences) == 20
    assert len(brief([said("word " * 300), said(ten)]).sentences) == 1


def test_what_the_sources_lack_is_always_said() -> None:
    """It stands at the end and cites nothing."""
    ten = "one two three four five six seven eight nine ten."
    given = brief([*[said(ten)] * 20, said("The sources do not mention Android.", refs=0)])
    assert given.sentences[-1].text == "The sources do not mention Android."
    assert given.is_cut


def test_code_is_whole() -> None:
    """A block counts as one step and no words."""
    code = said("```\n" + "run this\n" * 200 + "```")
    assert brief([said("Run it."), code]).sentences[-1] is code


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_word_that_the_notice_names_gives_more(language: str) -> None:
    """In ten languages, with any case and sign."""
    told = say("more_available", language)
    named = [word for word in lexicon(language).more if word in told.casefold()]
    assert named
    assert all(is_more(f" {word.upper()}!") for word in lexicon(language).more)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("How do I reset it, step by step?", True),
        ("Explain in detail how sync works", True),
        ("Опиши подробно, как сбросить пароль", True),
        ("请详细说明如何重置密码", True),
        ("How do I reset a password?", False),
        ("Can I add more seats?", False),
        ("Where are the payment details?", False),
        ("", False),
    ],
)
def test_who_asks_for_a_long_answer(text: str, wanted: bool) -> None:
    """Only phrases that ask how to answer, no words of the matter."""
    assert wants_more(text) is wanted


async def test_details_gives_the_rest_of_the_last_answer() -> None:
    """The thread's question is asked again, and nothing is cut from its answer; the model is told so."""
    steps = [f"Open settings page number {n} of the console." for n in range(1, 10)]
    passage = make_passage(card("kb-1", lang="en"), *steps)
    sentences = tuple(
        DraftSentence(sealed(text), (SentenceRef(0, n),), item=f"{n + 1}.", begins_line=True)
        for n, text in enumerate(steps)
    )
    model = ScriptedModel(ModelAnswer(sentences, Usage(), "m", "p"))
    thread = Conversation(FakePassageSource(passage), model)
    first = await thread.ask("How do I open the settings of the console?")
    assert [n.kind for n in first.notices] == [NoticeKind.TRUNCATED]
    assert first.text.count("\n") == MOST_STEPS - 1
    assert first.text.startswith("1. Open settings page number 1 of the console. [1]\n2. Open")
    again = await thread.ask("Details, please" if is_more("details please") else "details")
    assert (again.notices, again.text.count("\n")) == ((), 8)
    assert again.queries[0] == "How do I open the settings of the console?"
    asked = [request.style for request in model.requests if hasattr(request, "style")]
    assert ["350 words" in style for style in asked] == [False, True]
