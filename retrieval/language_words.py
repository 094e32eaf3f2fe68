"""Words that name their language: what short support questions are made of and a letter model cannot tell.

Only words that are not written the same in another language of the table; a word may still belong to two of them
("de", "no") when it is left out of both.
"""

LANGUAGE_WORDS: dict[str, frozenset[str]] = {
    code: frozenset(words.split())
    for code, words in {
        "en": """the and is are not how what where why when can could should does doesn't don't my your with after this
            that i've i'm hello hi hey thanks thank please refund invoice password error billing settings cancel change
            help account update delete find working export""",
        "uk": """як що де чому коли чи можна немає мій моя мене після цей дякую привіт будь ласка рахунок помилка
            скинути налаштувати увійти ключ і та для від пропав зник добрий вітаю допомога""",
        "ru": """как что где почему когда можно нет мой моя меня после этот спасибо привет пожалуйста счёт ошибка
            сбросить настроить войти и или для от здравствуйте помощь помогите""",
        "de": """der die das und ist nicht wie wo warum wann kann ich mein meine mit nach auf für ein eine hallo danke
            bitte rechnung passwort fehler konto ändern kündigen hilfe anmelden löschen einstellungen""",
        "fr": """le les et est pas comment où pourquoi quand puis je mon ma mes avec après dans pour une bonjour merci
            salut facture remboursement erreur compte modifier annuler aide mot passe ça sur""",
        "es": """el los y cómo dónde cuándo puedo mi mis después una hola gracias favor factura reembolso contraseña
            cuenta cambiar ayuda quiero tengo está por qué cuál""",
        "pl": """jak gdzie dlaczego kiedy czy mogę się nie mój moje po jest dla dzień dobry cześć dziękuję dzięki proszę
            faktura fakturę hasło hasła błąd konto konta zmiana zmienić usunąć pomoc ekran adresu""",
        "pt": """o os e não como onde quando posso meu minha depois uma olá obrigado obrigada fatura senha conta
            mudar alterar ajuda quero tenho está você""",
    }.items()
}
