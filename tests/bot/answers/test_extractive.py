"""Which sentences are quoted, and from how many sources."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from bot.answers.extractive import MOST_SOURCES, extract
from bot.answers.neighbours import MOST_STEPS
from retrieval.passages import Passage
from tests.bot.flow_kit import RESET, card
from tests.fakes import make_passage

STEPS = make_passage(
    card("kb-7", lang="en"),
    ("You can pair the reader yourself.", 0.92),
    ("1. Switch on the reader.", 0.83),
    ("2. Hold its key for 7 seconds.", 0.89),
    ("3. Choose the reader in the list.", 0.84),
    ("The reader remembers one till only.", 0.80),
)


def _texts(*passages: Passage, question: str = "How do I do it there?", language: str = "en") -> list[str]:
    return [str(sentence.text) for sentence in extract(passages, question, language)]


def test_the_nearest_sentence_leads() -> None:
    """The sentence of the largest cosine is quoted with its close neighbour, the far one is not."""
    assert _texts(RESET) == [sentence.text for sentence in RESET.sentences[:2]]


def test_a_list_of_steps_is_quoted_whole() -> None:
    """Half a procedure misleads, so one step brings all, and so does the introduction when that is nearest."""
    assert _texts(STEPS) == [sentence.text for sentence in STEPS.sentences[1:4]]
    assert _texts(STEPS, question="Pairing the reader") == [sentence.text for sentence in STEPS.sentences[:4]]


def test_a_list_ends_where_another_begins() -> None:
    """Neither bullets nor a second procedure are taken for further steps."""
    two = make_passage(
        "kb-7", *[(line, 0.85) for line in ("1. Open it.", "2. Wait there.", "1. Close it.", "- Never do that.")]
    )
    assert _texts(two) == ["1. Open it.", "2. Wait there."]


def test_a_question_for_a_number_gets_the_one_step() -> None:
    """The step with the number answers by itself, however short it is."""
    steps = make_passage(
        "kb-7", ("1. Switch on.", 0.85), ("2. Hold it for 7 seconds.", 0.86), ("3. Choose the reader.", 0.855)
    )
    assert _texts(steps, question="How long do I hold the key?") == ["2. Hold it for 7 seconds."]


def test_the_sentence_that_answers_is_read_first() -> None:
    """What stands above it comes after it, unless it leans on that or answers about as well: then the rule leads its exception."""
    far = make_passage(
        "kb-9", ("Bottles are sold outside in the cage there.", 0.25), ("At most 60 may be stored in the shop.", 0.29)
    )
    assert _texts(far, question="Is storing allowed?") == [str(one.text) for one in reversed(far.sentences)]
    for above, best in ((0.28, "At most 60 may be stored in the shop."), (0.25, "They may be stored in the shop.")):
        near = make_passage("kb-9", ("Bottles are sold outside in the cage there.", above), (best, 0.29))
        assert _texts(near, question="Is storing allowed?") == [str(one.text) for one in near.sentences]


def test_asked_who_the_steps_are_not_the_answer() -> None:
    """They follow the sentence that says it, and stay there."""
    who = make_passage(
        "kb-9",
        ("Only an owner can change the plan.", 0.28),
        ("1. Open the plan.", 0.2),
        ("2. Choose one of them.", 0.2),
    )
    assert _texts(who, question="Who may change the plan?") == ["Only an owner can change the plan."]


def test_long_procedures_are_bounded() -> None:
    """No more than eight steps."""
    long = make_passage("kb-8", *[(f"{n}. Do step number {n} now.", 0.85) for n in range(1, 13)])
    assert len(_texts(long)) == MOST_STEPS


def test_headings_questions_and_greetings_never_win() -> None:
    """They may be nearest in meaning and still answer nothing."""
    noisy = make_passage(
        "t-1",
        ("Hello, thanks for contacting us.", 0.99),
        ("How do I reset my password?", 0.98),
        ("## Password reset", 0.97),
        ("Choose Forgot password on the sign-in page.", 0.85),
    )
    assert _texts(noisy) == ["Choose Forgot password on the sign-in page."]


def test_a_sentence_that_leans_back_brings_the_one_before() -> None:
    """A pronoun is never quoted without what it stands for."""
    leaning = make_passage("kb-9", ("The link is sent by mail.", 0.80), ("It expires after 30 minutes.", 0.88))
    assert _texts(leaning) == ["The link is sent by mail.", "It expires after 30 minutes."]


def test_a_further_source_must_add_something() -> None:
    """A copy, a far one and an irrelevant one are not quoted beside the first."""
    copy = make_passage("kb-102", ("Open the console and choose Forgot password now.", 0.88))
    far = make_passage("kb-103", ("Invoices are sent on the first of the month.", 0.80))
    irrelevant = make_passage("kb-104", ("A rare case needs the duty engineer instead.", 0.88), relevance=0.3)
    other = make_passage("kb-105", ("An administrator can also send the link again.", 0.875))
    quoted = extract([RESET, copy, far, irrelevant, other], "How do I do it?", "en")
    assert {sentence.refs[0].passage for sentence in quoted} == {0, 4}


def test_the_askers_language_leads_among_equals() -> None:
    """Of two equally relevant sources the one in the asker's language is quoted first."""
    german = make_passage(card("kb-140", lang="de"), ("Wählen Sie dort Passwort vergessen.", 0.86))
    assert _texts(RESET, german, language="de")[0] == "Wählen Sie dort Passwort vergessen."


