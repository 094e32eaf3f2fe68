"""A name behind words of closing is hidden whatever follows it on the line; what only looks like one stays."""

import pytest

from retrieval.redaction import Redactor

REDACTOR = Redactor()
SIGNED = (
    ("It fails. Thanks, Anna Smith, tel. 12 34", "It fails. Thanks, [NAME], tel. 12 34"),
    ("It fails. Best regards Anna – sent from my iPhone", "It fails. Best regards [NAME] – sent from my iPhone"),
    ("It fails. Best regards, Anna Smith, Head of Sales, Acme", "It fails. Best regards, [NAME], Head of Sales, Acme"),
    ("Please help. Kind regards,\nAnna", "Please help. Kind regards,\n[NAME]"),
    ("Please fix it asap thanks Anna Smith 0171 5551234", "Please fix it asap thanks [NAME] [PHONE]"),
    ("It fails. Thanks, Anna - sent from my iPad", "It fails. Thanks, [NAME] - sent from my iPad"),
    ("Many thanks, Priya Raman (shift lead), till 4 is it", "Many thanks, [NAME] (shift lead), till 4 is it"),
    ("Thank you! Dora Weiss, owner of the shop, call me", "Thank you! [NAME], owner of the shop, call me"),
    ("Late. Sincerely, Dora Weiss. PS: the second too.", "Late. Sincerely, [NAME]. PS: the second too."),
    ("Mit freundlichen Grüßen Jens Pohl, Filiale Nord", "Mit freundlichen Grüßen [NAME], Filiale Nord"),
    ("Hilfe. Viele Grüße Jens – von meinem iPhone", "Hilfe. Viele Grüße [NAME] – von meinem iPhone"),
    ("Hilfe. Danke, Jutta Engel, Tel. 12 34, bin da", "Hilfe. Danke, [NAME], Tel. 12 34, bin da"),
    ("З повагою Олена – надіслано з iPhone", "З повагою [NAME] – надіслано з iPhone"),
    ("Дякую, Олена Коваль, тел. 12 34, чекаю", "Дякую, [NAME], тел. 12 34, чекаю"),
    ("С уважением, Пётр Ильин, магазин на Невском", "С уважением, [NAME], магазин на Невском"),
    ("Спасибо, Пётр Ильин, тел. 12 34, жду", "Спасибо, [NAME], тел. 12 34, жду"),
    ("Saludos, Inés Robles, tienda Centro, caja 2", "Saludos, [NAME], tienda Centro, caja 2"),
    ("Un saludo, Inés – enviado desde mi iPhone", "Un saludo, [NAME] – enviado desde mi iPhone"),
    ("Merci, Chloé Petit, tél. 12 34", "Merci, [NAME], tél. 12 34"),
    ("Cordialement Chloé – envoyé de mon iPhone", "Cordialement [NAME] – envoyé de mon iPhone"),
    ("Z poważaniem Ewa Lis – wysłane z iPhone'a", "Z poważaniem [NAME] – wysłane z iPhone'a"),
    ("Dziękuję, Ewa Lis, kom. 12 34", "Dziękuję, [NAME], kom. 12 34"),
    ("Atenciosamente, João Prado, loja Centro", "Atenciosamente, [NAME], loja Centro"),
    ("Abraços, Rita – enviado do meu iPhone", "Abraços, [NAME] – enviado do meu iPhone"),
    ("İyi. Kind regards, Anna Smith, tel. 12", "İyi. Kind regards, [NAME], tel. 12"),
)
ORDINARY = (
    "Thank you Google Pay, it works now.",
    "Danke! Neue Kasse, alter Drucker.",
    "Vielen Dank. Letzte Frage, dann ist Schluss.",
    "LG Monitor, 27 inch, shows nothing.",
    "Best Buy, Amazon and others sell it.",
    "As regards Payment Terms, see below.",
    "Give my regards to the team. Thanks, Support Team, for the help.",
    "Thanks, Google Chrome, tel. 12",
    "Many thanks, Customer Success, will do.",
    "Gracias, Google Drive, ya funciona.",
    "Grüße aus Berlin, die Kasse läuft.",
    "Дякую, Нова Пошта, все працює.",
    "Kind regards, Billing",
    "Cordialement, Service Client",
    "Saludos, Equipo de Soporte",
)


@pytest.mark.parametrize(("text", "redacted"), SIGNED)
def test_a_name_behind_a_closing_is_hidden(text: str, redacted: str) -> None:
    """In eight languages, with a number, a role, a place or a mail program's line behind it; and only the name goes."""
    assert REDACTOR.redact(text).text == redacted
    assert Redactor().redact(redacted).text == redacted


@pytest.mark.parametrize("text", ORDINARY)
def test_what_is_no_name_stays(text: str) -> None:
    """Products, teams, places and new sentences behind the same words."""
    assert REDACTOR.redact(text).text == text
