"""What stands before and behind a number: the words that say whether it is personal."""

import re

WINDOW = 48  # code points; a label is nearer than that

_NUMBER = r"(?:no|nr|num|number|numbers|id|code|номер\w?|nummer|numer|numéro|numero|número|№)"
_ID_WORDS = (
    r"order|purchase|invoice|ticket|case|incident|request|req|ref|reference|tracking|parcel|shipment|serial|model|sku|article|part|batch|lot|"
    r"transaction|txn|contract|customer|client|account|acct|subscription|quote|booking|reservation|policy|claim|job|task|bug|issue|pr|commit|"
    r"revision|version|ver|build|release|patch|kb|error|err|code|status|exit|errno|port|pid|thread|line|row|page|step|chapter|id|uid|guid|imei|"
    r"timestamp|time|epoch|offset|size|bytes|count|total|amount|sum|price|limit|vat|ust-?id|zip|postcode|po|isbn|ean|upc|hex|object|item|record|"
    r"замовленн\w|заказ\w{0,2}|рахун\w{2,4}|сч[её]т\w{0,2}|тикет\w{0,2}|тікет\w{0,2}|звернення|обращени\w|заявк\w|накладн\w{1,3}|ттн|посилк\w|"
    r"договор\w?|договір|помилк\w|ошибк\w|код\w?|верс\w{1,3}|збірк\w|сборк\w|артикул\w?|серійний|серийный|клієнт\w?|клиент\w?|транзакц\w{1,2}|"
    r"сум[аи]|индекс|індекс|строка|рядок|трек|"
    r"bestell\w{0,12}|auftrag\w{0,8}|rechnung\w{0,8}|vorgang\w{0,8}|kunden\w{0,8}|liefer\w{0,10}|sendung\w{0,8}|vertrag\w{0,8}|fehler\w{0,8}|"
    r"artikel\w{0,8}|serien\w{0,8}|zeile|betrag|buchung\w{0,8}|plz|fall|"
    r"zamówieni\w|faktur\w{1,2}|zgłoszeni\w|błąd|błędu|pedido|factura|fatura|boleto|incidencia|chamado|commande|facture|dossier|erreur|réf"
)
# "order 41112222", "Bestellnummer: 41112222", "invoice no. 2026/4111": the word, perhaps "number", perhaps a sign.
_ID_BEFORE = re.compile(
    rf"(?i)(?<![^\W_])(?:(?:{_ID_WORDS})(?:[ _-]{{1,2}}{_NUMBER})?|no\.|nr\.|num\.|id)\.?(?:\s(?:is|це|это|ist|to|est|es)\s)?[\s:=#№(\[\"'-]{{0,4}}$"
)
_PHONE_WORDS = (
    r"phone\w{0,6}|telephone|tel|mobile|cell(?:phone)?|fax|desk|hotline|landline|whats ?app|viber|telegram|signal|sms|text me|call\w{0,3}|dial|ring|"
    r"reach\w{0,3}|answer\w{0,3}|registered|office|contact|direct|home|"
    r"телефон\w{0,3}|тел|моб\w{0,8}|дзвон\w{1,4}|подзвон\w{1,4}|зателефон\w{1,5}|набер\w{1,4}|звон\w{1,4}|позвон\w{1,4}|перезвон\w{1,5}|факс|вайбер|"
    r"ватсап|вотсап|whatsapp|зв['’]яз\w{1,4}|связ\w{1,4}|"
    r"telefon\w{0,8}|handy\w{0,8}|mobil\w{0,10}|rufnummer|anruf\w{0,4}|anrufen|erreich\w{1,6}|rückruf\w{0,4}|durchwahl|festnetz|"
    r"komórk\w{1,3}|zadzwo\w{1,4}|dzwoni\w{1,4}|kom|téléphone|portable|appel\w{1,4}|joignable|teléfono|móvil|llam\w{1,5}|celular|telemóvel|telefone|"
    r"lig\w{1,3}"
)
_PHONE_BEFORE = re.compile(
    rf"(?i)(?<![^\W_])(?:{_PHONE_WORDS})(?![^\W_])[^\d\n;|]{{0,28}}\s{{0,3}}$|(?:电话|手机|電話|携帯|전화)[^\d\n]{{0,8}}$"
)
_MY_NUMBER = re.compile(
    rf"(?i)(?<![^\W_])(?:my|our|his|her|мій|мой|mein[er]?|mój|mon|mi|meu) (?!(?:{_ID_WORDS})(?![^\W_]))(?:\w{{2,12}} )?(?:number|номер|nummer|numer|numéro|número)"
    r"(?![^\W_])[^\d\n;|]{0,20}$"
)
_PHONE_BEHIND = re.compile(
    r"(?i)[\s,(-]{1,3}(?:office|fax|mobile|cell|home|work|desk|phone|tel\b|моб|роб|раб|дом|mobil|privat|viber|whatsapp|telegram)"
)
_MONEY_BEFORE = re.compile(r"(?i)(?:[$€£₴₽¥%]|\b(?:usd|eur|uah|rub|pln|gbp|chf))\s?$")
_MONEY_BEHIND = re.compile(
    r"(?i)\s?(?:[$€£₴₽¥%°]|(?:usd|eur|uah|rub|pln|gbp|chf|грн|руб\w{0,2}|zł|euro|dollars?|[kmgt]?i?b|bytes|[kmg]?hz|ms|px|rows|rpm|items|users|requests|"
    r"messages|records|times|рядк\w{1,2}|строк\w?|разів|раз|шт)\b)"
)


def is_id_before(text: str, start: int) -> bool:
    """Whether a word right before says that the number is an order, invoice, error, version or the like."""
    return bool(_ID_BEFORE.search(text[max(0, start - WINDOW) : start]))


def is_phone_near(text: str, start: int, end: int) -> bool:
    """Whether a word before or right behind says that the number is a phone."""
    before = text[max(0, start - WINDOW) : start]
    return bool(_PHONE_BEFORE.search(before) or _MY_NUMBER.search(before) or _PHONE_BEHIND.match(text, end))


def is_amount(text: str, start: int, end: int) -> bool:
    """Whether a currency or unit makes the number an amount."""
    return bool(_MONEY_BEFORE.search(text[max(0, start - 6) : start]) or _MONEY_BEHIND.match(text, end))


def is_alone(text: str, start: int, end: int) -> bool:
    """Whether the text is nothing but this value, as in a reply to "what is your number?"."""
    return not text[:start].strip(" \n\t\"'(:") and not text[end:].strip(" \n\t\"').!")