def test_nothing_to_quote_is_empty() -> None:
    """No passage, or none that can be quoted."""
    assert _texts() == []
    assert _texts(make_passage("kb-1", "## Heading")) == []


def test_a_procedure_is_preferred_to_its_introduction() -> None:
    """Asked how, a step that is about as near as the best sentence brings its list."""
    far_list = make_passage(
        "kb-1",
        ("A reader works with one till at a time.", 0.86),
        ("Copied from a handbook.", 0.7),
        ("1. Hold the key there.", 0.85),
    )
    assert _texts(far_list)[-1] == "1. Hold the key there."


def test_asked_how_the_steps_may_stand_a_little_below() -> None:
    """What stands between the nearest sentence and the steps comes along."""
    below = make_passage(
        "kb-1",
        ("You can set a new one yourself.", 0.9),
        ("You need access to your mail.", 0.8),
        ("1. Open the page.", 0.8),
    )
    assert len(_texts(below)) == 3
    assert len(_texts(below, question="password of the console")) == 2


def test_a_third_language_is_not_added() -> None:
    """Beside an English answer to an English question a Ukrainian copy is left out."""
    copy = make_passage(card("kb-130", lang="uk"), ("Відкрийте консоль і натисніть забули пароль.", 0.88))
    assert {sentence.refs[0].passage for sentence in extract([RESET, copy], "How do I do it?", "en")} == {0}


SENTENCES = st.lists(st.tuples(st.text(max_size=40), st.floats(0.0, 1.0)), max_size=6)


@given(st.lists(SENTENCES, max_size=5), st.text(max_size=30))
def test_only_given_sentences_are_quoted_once(rows: list[list[tuple[str, float]]], question: str) -> None:
    """Whatever the passages hold: verbatim, in place, no sentence twice, at most three sources and ten sentences."""
    passages = [make_passage(f"d{n}", *row) for n, row in enumerate(rows)]
    quoted = extract(passages, question, "en")
    refs = [sentence.refs[0] for sentence in quoted]
    assert len(set(refs)) == len(refs) <= 10
    assert len({ref.passage for ref in refs}) <= MOST_SOURCES
    assert all(passages[r.passage].sentences[r.sentence].text == s.text for r, s in zip(refs, quoted, strict=True))


