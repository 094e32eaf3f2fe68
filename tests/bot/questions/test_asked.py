"""What a question wants, and which sentences fit that."""

import pytest

from bot.answers.evidence import shape_of
from bot.questions.asked import Ask, asked_of, fit_of, without_asking


def _fit(question: str, text: str) -> float:
    return fit_of(text, shape_of(text), asked_of(question))


def test_what_a_question_wants_is_recognised() -> None:
    """A number or time, a procedure, or neither, in several languages."""
    for question in (
        "How long is it valid?",
        "Скільки днів?",
        "Wie lange gilt das?",
        "ile kosztuje",
        "多少钱",
        "何分ですか",
    ):
        assert asked_of(question).kind is Ask.QUANTITY
    for question in (
        "How do I reset it?",
        "Як скинути пароль?",
        "Wie setze ich es zurück?",
        "如何重置密码？",
        "リセットするには？",
    ):
        assert asked_of(question).kind is Ask.HOW
    for question in ("TL-4012 on the till", "The printer is dead", "Drucker druckt nichts"):
        assert asked_of(question).kind is Ask.OTHER


@pytest.mark.parametrize(
    ("question", "fits", "lacks"),
    [
        ("How long does a link stay valid?", "It expires after 30 minutes.", "A new password has 12 characters."),
        ("How soon can we get another?", "The exchange takes two working days.", "The case was opened or hit."),
        ("Скільки коштує зчитувач?", "Зчитувач коштує €59 одноразово.", "Зчитувач пам'ятає 8 кас."),
        ("Was kostet die Cloud-TSE?", "Sie kostet 9 € pro Kasse.", "Sie speichert 40 Belege."),
        ("多少钱？", "Team costs €49 per location.", "链接在30分钟后失效。"),
        ("链接多长时间内有效？", "链接在30分钟后失效。", "密码至少12个字符。"),
        ("До котрої години треба закрити зміну?", "Зміну слід закривати до 23:50.", "Чек має 2 копії."),
        ("Which version of the firmware do we need?", "Install firmware 2.4.1 first.", "It needs 5 readers."),
        (
            "When is it down?",
            "It has a window of its own: Sundays 5 to 7 a.m.",
            "Planned work is announced in 2 mails.",
        ),
        ("Wann endet das Konto?", "Es endet am letzten Tag um Mitternacht.", "Es endet mit dem Vertrag."),
        ("Wie viele Tage habe ich?", "Sie haben 14 Tage Zeit.", "Sie haben 3 Versuche."),
        ("What does TL-4012 mean?", "The till shows TL-4012 then.", "The till shows TL-7001 then."),
    ],
)
def test_a_sentence_with_what_is_asked_for_fits_better(question: str, fits: str, lacks: str) -> None:
    """A time, a price, a version, the unit that is named, or the code."""
    assert _fit(question, fits) > _fit(question, lacks)


def test_the_number_of_a_step_is_no_answer() -> None:
    """The list of readers is no third one."""
    assert _fit("How many readers can I add?", "3. Open the list of readers.") == 0.0
    assert _fit("How many readers can I add?", "3. Add up to 4 readers.") > 0.0


def test_steps_fit_a_question_for_a_procedure() -> None:
    """And not one for a fact."""
    assert _fit("How do I reset it?", "1. Open the console.") > _fit("How do I reset it?", "The console opens.")
    assert _fit("The printer is dead", "1. Open the console.") == 0.0


def test_a_limit_is_a_number_unless_a_procedure_is_asked_for() -> None:
    """The first wants a number, the second steps; a table of numbers fits best."""
    assert asked_of("What is the API rate limit?").kind is Ask.QUANTITY
    assert asked_of("How do I raise the limit?").kind is Ask.HOW
    table = "| plan | requests per minute |\n|---|---|\n| Team | 120 |"
    assert _fit("What is the API rate limit?", table) > _fit("What is the API rate limit?", "It is 10 on every plan.")
    assert _fit("How many requests per minute?", table) == 1.0


def test_a_bare_code_is_told() -> None:
    """Nothing but the code is named."""
    assert asked_of("TL-4012").is_bare_code
    assert not asked_of("TL-4012 on the second till").is_bare_code


@pytest.mark.parametrize(
    ("question", "fits", "lacks"),
    [
        ("who may do that?", "Only an admin can invite users.", "Users are invited in the menu."),
        ("who may ask for one?", "The head of an institute may ask for it.", "It is asked for with a form."),
        ("кто может это сделать?", "Nur Beschäftigte können das.", "Das geht im Portal."),
        ("wer darf das?", "Лише адміністратор може це змінити.", "Це змінюють у меню."),
        ("谁可以退款？", "只有管理员可以退款。", "退款需要七天才能到账。"),
    ],
)
def test_asked_who_may_a_role_fits(question: str, fits: str, lacks: str) -> None:
    """In any of the languages, whatever that of the question."""
    assert asked_of(question).kind is Ask.WHO
    assert _fit(question, fits) > _fit(question, lacks)


def test_what_to_do_about_a_trouble_is_a_procedure_and_a_remedy() -> None:
    """How to do something else is a procedure alone."""
    for question in ("customer charged twice what now", "Rechnung doppelt, was tun", "що робити, якщо списали двічі"):
        assert asked_of(question).kind is Ask.HOW
        assert asked_of(question).is_remedy
    assert not asked_of("how do I add a user").is_remedy


def test_key_words_are_read_in_the_askers_language() -> None:
    """Without a small word nothing else tells it: "frais" is a fee to who writes French."""
    assert asked_of("frais rejet prélèvement sepa").kind is Ask.OTHER
    assert asked_of("frais rejet prélèvement sepa", prefer="fr").kind is Ask.QUANTITY


def test_a_small_word_is_no_unit() -> None:
    """French "an" is a year; "an employee" is none, so any time is wanted."""
    assert asked_of("When does an employee's account end?").units == asked_of("When does the account end?").units


def test_words_that_only_ask_are_left_out() -> None:
    """Those of phrases; "cost" alone may also name a row."""
    assert without_asking("How long may a job run?") == "may a job run"
    assert without_asking("What does it cost?") == "what does it cost"
    assert without_asking("多少钱") == "多少钱"
