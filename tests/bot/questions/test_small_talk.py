"""Questions are told from small talk in ten languages."""

import pytest

from bot.lexicon import LANGUAGES
from bot.questions.small_talk import Said, kind_of

THANKS = {
    "en": "thanks, that did it", "uk": "Дякую, все працює!", "ru": "Спасибо, заработало", "de": "Danke, das hat geholfen",
    "fr": "Merci beaucoup, c'est bon", "es": "Muchas gracias", "pl": "Dzięki, działa", "pt": "obrigado, funcionou",
    "zh": "谢谢，好了", "ja": "ありがとうございます",
}  # fmt: skip
GREETINGS = {
    "en": "Hi there!", "uk": "Доброго дня!", "ru": "Здравствуйте", "de": "Hallo zusammen", "fr": "Bonjour", "es": "¡Hola!",
    "pl": "Dzień dobry", "pt": "Bom dia", "zh": "你好", "ja": "こんにちは",
}  # fmt: skip
VAGUE = {
    "en": "it is not working again, how do I do it?", "uk": "знову не працює, що робити?", "ru": "опять не работает, помогите",
    "de": "Es funktioniert wieder nicht, was soll ich machen?", "fr": "ça ne marche pas, aidez-moi", "es": "no funciona, ayuda",
    "pl": "nie działa, co robić?", "pt": "não funciona, o que fazer?", "zh": "不能用了怎么办", "ja": "動かないです、どうすればいいですか",
}  # fmt: skip
QUESTIONS = {
    "en": "How do I reset my password?", "uk": "Як скинути пароль?", "ru": "Где скачать счёт?", "de": "Wo finde ich meine Rechnung?",
    "fr": "Où trouver ma facture ?", "es": "¿Dónde descargo mi factura?", "pl": "Gdzie znajdę fakturę?",
    "pt": "Como exporto as faturas?", "zh": "如何重置密码？", "ja": "ログインできません",
}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_kind_is_told_in_every_language(language: str) -> None:
    """Thanks, greetings, vague openers and questions are four kinds."""
    assert kind_of(THANKS[language]) is Said.THANKS
    assert kind_of(GREETINGS[language]) is Said.GREETING
    assert kind_of(VAGUE[language]) is Said.VAGUE
    assert kind_of(QUESTIONS[language]) is Said.QUESTION


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", Said.NOTHING),
        ("   ", Said.NOTHING),
        ("👍", Said.THANKS),
        (":thumbsup:", Said.THANKS),
        ("🤔", Said.EMOJI),
        ("???", Said.EMOJI),
        ("0", Said.VAGUE),
        ("7?", Said.VAGUE),
        ("x" * 4_000, Said.VAGUE),
        ("aaaaaa", Said.VAGUE),
        ("qwertz" * 20, Said.VAGUE),
        ("ж" * 80, Said.VAGUE),
        ("Rechtsschutzversicherungsgesellschaften", Said.QUESTION),
        ("504", Said.QUESTION),
        ("5f4dcc3b" * 8, Said.QUESTION),
        ("ログイン" * 20, Said.QUESTION),
        ("无法登录" * 20, Said.QUESTION),
        ("xxxxxx password reset", Said.QUESTION),
        ("the", Said.VAGUE),
        ("no", Said.VAGUE),
        ("Thanks but it is still not working", Said.VAGUE),
        ("Hi, can you help me?", Said.VAGUE),
        ("B1", Said.QUESTION),
        ("VPN", Said.QUESTION),
        ("error 504", Said.QUESTION),
        ("customer is furious and threatens to sue, what is our refund policy", Said.QUESTION),
        ("Please analyse why sync is failing for workspace 42", Said.QUESTION),
        ("hi, where is my invoice?", Said.QUESTION),
    ],
)
def test_edges(text: str, kind: Said) -> None:
    """Emoji, single words, codes, and politeness around a complaint or a question."""
    assert kind_of(text) is kind


@pytest.mark.parametrize(
    "text",
    """merci de votre aide
Merci beaucoup pour votre réponse rapide !
thanks for your help
Thank you so much for the quick reply
thanks for your time and patience
дякую за допомогу
щиро дякую за швидку відповідь
спасибо за помощь
большое спасибо за быстрый ответ
danke für deine hilfe
Vielen Dank für die schnelle Antwort!
gracias por tu ayuda
muchas gracias por la respuesta rápida
dziękuję za pomoc
dzięki za szybką odpowiedź
obrigado pela ajuda
muito obrigada pela resposta rápida
谢谢你的帮助
感谢您的回复
ご対応ありがとうございます
迅速なご回答ありがとうございました""".splitlines(),
)
def test_thanks_for_something_are_thanks(text: str) -> None:
    """Who thanks for help, a reply or time asks nothing."""
    assert kind_of(text) is Said.THANKS


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("thanks, what is the response time?", Said.QUESTION),
        ("thanks for the help, the export is empty", Said.QUESTION),
        ("merci de votre aide, la facture est vide", Said.QUESTION),
        ("danke für die hilfe, geht aber nicht", Said.VAGUE),
        ("thanks for your help but it does not work", Said.VAGUE),
        ("help", Said.VAGUE),
        ("support response time", Said.QUESTION),
        ("quick reply", Said.QUESTION),
        ("谢谢，发票在哪里", Said.QUESTION),
    ],
)
def test_thanks_do_not_hide_what_is_asked(text: str, kind: Said) -> None:
    """A subject, a question mark or trouble beside the thanks counts; without thanks the words are what they were."""
    assert kind_of(text) is kind


def test_a_long_text_of_stop_words_is_quick() -> None:
    """4 000 characters without a subject are still vague, and judged in well under a second."""
    assert kind_of("the and or but " * 260) is Said.VAGUE