def test_a_source_without_the_number_does_not_lead_for_its_language() -> None:
    """Asked in German for a price, the English sentence that has one is quoted."""
    german = make_passage(card("kb-140", lang="de"), ("Der Leser merkt sich eine Kasse.", 0.86))
    english = make_passage(card("kb-110", lang="en"), ("The reader costs €59 once.", 0.85))
    assert _texts(english, german, question="Was kostet der Leser?", language="de")[0] == "The reader costs €59 once."


def test_a_ticket_of_the_same_words_gives_way_to_the_article_with_the_number() -> None:
    """The article is less relevant and leads all the same; not where its sentence is no clearly better answer, or in another language."""
    ticket = make_passage(card("t-1", lang="ru"), ("Ссылка приходит на адрес учётной записи.", 0.88), relevance=0.9)
    said = "Ссылка для сброса действует 30 минут."
    article = make_passage(card("kb-1", lang="ru"), (said, 0.88), relevance=0.5)
    asked = "Сколько минут действует ссылка для сброса?"
    assert _texts(ticket, article, question=asked, language="ru")[0] == said
    faint = make_passage(card("kb-1", lang="ru"), (said, 0.88), relevance=0.3)
    other = make_passage(card("kb-1", lang="en"), ("The reset link works for 30 minutes.", 0.88), relevance=0.5)
    beside = make_passage(card("kb-1", lang="ru"), ("С 1550 года так называют всех.", 0.84), relevance=0.5)
    for passage in (faint, other, beside):
        assert _texts(ticket, passage, question=asked, language="ru")[0] == ticket.sentences[0].text


def test_english_leads_where_the_askers_language_is_missing() -> None:
    """Of two sources that say the same a French asker is given the English one, not the Ukrainian one."""
    ukrainian = make_passage(card("kb-130", lang="uk"), ("Посилання діє тридцять хвилин.", 0.87))
    english = make_passage(card("kb-101", lang="en"), ("The link works for thirty minutes.", 0.85), relevance=0.8)
    far = make_passage(card("kb-101", lang="en"), ("The link works for thirty minutes.", 0.85), relevance=0.5)
    assert _texts(ukrainian, english, language="fr")[0] == "The link works for thirty minutes."
    assert _texts(ukrainian, far, language="fr")[0] == "Посилання діє тридцять хвилин."


def test_asked_for_a_number_a_second_sentence_with_one_is_quoted() -> None:
    """Vectors hardly tell two times apart, so both are shown; without a number the far sentence is left out."""
    passage = make_passage(
        "kb-101",
        ("Five wrong passwords lock the user for 15 minutes.", 0.87),
        ("Cashiers keep working all that time.", 0.83),
        ("3. Follow the link, which expires after 30 minutes.", 0.85),
    )
    asked = _texts(passage, question="How long does the link stay valid?")
    assert asked == [passage.sentences[0].text, passage.sentences[2].text]


def test_neighbours_stay_within_their_part_of_the_document() -> None:
    """A sentence of another part, between which text was left out, is no neighbour."""
    leaning = make_passage("kb-9", ("The link is sent by mail.", 0.80), ("It expires after 30 minutes.", 0.88))
    first, second = leaning.sentences
    apart = replace(leaning, sentences=(first, replace(second, part=1)))
    assert _texts(leaning) == ["The link is sent by mail.", "It expires after 30 minutes."]
    assert _texts(apart) == ["It expires after 30 minutes."]


CODE = make_passage(
    "kb-106",
    ("The till shows TL-4012 when the reader is not paired.", 0.86),
    ("- The reader was paired with another till in the meantime.", 0.80),
    ("1. Tap the reader in the list.", 0.80),
    ("2. Choose Forget and confirm.", 0.80),
    ("Payments that showed TL-4012 were never charged.", 0.90),
)


def test_a_bare_code_is_answered_by_what_it_means_and_what_to_do() -> None:
    """The first sentence that names it and the steps, not the nearest sentence and not the causes."""
    assert _texts(CODE, question="TL-4012") == [CODE.sentences[place].text for place in (0, 2, 3)]
    assert _texts(CODE, question="Were TL-4012 payments charged?")[0] == CODE.sentences[4].text


