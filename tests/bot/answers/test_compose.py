"""The text of an answer."""

from bot.answers.compose import compose
from bot.answers.extractive import quote_of
from bot.messages import DraftSentence, SentenceRef
from retrieval.language import language_of
from tests.bot.flow_kit import RESET, card, text
from tests.fakes import make_passage

GERMAN = make_passage(
    card("kb-140", lang="de"), "Wählen Sie dort Passwort vergessen.", "1. Öffnen Sie die Konsole.", "2. Warten Sie."
)


def test_an_asker_without_texts_reads_english_frames_and_unmarked_english() -> None:
    """To an Italian question the frame is English: an English quote is not marked, an Italian one neither, a German one is."""
    quotes = [quote_of([RESET, GERMAN], SentenceRef(0, 0)), quote_of([RESET, GERMAN], SentenceRef(1, 0))]
    said = compose(quotes, [RESET, GERMAN], "it", language_of=language_of).text
    assert "quoted in English" not in said
    assert said.count("(quoted in German)") == 1


def test_neighbours_are_one_quote_and_sources_are_numbered_in_order() -> None:
    """Two neighbouring sentences share a pair of quotation marks and a number."""
    quotes = [quote_of([RESET, GERMAN], SentenceRef(*ref)) for ref in ((1, 0), (0, 0), (0, 1))]
    made = compose(quotes, [RESET, GERMAN], "de", language_of=language_of)
    first, second = made.text.split("\n")
    assert first == "“Wählen Sie dort Passwort vergessen.” [1]"
    assert second.startswith("“Open the console")
    assert second.endswith("30 minutes.” [2] (Zitat auf Englisch)")
    assert [(citation.n, citation.id) for citation in made.citations] == [(1, "kb-140"), (2, "kb-101")]
    assert made.citations[1].quote in second


def test_list_items_stand_on_lines_of_their_own() -> None:
    """Steps can be followed one by one."""
    quotes = [quote_of([GERMAN], SentenceRef(0, place)) for place in (1, 2)]
    assert (
        compose(quotes, [GERMAN], "de", language_of=language_of).text
        == "“1. Öffnen Sie die Konsole.\n2. Warten Sie.” [1]"
    )


def test_a_single_bullet_stands_without_its_mark() -> None:
    """An item quoted alone is a sentence; of several each has its mark, or where one ends could not be seen."""
    limits = make_passage(
        card("kb-103"), "- Refunds: 14 days from the invoice.", "- Returns: 30 days from the delivery."
    )
    alone, after = (quote_of([limits], SentenceRef(0, place)) for place in (0, 1))
    made = compose([alone], [limits], "en", language_of=language_of)
    assert made.text == "“Refunds: 14 days from the invoice.” [1]"
    assert made.citations[0].quote == "Refunds: 14 days from the invoice."
    both = compose([alone, after], [limits], "en", language_of=language_of).text
    assert both == "“- Refunds: 14 days from the invoice.\n- Returns: 30 days from the delivery.” [1]"


def test_sentences_of_a_model_are_prose_with_numbers() -> None:
    """Each sentence carries the numbers of all its sources; one about what is missing carries none."""
    said = [
        DraftSentence(text("The link works once."), (SentenceRef(0, 1), SentenceRef(1, 0))),
        DraftSentence(text("The sources do not mention cheques."), ()),
    ]
    made = compose(said, [RESET, GERMAN], "en", language_of=language_of)
    assert made.text == "The link works once. [1][2] The sources do not mention cheques."
    assert made.citations[0].quote == RESET.sentences[1].text


def test_steps_of_a_model_stand_on_lines_of_their_own() -> None:
    """The first line answers, each step has its line, and prose behind a list begins a line again."""

    def step(words: str, item: str = "", *, begins_line: bool = True) -> DraftSentence:
        return DraftSentence(text(words), (SentenceRef(0, 0),), item=item, begins_line=begins_line)

    said = [
        step("Reset it in the console."),
        step("It takes a minute."),
        step("Open the console.", "1."),
        step("Wait for it.", begins_line=False),
        step("Choose Reset.", "2."),
        step("Then sign in."),
        step("That is all.", begins_line=False),
    ]
    made = compose(said, [RESET], "en", language_of=language_of)
    assert made.text.split("\n") == [
        "Reset it in the console. [1] It takes a minute. [1]",
        "1. Open the console. [1] Wait for it. [1]",
        "2. Choose Reset. [1]",
        "Then sign in. [1] That is all. [1]",
    ]


def test_an_unlabelled_source_is_labelled_by_its_words() -> None:
    """Without a language in the card the quote itself is asked."""
    plain = make_passage("kb-1", "Wählen Sie dort die Schaltfläche Passwort vergessen aus.")
    made = compose([quote_of([plain], SentenceRef(0, 0))], [plain], "en", language_of=language_of)
    assert made.text.endswith("(quoted in German)")


def test_a_table_stands_alone_without_quotation_marks() -> None:
    """So that a platform can render it; its source follows on the next line."""
    table = "| plan | price |\n|---|---|\n| Team | €49 |"
    priced = make_passage(card("kb-110", lang="en"), "Prices are per month.", table)
    made = compose(
        [quote_of([priced], SentenceRef(0, place)) for place in (0, 1)], [priced], "en", language_of=language_of
    )
    assert made.text == f"“Prices are per month.” [1]\n{table}\n[1]"
    assert made.citations[0].quote == "Prices are per month."


def test_a_labelled_link_and_an_address_that_acts_do_not_go_out() -> None:
    """A link to a host that no source is on is left out of a quote, and a citation has an http(s) address or none."""
    linked = make_passage(
        card("kb-150", lang="en", url="javascript:alert(1)"), "Open [the page](https://evil.example/x) and wait there."
    )
    made = compose([quote_of([linked], SentenceRef(0, 0))], [linked], "en", language_of=language_of)
    assert made.text == "“Open the page ([…]) and wait there.” [1]"
    assert made.citations[0].quote == "Open the page ([…]) and wait there."
    assert made.citations[0].url is None


def test_a_link_to_a_page_of_the_base_stays() -> None:
    """A host counts when any document of the base is on it, whether or not that one was found."""
    linked = make_passage(card("t-1", lang="en"), "Open https://help.example.com/x and wait there.")
    quote = [quote_of([linked], SentenceRef(0, 0))]
    made = compose(quote, [linked], "en", language_of=language_of, hosts=frozenset({"help.example.com"}))
    assert "https://help.example.com/x" in made.text
    assert "[…]" in compose(quote, [linked], "en", language_of=language_of).text
