"""Which questions lean on the one before: details, corrections, pronouns and articles in ten languages."""

import pytest

from bot.questions.leaning import is_follow_up

BEFORE = {
    "en": "How do I install the Till app on an iPad?",
    "de": "Wie installiere ich die App auf dem iPad?",
    "fr": "Comment installer l'application sur un iPad ?",
    "es": "¿Cómo instalo la aplicación en un iPad?",
    "pt": "Como instalo o aplicativo no iPad? Obrigado!",
    "pl": "Jak zainstalować aplikację na iPadzie?",
    "uk": "Як встановити застосунок на iPad?",
    "ru": "Как установить приложение на iPad?",
    "zh": "怎么在 iPad 上安装收银应用？",
    "ja": "iPadにレジアプリをインストールするには？",
}
DETAILS = {
    "en": ["which documents?", "how often?", "for how long?", "how many days?", "where exactly?"],
    "de": ["wie oft?", "welche Unterlagen?", "wie viele Tage?"],
    "fr": ["quels documents ?", "combien de jours ?", "à quelle fréquence ?"],
    "es": ["¿qué documentos?", "¿con qué frecuencia?"],
    "pt": ["quais documentos?", "com que frequência?"],
    "pl": ["jakie dokumenty?", "ile dni?"],
    "uk": ["які документи?", "як часто?"],
    "ru": ["какие документы?", "как часто?"],
    "zh": ["几天？", "哪个版本？"],
    "ja": ["何日ですか？", "どのバージョン？", "Androidは？"],
}
CORRECTIONS = {
    "en": ["no, I mean on Android", "I meant the Android version", "sorry, on a Samsung tablet", "Thanks! On Android?"],
    "de": ["ich meine auf Android", "nein, auf Android", "Danke! Und 2.4?"],
    "fr": ["je veux dire sur Android", "merci, et sur Android ?"],
    "es": ["me refiero a Android", "gracias, ¿y en Android?"],
    "pt": ["quero dizer no Android", "obrigado, e no Android?"],
    "pl": ["chodzi mi o Androida", "dzięki, a na Androidzie?"],
    "uk": ["маю на увазі Android", "дякую, а якщо застосунок закривається?"],
    "ru": ["я имею в виду Android", "спасибо, а если приложение закрывается?"],
    "zh": ["我是说安卓", "谢谢，那安卓呢？"],
    "ja": ["ありがとうございます。Androidの場合は？"],
}
PRONOUNS = {
    "en": ["how do I allow that?", "does that also work offline?", "That didn't help"],
    "de": ["wie mache ich das?", "Geht das auch beim Tablet?", "Wie kann ich das ändern?"],
    "fr": ["comment la désactiver ?", "peut-on le faire hors ligne ?"],
    "es": ["¿cómo la desinstalo?", "¿cómo puedo desinstalarla?", "¿La puedo borrar después?"],
    "pt": ["como posso desinstalá-lo?"],
    "pl": ["jak ją odinstalować?", "jak sprawdzić nimi stan?"],
}
STANDING = {
    "en": [
        "what is VPN?",
        "Can I get a refund?",
        "An error that is new appears on the printer",
        "TL-4012",
        "which TL-4012?",
    ],
    "de": ["Das Display bleibt schwarz, was tun?", "Wie öffne ich das Kassenbuch?", "Was ist eine TSE?"],
    "fr": [
        "La console est très lente depuis hier, que faire ?",
        "Qu'est-ce que le SAML ?",
        "Pourquoi la console est lente ?",
    ],
    "es": ["La impresora saca papel en blanco", "¿Por qué la consola va lenta?", "¿Cómo se cambia la moneda?"],
    "pt": ["A impressora imprime papel em branco", "O que é SAML?"],
    "pl": ["Co to jest SAML?", "Kto zatwierdza rabaty?"],
    "uk": ["Що таке SAML?", "Імпорт та експорт товарів із таблиці"],
    "ru": ["Что такое SAML?", "Где мои счета?"],
    "zh": ["什么是 SAML？", "怎么取消订阅？"],
    "ja": ["サブスクリプションを解約するには？", "SAMLとは何ですか？"],
}


def _rows(table: dict[str, list[str]]) -> list[tuple[str, str]]:
    return [(BEFORE[code], question) for code, questions in table.items() for question in questions]


@pytest.mark.parametrize(("previous", "question"), _rows(DETAILS))
def test_a_detail_of_something_not_named_leans(previous: str, question: str) -> None:
    """A question word with one word behind it asks of what the thread is about."""
    assert is_follow_up(question, [previous])


@pytest.mark.parametrize(("previous", "question"), _rows(CORRECTIONS))
def test_a_correction_leans(previous: str, question: str) -> None:
    """What stands behind "no, I mean" or a word of thanks goes on with the question before."""
    assert is_follow_up(question, [previous])


@pytest.mark.parametrize(("previous", "question"), _rows(PRONOUNS))
def test_a_pronoun_that_may_be_an_article_leans_by_its_neighbours(previous: str, question: str) -> None:
    """Beside a verb, at the end of a verb and at the end of a question it stands for a thing of the thread."""
    assert is_follow_up(question, [previous])


@pytest.mark.parametrize(("previous", "question"), _rows(STANDING))
def test_an_article_or_a_definition_drags_nothing_along(previous: str, question: str) -> None:
    """What is named behind "la", "das" or "co to jest" is a subject of its own."""
    assert not is_follow_up(question, [previous])
