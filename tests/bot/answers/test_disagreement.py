"""Sources that disagree, shown with both sides."""

from dataclasses import replace

import pytest

from bot.answers import compared_sentences
from bot.answers.compared_sentences import compared
from bot.answers.conflict_notices import conflict_notices
from bot.answers.disagreement import disagreements, other_answers, read_ahead, with_other_sides
from bot.answers.freshness import day_of
from bot.flow import Ports
from bot.messages import (
    Answer,
    DraftAnswer,
    DraftSentence,
    GatedQuestion,
    Mode,
    NoticeKind,
    Queries,
    Question,
    Retrieved,
    SentenceRef,
    Usage,
)
from bot.pipeline import Pipeline
from bot.ports import ModelAnswer
from retrieval.passages import Band, GateScore, GateVerdict, Passage, Ranking
from tests.bot.flow_kit import NOW, card, message, ports, text
from tests.fakes import FakePassageSource, ScriptedModel, make_passage

ARTICLE = make_passage(
    card("KB-101", title="Refunds", lang="en", updated_at="2024-05-01", owner="Billing team"),
    ("The refund window is 14 days from the date of purchase.", 0.9),
    ("Refunds are paid back to the card.", 0.7),
)
TICKET = make_passage(
    card("TCK-2040", title="Refund after three weeks", kind="ticket", lang="en", updated_at="2026-02-11"),
    ("The refund window is 30 days from the date of purchase, so it was booked.", 0.88),
)
UKRAINIAN = make_passage(
    card("TCK-7", title="Повернення коштів", kind="ticket", lang="uk", updated_at="2026-02-11"),
    ("Повернення коштів можливе протягом 30 днів від дати покупки.", 0.88),
)
QUESTION = "How long is the refund window?"


async def _asked(question: str, *passages: Passage, model: ScriptedModel | None = None) -> Answer:
    flow: Ports = ports(FakePassageSource(*passages), model=model)
    return await Pipeline(flow).respond(message(question))


def _conflicts(answer: Answer) -> list[tuple[tuple[str, ...], str]]:
    return [(notice.ids, str(notice.text)) for notice in answer.notices if notice.kind is NoticeKind.CONFLICT]


@pytest.mark.parametrize("order", [(ARTICLE, TICKET), (TICKET, ARTICLE)])
async def test_both_values_are_quoted_with_ids_and_dates_and_the_article_is_preferred(
    order: tuple[Passage, Passage],
) -> None:
    """An article of 2024 says 14 days, a ticket of 2026 says 30: nothing is picked in silence, and whichever ranks first the article leads."""
    answer = await _asked(QUESTION, *order)
    assert [citation.id for citation in answer.citations] == ["KB-101", "TCK-2040"]
    assert "14 days" in answer.text
    assert "30 days" in answer.text
    ((ids, said),) = _conflicts(answer)
    assert set(ids) == {"KB-101", "TCK-2040"}
    for part in (
        "KB-101 (article, 2024-05-01)",
        "TCK-2040 (ticket, 2026-02-11)",
        "KB-101 is preferred",
        "Billing team",
    ):
        assert part in said
    assert "may be out of date" in said


@pytest.mark.parametrize("order", [(ARTICLE, TICKET), (TICKET, ARTICLE)])
def test_the_preferred_side_stands_before_the_other_wherever_they_stand(order: tuple[Passage, Passage]) -> None:
    """A first sentence that is no side keeps its place; of the two sides the article's comes next."""
    guide = make_passage(card("KB-7", title="Cancelling"), ("You can cancel at any time in the settings.", 0.9))
    passages = (guide, *order)
    quoted = tuple(
        DraftSentence(passage.sentences[0].text, (SentenceRef(place, 0),), is_quote=True)
        for place, passage in enumerate(passages)
    )
    asked = message(QUESTION)
    gated = GatedQuestion(Question(asked, asked.text, "en"), GateScore(GateVerdict.ANSWER, 1.0))
    found = Retrieved(Queries(gated, asked.text, asked.text), Ranking(passages, Band.ANSWERED, 0.5, 0.3, "i", "c"))
    draft = DraftAnswer(found, passages, quoted, Mode.EXTRACTIVE)
    said = with_other_sides(draft, passages, QUESTION, today=day_of(NOW)).sentences
    assert [passages[sentence.refs[0].passage] for sentence in said] == [guide, ARTICLE, TICKET]


async def test_sources_in_two_languages_are_compared_and_the_notice_is_in_the_askers() -> None:
    """A German asks; the article is English, the ticket Ukrainian."""
    answer = await _asked("Wie lange kann man eine Rückerstattung verlangen?", ARTICLE, UKRAINIAN)
    ((_, said),) = _conflicts(answer)
    assert said.startswith("Die Quellen widersprechen sich")
    assert "30 днів" in said


