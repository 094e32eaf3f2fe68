"""A question in parts through the whole flow: each part quoted from its own source, or named as without one."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from bot.messages import Answer, DraftSentence, Mode, NoticeKind, Outcome, SentenceRef, Usage
from bot.ports import ChatModel, ModelAnswer
from bot.texts import say
from retrieval.passages import Passage, Ranking
from retrieval.redaction import RedactedText
from tests.bot.flow_kit import Conversation, ask, card, text
from tests.fakes import FakePassageSource, ScriptedModel, make_passage

PASSWORD = make_passage(card("kb-1", lang="en"), "Open the console and choose Forgot password.")
INVOICES = make_passage(card("kb-2", lang="en"), "Invoices are listed under Billing in the account menu.")
QUESTION = "How do I reset my password and where do I see my invoices?"


class ByWord(FakePassageSource):
    """Finds a passage only by a query that holds its word; the mixed question finds them all."""

    def __init__(self, **passages: Passage) -> None:
        super().__init__(*passages.values())
        self.words = passages

    async def search(self, queries: Sequence[RedactedText], *, audience: frozenset[str], top_k: int = 8) -> Ranking:
        ranking = await super().search(queries, audience=audience, top_k=top_k)
        joined = " ".join(queries).casefold()
        kept = tuple(passage for word, passage in self.words.items() if word.casefold() in joined)
        source = FakePassageSource(*kept)
        return replace(await source.search(queries, audience=audience, top_k=top_k), index_id=ranking.index_id)


async def answered(question: str, model: ChatModel | None = None, **passages: Passage) -> Answer:
    """Ask with sources that are found by a word each."""
    return await ask(question, ByWord(**passages), model)


async def test_each_part_is_quoted_from_its_own_source() -> None:
    """Both parts are answered, both are among the queries, no part is said to be missing."""
    answer = await answered(QUESTION, password=PASSWORD, invoices=INVOICES)
    assert answer.text == (
        "“Open the console and choose Forgot password.” [1]\n"
        "“Invoices are listed under Billing in the account menu.” [2]"
    )
    assert [citation.id for citation in answer.citations] == ["kb-1", "kb-2"]
    assert answer.queries == (QUESTION, "How do I reset my password", "where do I see my invoices?")
    assert answer.notices == ()


@pytest.mark.parametrize(
    ("language", "question", "word", "missing"),
    [
        ("en", QUESTION, "password", "where do I see my invoices?"),
        (
            "de",
            "Wie setze ich mein Passwort zurück und wo finde ich meine Rechnungen?",
            "Passwort",
            "wo finde ich meine Rechnungen?",
        ),
        ("uk", "Як скинути пароль, а також де побачити рахунки?", "пароль", "де побачити рахунки?"),
        ("ru", "Как сбросить пароль и где посмотреть мои счета за год?", "пароль", "где посмотреть мои счета за год?"),
        ("es", "¿Cómo restablezco mi contraseña y dónde veo mis facturas?", "contraseña", "dónde veo mis facturas?"),
        (
            "fr",
            "Comment réinitialiser mon mot de passe et où voir mes factures ?",
            "passe",
            "où voir mes factures ?",
        ),
        ("pl", "Jak zresetować moje hasło i gdzie znaleźć moje faktury?", "hasło", "gdzie znaleźć moje faktury?"),
        ("pt", "Como redefino minha senha e onde vejo minhas faturas?", "senha", "onde vejo minhas faturas?"),
        ("zh", "如何重置密码？另外，在哪里查看发票？", "密码", "在哪里查看发票？"),
        (
            "ja",
            "パスワードをリセットするには？また、請求書はどこで確認できますか？",
            "パスワード",
            "請求書はどこで確認できますか？",
        ),
    ],
)
async def test_a_part_without_a_source_is_named(language: str, question: str, word: str, missing: str) -> None:
    """In the asker's language, behind what the other part's source says."""
    answer = await answered(question, **{word: PASSWORD})
    assert answer.outcome is Outcome.ANSWERED
    assert answer.language == language
    assert [citation.id for citation in answer.citations] == ["kb-1"]
    assert answer.text.splitlines()[-1] == say("part_without_source", language, part=text(missing))


async def test_no_part_with_a_source_is_nothing_found() -> None:
    """The parts are not listed one by one."""
    answer = await answered(QUESTION, elsewhere=PASSWORD)
    assert answer.outcome is Outcome.NO_MATCH
    assert "invoices" not in answer.text


async def test_one_document_for_both_parts_is_one_source() -> None:
    """It has one number, and a sentence is said once."""
    both = make_passage(
        card("kb-3", lang="en"), "Open the console and choose Forgot password.", "Invoices are under Billing there."
    )
    answer = await answered(QUESTION, password=both, invoices=both)
    assert [(citation.n, citation.id) for citation in answer.citations] == [(1, "kb-3")]
    assert answer.text.count("Forgot password") == 1
    assert "[2]" not in answer.text


async def test_two_parts_answered_by_one_table_quote_it_once() -> None:
    """With the rows of both."""
    head = "| | Zoom | Teams |\n|---|---|---|"
    rows = ["| Largest meeting | 300 | 100 |", "| Breakout rooms | 50 | 8 |", "| Recording | yes | no |"]
    table = make_passage(card("kb-4", lang="en"), "\n".join([head, *rows]))
    question = "What is the largest meeting in Zoom and how do I make a recording in Teams?"
    answer = await answered(question, largest=table, recording=table)
    assert str(answer.text) == f"{head}\n{rows[0]}\n{rows[2]}\n[1]"


def faint(id_: str, *sentences: str, relevance: float = 0.4, **facts: object) -> Passage:
    """Make an English passage between the cuts."""
    return make_passage(card(id_, lang="en", **facts), *sentences, relevance=relevance)


async def test_an_uncertain_part_makes_the_answer_uncertain() -> None:
    """Even when the other part is plainly answered, as long as it is nearer to plain than to nothing found."""
    invoices = faint("kb-2", "Invoices are listed under Billing in the account menu.")
    answer = await answered(QUESTION, password=PASSWORD, invoices=invoices)
    assert [citation.id for citation in answer.citations] == ["kb-1", "kb-2"]
    assert [notice.kind for notice in answer.notices] == [NoticeKind.UNCERTAIN]


async def test_a_faint_part_beside_a_plain_one_is_named() -> None:
    """It would pad the answer with something else; what is left is plainly answered."""
    invoices = faint("kb-2", "Invoices are listed under Billing in the account menu.", relevance=0.35)
    answer = await answered(QUESTION, password=PASSWORD, invoices=invoices)
    assert ([citation.id for citation in answer.citations], answer.notices) == (["kb-1"], ())
    missing = say("part_without_source", "en", part=text("where do I see my invoices?"))
    assert answer.text.splitlines()[-1] == missing


async def test_parts_that_are_all_uncertain_are_quoted_so() -> None:
    """With the notice; none of them is taken for missing."""
    password = faint("kb-1", "Open the console and choose Forgot password.", relevance=0.35)
    invoices = faint("kb-2", "Invoices are listed under Billing in the account menu.", relevance=0.35)
    answer = await answered(QUESTION, password=password, invoices=invoices)
    assert [citation.id for citation in answer.citations] == ["kb-1", "kb-2"]
    assert [notice.kind for notice in answer.notices] == [NoticeKind.UNCERTAIN]


HOLIDAY = "How do I ask for a holiday of my own?"


async def test_a_relevant_hit_that_is_not_quoted_makes_nothing_certain() -> None:
    """The quoted source lies between the cuts, the relevant one has nothing to quote: the answer is uncertain."""
    quotable = faint("kb-2", "Holidays are listed under Billing in the account menu.")
    silent = make_passage(card("kb-3", lang="en"), "## A heading about holidays")
    answer = await ask(HOLIDAY, FakePassageSource(silent, quotable))
    assert [citation.id for citation in answer.citations] == ["kb-2"]
    assert [notice.kind for notice in answer.notices] == [NoticeKind.UNCERTAIN]
    plain = await ask(HOLIDAY, FakePassageSource(silent, replace(quotable, relevance=0.6)))
    assert plain.notices == ()


async def test_a_source_below_the_lower_cut_is_not_quoted() -> None:
    """However near its sentence is; when nothing else can be quoted, nothing was found."""
    far = faint("kb-2", "Holidays are listed under Billing in the account menu.", relevance=0.2)
    silent = faint("kb-3", "## A heading about holidays")
    answer = await ask(HOLIDAY, FakePassageSource(silent, far))
    assert (answer.outcome, answer.citations) == (Outcome.NO_MATCH, ())


async def test_a_code_or_an_id_lets_a_faint_source_be_quoted() -> None:
    """The holder of the code with the notice, the source that is named by its id without."""
    far = faint("kb-2104", "Error TL-4012 says that the holiday overlaps another one.", relevance=0.1)
    source = FakePassageSource(PASSWORD, far)
    for question, kinds in (("What does TL-4012 mean?", [NoticeKind.UNCERTAIN]), ("What does kb-2104 say?", [])):
        answer = await ask(question, source)
        assert [citation.id for citation in answer.citations] == ["kb-2104"]
        assert [notice.kind for notice in answer.notices] == kinds


async def test_a_newer_version_is_quoted_for_the_one_that_was_found() -> None:
    """It takes the place of a relevant source, though its own words are far from the question."""
    newer = faint("kb-9", "Holidays are asked for in the app since this year.", relevance=0.1, supersedes=("kb-2",))
    older = make_passage(card("kb-2", lang="en"), "Holidays are asked for on paper in the office.")
    answer = await ask(HOLIDAY, FakePassageSource(older, newer))
    assert [citation.id for citation in answer.citations] == ["kb-9"]
    assert NoticeKind.UNCERTAIN in [notice.kind for notice in answer.notices]


async def test_a_part_that_would_ping_is_not_repeated() -> None:
    """Neither a mention nor an address of the asker stands in the answer."""
    for unsafe in ("where is @channel told about my invoices?", "where does https://evil.example list my invoices?"):
        answer = await answered(f"How do I reset my password? And {unsafe}", password=PASSWORD)
        assert "“…”" in answer.text.splitlines()[-1]


async def test_a_model_that_says_what_is_missing_is_not_repeated() -> None:
    """Its sentence stands; without one the missing part is named by us."""
    used = Usage(calls=1)
    said = DraftSentence(text("Choose Forgot password in the console."), (SentenceRef(0, 0),))
    lacks = DraftSentence(text("The sources do not mention invoices."), ())
    for sentences, count in (((said,), 1), ((said, lacks), 0)):
        model = ScriptedModel(ModelAnswer(sentences, used, "model-1", "prompt-1"))
        answer = await answered(QUESTION, model, password=PASSWORD)
        assert answer.mode is Mode.MODEL
        assert answer.text.count("I found nothing") == count
        assert "invoices" in answer.text


async def test_a_thread_leads_only_the_last_places() -> None:
    """What fits the question before is searched for, and does not answer the new one."""
    source = ByWord(password=PASSWORD, invoices=replace(INVOICES, relevance=0.6))
    thread = Conversation(source)
    await thread.ask("How do I reset my password?")
    answer = await thread.ask("Where do I see my invoices of last year?")
    assert [citation.id for citation in answer.citations] == ["kb-2"]
    assert [hit.id for hit in answer.hits] == ["kb-2", "kb-1"]
    assert answer.queries == ("Where do I see my invoices of last year?",)
    assert source.searched[-2][0] == source.searched[-1][0] == "Where do I see my invoices of last year?"


CODES = make_passage(
    card("kb-4", lang="en"),
    ("Error LG-411 says that the card has expired and wants another one.", 0.27),
    ("To make the charge go through at once choose **Retry now** there.", 0.13),
)


async def test_what_is_asked_beside_a_code_is_answered_from_its_source() -> None:
    """Each half by a sentence of its own; what no sentence is about is named."""
    question = "error LG-411 and how do I retry the charge?"
    answer = await ask(question, FakePassageSource(CODES))
    assert "has expired" in answer.text.splitlines()[0]
    assert "Retry now" in answer.text.splitlines()[1]
    far = tuple(replace(sentence, nearness=near) for sentence, near in zip(CODES.sentences, (0.45, 0.1), strict=True))
    answer = await ask(question, FakePassageSource(replace(CODES, sentences=far)))
    assert answer.text.splitlines()[-1] == say("part_without_source", "en", part=text("how do I retry the charge?"))


async def test_a_number_asked_beside_is_looked_for_in_the_same_source() -> None:
    """It is not said to be missing where it stands; with no such number it is."""
    question = "how do I book a courier and how much is the second one"
    pickup = make_passage(
        card("kb-5", lang="en"), "A courier is booked in the menu for pickups.", "Each further one costs 5 EUR there."
    )
    answer = await answered(question, courier=pickup)
    assert "5 EUR" in answer.text
    assert "nothing" not in answer.text
    bare = replace(pickup, sentences=pickup.sentences[:1])
    answer = await answered(question, **{"courier and": bare, "I book": bare})
    assert "how much is the second one" in answer.text