def test_a_table_stands_alone() -> None:
    """It holds numbers enough; of a long one only the rows that are named are quoted."""
    rows = "\n".join(f"| Plan{n} | {n} |" for n in range(8))
    table = make_passage(
        "kb-104", (f"| plan | requests |\n|---|---|\n{rows}", 0.86), ("The limit is 10 an hour.", 0.85)
    )
    assert _texts(table, question="What is the limit of Plan3?") == ["| plan | requests |\n|---|---|\n| Plan3 | 3 |"]


def test_a_procedure_is_whole_although_a_note_stands_between() -> None:
    """From the first step, with the note and the command; of a long one the steps around the nearest."""
    torn = make_passage(
        "kb-7",
        ("1. Open the page of your account.", 0.80),
        ("A note on the account stands here.", 0.80),
        ("2. Run this command there:", 0.86),
        ("```\nreset now\n```", 0.80),
        ("Something else stands below it.", 0.80),
    )
    assert _texts(torn) == [sentence.text for sentence in torn.sentences[:4]]
    long = make_passage("kb-8", *[(f"{n}. Do step number {n} now.", 0.88 if n == 11 else 0.85) for n in range(1, 13)])
    assert _texts(long)[4] == "11. Do step number 11 now."


def test_bullets_below_their_introduction_are_quoted_whole() -> None:
    """Requiring either with one of two bullets would say what is not true."""
    either = make_passage(
        "kb-9",
        ("Publishing a package requires either:", 0.80),
        ("- two factors on your account", 0.88),
        ("- a token that may publish", 0.80),
    )
    assert len(_texts(either)) == 3


def test_what_an_introduction_announces_comes_along() -> None:
    """The sentence below it, although it is farther."""
    lead = make_passage("kb-9", ("To upgrade the plan of a site:", 0.88), ("Click Upgrade and pay by card.", 0.75))
    assert len(_texts(lead)) == 2


def test_one_sentence_between_two_quoted_ones_is_quoted_too() -> None:
    """Two farther apart stay two quotes."""
    near = [
        ("The refund is made in the Console.", 0.88),
        ("Open the payment first.", 0.78),
        ("Choose the amount to return.", 0.87),
    ]
    far = [near[0], near[1], ("Nothing else is needed.", 0.78), near[2]]
    assert len(_texts(make_passage("kb-9", *near))) == 3
    assert _texts(make_passage("kb-9", *far)) == [far[0][0], far[3][0]]


def test_no_second_procedure_is_begun() -> None:
    """Half of one misleads; asked for a number one step of it may be quoted."""
    other = make_passage("kb-8", ("1. Wait for 9 minutes there.", 0.93), ("2. Lift the lid of it.", 0.80))
    assert all(text in [s.text for s in STEPS.sentences] for text in _texts(STEPS, other))
    assert other.sentences[0].text in _texts(STEPS, other, question="How long does it take?")


def test_steps_that_are_all_numbered_one_are_one_list() -> None:
    """Markdown numbers them by itself."""
    auto = make_passage("kb-7", *[(f"1. Do the part {word}.", 0.85) for word in ("alone", "again", "once")])
    assert len(_texts(auto)) == 3


def test_asked_for_a_number_a_source_that_has_one_comes_first() -> None:
    """A sentence on the limit without a number does not keep the limit itself out; a far less relevant source does not lead."""
    same = make_passage("t-1", ("The upload limit for files is the same in every browser.", 0.93), relevance=0.92)
    question = "What is the upload limit for files in megabytes?"
    for relevance, first in ((0.9, 1), (0.3, 0)):
        limit = make_passage(
            "kb-1", ("The upload limit for files is 200 MB for every file.", 0.84), relevance=relevance
        )
        assert extract((same, limit), question, "en")[0].refs[0].passage == first