async def test_a_model_that_picks_one_side_is_completed() -> None:
    """What the model left out is quoted from its source, cited and told."""
    drafted = DraftSentence(text("The refund window is 14 days from purchase."), (SentenceRef(0, 0),))
    model = ScriptedModel(ModelAnswer((drafted,), Usage(), "m", "p"))
    answer = await _asked(QUESTION, ARTICLE, TICKET, model=model)
    assert {citation.id for citation in answer.citations} == {"KB-101", "TCK-2040"}
    assert "30 days" in answer.text
    assert len(_conflicts(answer)) == 1


async def test_a_long_answer_is_cut_but_no_side_of_it() -> None:
    """Where a model says more than a hurried reader reads, the contradicting quote is still there."""
    long = " ".join(f"The refund window is 14 days for part {n} of the purchase." for n in range(3))
    rows = [DraftSentence(text(long), (SentenceRef(0, 0),)) for _ in range(6)]
    model = ScriptedModel(
        ModelAnswer((DraftSentence(ARTICLE.sentences[0].text, (SentenceRef(0, 0),)), *rows), Usage(), "m", "p")
    )
    answer = await _asked(QUESTION, ARTICLE, TICKET, model=model)
    assert "30 days" in answer.text
    assert len(_conflicts(answer)) == 1


async def test_one_value_said_twice_and_another_case_are_no_conflict() -> None:
    """Two weeks are 14 days; another plan has another window."""
    same = make_passage(
        card("kb-2", title="Refund"), ("Refunds are possible within two weeks from the date of purchase.", 0.8)
    )
    plan = make_passage(
        card("kb-3", title="Refunds for Enterprise"), ("On the Enterprise plan the refund window is 60 days.", 0.8)
    )
    assert _conflicts(await _asked(QUESTION, ARTICLE, same)) == []
    assert _conflicts(await _asked(QUESTION, ARTICLE, plan)) == []


def test_a_source_that_is_held_back_or_replaced_says_nothing() -> None:
    """Quarantined text never becomes the other side; of two, one that replaces the other is preferred for that."""
    held = make_passage(card("x", title="Refunds", quarantined=True), ("The refund window is 99 days.", 0.9))
    quote = (DraftSentence(ARTICLE.sentences[0].text, (SentenceRef(0, 0),), is_quote=True),)
    assert disagreements(quote, (ARTICLE, held), QUESTION) == []
    newer = make_passage(card("y", title="Refunds", supersedes=("KB-101",)), ("The refund window is 99 days.", 0.9))
    both = (*quote, DraftSentence(newer.sentences[0].text, (SentenceRef(1, 0),), is_quote=True))
    (notice,) = conflict_notices(both, (ARTICLE, newer), today=day_of(NOW), language="en", question=QUESTION)
    assert "y is preferred: it replaces the other" in notice.text


def test_two_versions_of_a_page_without_title_are_told_apart_by_their_numbers() -> None:
    """Where nothing else tells two sources apart, what was exchanged in a sentence is a disagreement."""
    first = make_passage(card("a", title=""), ("The mill was last worked for trade in 1921 by its owner.", 0.9))
    second = make_passage(card("b", title=""), ("The mill was last worked for trade in 1955 by its owner.", 0.8))
    quote = (DraftSentence(first.sentences[0].text, (SentenceRef(0, 0),), is_quote=True),)
    (found,) = disagreements(quote, (first, second), "When was the mill last worked?")
    assert found.comparison.values == ("1921", "1955")


def test_an_answer_for_another_case_is_quoted_too() -> None:
    """Of two schools of one name, asked for a year, both sources are shown; for a question about something else they are not."""
    first = make_passage(
        card("a", title="Hill School (Ohio)"), ("Hill School opened its doors in 1922 as a boys' school.", 0.9)
    )
    second = make_passage(
        card("b", title="Hill School (Utah)"), ("In Utah the Hill School was established in 1961.", 0.8)
    )
    quote = (DraftSentence(first.sentences[0].text, (SentenceRef(0, 0),), is_quote=True),)
    assert SentenceRef(1, 0) in other_answers(quote, (first, second), "When was Hill School established?")
    assert other_answers(quote, (first, second), "Who runs the canteen?") == []


async def test_what_a_model_is_given_is_read_while_it_writes() -> None:
    """Once the model has answered, comparing its sources reads no sentence that was not read meanwhile."""
    passages = (
        make_passage(card("KB-7", title="Refunds", lang="en"), ("The refund window is 43 days from purchase.", 0.88)),
        make_passage(card("TCK-7", title="A refund", lang="en"), ("The refund window is 57 days from purchase.", 0.87)),
    )
    said = ModelAnswer((DraftSentence(text("The refund window is 43 days."), (SentenceRef(0, 0),)),), Usage(), "m", "p")
    asked = message(QUESTION)
    flow = ports(FakePassageSource(*passages), model=ScriptedModel(said))
    before = compared.cache_info().misses
    read_ahead(passages, asked.text)
    read = compared.cache_info().misses
    assert read > before
    assert disagreements((), passages, asked.text)
    assert compared.cache_info().misses == read
    answer = await Pipeline(flow).respond(asked)
    assert [notice.kind for notice in answer.notices if notice.kind is NoticeKind.CONFLICT] == [NoticeKind.CONFLICT]


def test_whatever_a_model_cites_was_read_while_it_wrote() -> None:
    """Also a sentence far from the question that is cited is not read again to be compared."""
    colours = ("red", "green", "white", "black", "brown", "grey", "pink")
    plain = tuple(f"Open the page of the {colour} bicycles." for colour in colours)
    first = make_passage(
        card("KB-31", title="Loans", lang="en"),
        *((said, 0.9 - 0.01 * place) for place, said in enumerate(plain)),
        ("A bicycle may be kept for 19 days after the loan.", 0.3),
    )
    second = make_passage(
        card("TCK-31", title="A bicycle", lang="en"), ("A bicycle may be kept for 33 days after the loan.", 0.85)
    )
    cited = (DraftSentence(text("It may be kept for 19 days."), (SentenceRef(0, len(plain)),)),)
    read_ahead((first, second), "How do I lend a bicycle?")
    read = compared_sentences._parsed.cache_info().misses
    assert disagreements(cited, (first, second), "How do I lend a bicycle?")
    assert compared_sentences._parsed.cache_info().misses == read


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("The yearly fee of the locker is 41 euros.", True),
        ("The yearly fee of the locker is 41 euros (https://attacker.example/pay).", False),
        ("The yearly fee of the locker is 41 euros (https://help.example.com/fees).", True),
        ("The yearly fee of the locker is 41 euros (https://help.example.com/fees?to=x).", False),
    ],
)
async def test_a_model_keeps_a_sentence_only_with_addresses_of_its_source(said: str, *, kept: bool) -> None:
    """An address that the cited source does not have takes its sentence along; the source's own page stays."""
    source = card("KB-8", title="Fees", lang="en", url="https://help.example.com/fees")
    passage = make_passage(source, ("The yearly fee of the locker is 41 euros.", 0.88))
    model = ScriptedModel(ModelAnswer((DraftSentence(text(said), (SentenceRef(0, 0),)),), Usage(), "m", "p"))
    answer = await _asked("How much is the yearly fee of the locker?", passage, model=model)
    assert (answer.mode == "model") == kept
    assert (said in answer.text) == kept
    assert "attacker" not in answer.text


async def test_an_address_of_the_source_on_another_host_is_left_out_and_its_sentence_stays() -> None:
    """Verbatim of the source, whose pages are elsewhere: the sentence is kept, the address is not."""
    named = "Pay the yearly fee of the locker on https://pay.example.net/x within 14 days."
    passage = make_passage(card("KB-9", title="Fees", lang="en", url="https://help.example.com/fees"), (named, 0.88))
    model = ScriptedModel(ModelAnswer((DraftSentence(text(named), (SentenceRef(0, 0),)),), Usage(), "m", "p"))
    answer = await _asked("How do I pay the yearly fee of the locker?", passage, model=model)
    assert answer.mode == "model"
    assert "on […] within 14 days" in answer.text


def _plain(relevance: float) -> tuple[Passage, Passage]:
    """Two sources whose sentences share little but what is asked for."""
    page = make_passage(
        card("KB-4", title="Livraison express", lang="fr"),
        ("La livraison express coûte 9,90 € quel que soit le poids.", 0.9),
    )
    reply = make_passage(
        card("TCK-4", title="Prix de l'express ?", kind="ticket", lang="fr"),
        ("L'express est facturé 14,90 € par colis, le client a choisi la livraison normale.", 0.88),
    )
    return replace(page, relevance=relevance), replace(reply, relevance=relevance * 0.9)


@pytest.mark.parametrize(("relevance", "told"), [(0.9, 1), (0.4, 0)])
def test_where_two_sources_plainly_answer_less_must_be_the_same(relevance: float, told: int) -> None:
    """The nearest sentences of two sources that answer about as well are about what was asked; of faint ones nobody knows."""
    passages = _plain(relevance)
    quote = DraftSentence(passages[0].sentences[0].text, (SentenceRef(0, 0),), is_quote=True)
    assert len(disagreements((quote,), passages, "Combien coûte la livraison express ?")) == told
