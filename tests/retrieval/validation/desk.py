"""A desk's archive of any size that contradicts itself nowhere, with planted pairs among its tickets.

Tickets of the archive tell single cases (their amounts, dates and numbers differ from case to case and mean nothing for the next
one) or rules of one product, which are the same in all tickets about it and differ from product to product.
"""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from retrieval.documents import Document

_HERE = Path(__file__).parent
Kind = Literal["conflicts", "variants", "rewordings"]
_PRODUCTS = [
    "Tillbox",
    "Stockline",
    "Payfleet",
    "Rotaman",
    "Ledgerly",
    "Docuvault",
    "Meetgrid",
    "Parcelio",
    "Helpdock",
    "Formwise",
    "Signable",
    "Routemap",
    "Fieldnote",
    "Cashbee",
    "Hireloop",
    "Leanshop",
    "Bookable",
    "Menuverse",
    "Gymtrack",
    "Petclinic",
    "Carelane",
    "Schoolbag",
    "Gatekeep",
    "Printhub",
    "Scanwise",
    "Mailfold",
    "Chatline",
    "Surveyo",
    "Taskmoor",
    "Timebank",
    "Fleetwise",
    "Rentable",
    "Ticketeer",
    "Voltcare",
    "Farmlog",
    "Cleanline",
]
_CASES = {
    "en": (
        ("Order {order} arrived without the charger", "Checked the packing list, the charger was left out. Sent it on {day} by courier."),
        ("{product} shows a white page since this morning", "A browser extension blocked the scripts. He switched it off and {product} opened again."),
        ("I was charged {amount} twice in {product}", "The second booking of {amount} was only a reservation, the bank released it on {day}."),
        ("Label printer of the shop prints blank labels", "The roll was inserted the wrong way round. Turned it together on the phone, {count} labels printed fine."),
        ("Cannot find invoice {order}", "It was filed under the old company name. I moved it and sent her the PDF for {amount}."),
        ("{product}: sync stopped at {count} items", "One item had an emoji in its code. Removed it, the remaining {count} items came through."),
        ("New colleague sees no appointments in {product}", "Her calendar was shared with the wrong group. Corrected it and she saw {count} appointments."),
        ("Please change the name on account {order}", "Changed after she sent the certificate on {day}."),
        ("{product} on the tablet is slow", "The tablet had {count} tabs open and the storage was full. Cleaned up, it is quick again."),
        ("Refund for order {order} not received", "We paid back {amount} on {day}. The customer found it under another account."),
        ("Webhook of {product} delivers nothing", "The certificate of their server had expired on {day}. They renewed it and {count} events arrived."),
        ("Wrong total in {product} report", "Two filters were active. Without them the total was {amount}, as expected."),
    ),
    "de": (
        ("Bestellung {order} kam ohne Kabel", "Kabel fehlte laut Packliste. Am {day} nachgeschickt."),
        ("{product} zeigt seit heute früh nur eine leere Seite", "Eine Browsererweiterung war schuld. Nach dem Abschalten geht {product} wieder."),
        ("{amount} doppelt abgebucht", "Die zweite Buchung über {amount} war nur vorgemerkt und wurde am {day} freigegeben."),
        ("Rechnung {order} nicht auffindbar", "Lag unter dem alten Firmennamen. Habe sie verschoben und die PDF über {amount} geschickt."),
        ("{product}: Abgleich hängt bei {count} Artikeln", "Ein Artikel hatte ein Sonderzeichen im Kürzel. Entfernt, danach liefen {count} Artikel durch."),
        ("Neue Kollegin sieht keine Termine in {product}", "Kalender war für die falsche Gruppe freigegeben. Korrigiert, sie sieht jetzt {count} Termine."),
        ("Name im Konto {order} ändern", "Geändert, nachdem am {day} der Nachweis kam."),
        ("Erstattung zu {order} fehlt", "Wir haben {amount} am {day} überwiesen, der Kunde fand es auf dem anderen Konto."),
    ),
    "uk": (
        ("У замовленні {order} не було кабелю", "Кабель не поклали, надіслали його кур'єром {day}."),
        ("{product} зранку показує порожню сторінку", "Заважало розширення браузера. Вимкнули його, {product} відкрився."),
        ("Двічі списали {amount}", "Другий платіж на {amount} був лише зарезервований, банк зняв його {day}."),
        ("Не можу знайти рахунок {order}", "Рахунок був під старою назвою компанії, надіслав файл на {amount}."),
        ("{product}: синхронізація зупинилась на {count} товарах", "В одного товару був зайвий символ у коді. Прибрали, решта {count} завантажилась."),
        ("Нова колега не бачить записів у {product}", "Календар був відкритий не тій групі. Виправили, тепер бачить {count} записів."),
        ("Змініть ім'я в акаунті {order}", "Змінили після того, як {day} надійшла довідка."),
    ),
    "es": (
        ("El pedido {order} llegó sin cargador", "No estaba en la caja; lo enviamos por mensajero el {day}."),
        ("{product} muestra una página en blanco", "Una extensión del navegador bloqueaba la página. La desactivó y {product} volvió a abrirse."),
        ("Me cobraron {amount} dos veces", "El segundo cargo de {amount} era solo una retención y el banco la liberó el {day}."),
        ("No encuentro la factura {order}", "Estaba con el nombre antiguo de la empresa. Le mandé el PDF de {amount}."),
        ("{product}: la sincronización se para en {count} artículos", "Un artículo tenía un símbolo raro en el código. Al quitarlo pasaron los {count} restantes."),
        ("La compañera nueva no ve citas en {product}", "El calendario estaba compartido con otro grupo. Corregido, ya ve {count} citas."),
        ("Cambiar el nombre de la cuenta {order}", "Cambiado cuando llegó el certificado el {day}."),
    ),
}  # fmt: skip
# A rule, said in two ways; {value} is the same for all tickets about one product.
_RULES = (
    ("en", "hours", "How long do drafts stay in {product}?", "{product} keeps drafts for {value} hours.", "In {product} a draft is kept {value} hours, told her so."),
    ("en", "rows", "Import into {product} stops", "{product} imports at most {value} rows at once.", "The import of {product} takes no more than {value} rows, he split the sheet."),
    ("en", "minutes", "Is {product} up to date?", "{product} refreshes its figures every {value} minutes.", "Figures in {product} are renewed every {value} minutes, she had looked too early."),
    ("en", "euros", "What does the add-on for {product} cost?", "The reporting add-on for {product} costs {value} euros a month.", "For {product} the reporting add-on is {value} euros a month. Booked it."),
    ("en", "dark", "Dark mode in {product}?", "{product} has {value}.", "Had a look: {product} has {value}."),
    ("de", "logs", "Wie lange bleibt ein Protokoll in {product}?", "{product} hebt Protokolle {value} Tage auf.", "In {product} werden Protokolle {value} Tage aufgehoben, danach gelöscht."),
    ("de", "geräte", "Wie viele Drucker gehen an {product}?", "An {product} lassen sich höchstens {value} Drucker anschließen.", "{product} verträgt höchstens {value} Drucker, der letzte musste weg."),
    ("uk", "logs", "Скільки {product} зберігає журнали?", "{product} зберігає журнали {value} днів.", "Журнали в {product} лежать {value} днів, потім зникають."),
    ("uk", "полів", "Скільки полів можна додати у {product}?", "У {product} можна додати до {value} полів.", "Більше ніж {value} полів {product} не дозволяє, зайве прибрали."),
    ("es", "logs", "¿Cuánto guarda {product} los registros?", "{product} guarda los registros {value} días.", "Los registros de {product} se guardan {value} días y luego se borran."),
    ("es", "etiquetas", "¿Cuántas etiquetas admite {product}?", "{product} admite hasta {value} etiquetas.", "En {product} caben hasta {value} etiquetas, borró las que sobraban."),
)  # fmt: skip
_MONTHS = {
    "en": [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
    ],
    "de": ["Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November"],
    "uk": [
        "січня",
        "лютого",
        "березня",
        "квітня",
        "травня",
        "червня",
        "липня",
        "серпня",
        "вересня",
        "жовтня",
        "листопада",
    ],
    "es": [
        "enero",
        "febrero",
        "marzo",
        "abril",
        "mayo",
        "junio",
        "julio",
        "agosto",
        "septiembre",
        "octubre",
        "noviembre",
    ],
}


@dataclass(frozen=True, slots=True)
class Planted:
    """Two tickets that were written as a pair; `form` is "free" or "close"."""

    kind: Kind
    form: str
    first: Document
    second: Document

    @property
    def ids(self) -> frozenset[str]:
        """Ids of both tickets."""
        return frozenset((self.first.id, self.second.id))


def planted(kind: Kind) -> tuple[Planted, ...]:
    """Give the sixty written pairs of one kind."""
    rows = [json.loads(line) for line in (_HERE / f"planted_{kind}.jsonl").read_text("utf-8").splitlines()]
    return tuple(
        Planted(kind, form, _ticket(f"{kind[:3]}-{n:02}-a", *first), _ticket(f"{kind[:3]}-{n:02}-b", *second))
        for n, (form, first, second) in enumerate(rows, 1)
    )


def second_pairs() -> tuple[Planted, ...]:
    """Give pairs of all kinds that were written before some kinds of statements were compared, to see whether that holds elsewhere."""
    rows = [json.loads(line) for line in (_HERE / "second_pairs.jsonl").read_text("utf-8").splitlines()]
    return tuple(
        Planted(kind, "free", _ticket(f"second-{n:02}-a", *first), _ticket(f"second-{n:02}-b", *second))
        for n, (kind, first, second) in enumerate(rows, 1)
    )


def help_centre_pairs() -> tuple[Planted, ...]:
    """Give pairs of short pages and replies in seven languages, written before opposites were compared and then used for them."""
    rows = [json.loads(line) for line in (_HERE / "help_centre_pairs.jsonl").read_text("utf-8").splitlines()]
    return tuple(
        Planted(kind, topic, _page(f"help-{n:02}-a", *first), _page(f"help-{n:02}-b", *second))
        for n, (kind, topic, first, second, _) in enumerate(rows, 1)
    )


def _page(name: str, lang: str, kind: str, title: str, text: str) -> Document:
    if kind == "T":
        return _ticket(name, lang, title, text)
    return Document(id=name, title=title, lang=lang, text=text, updated_at="2025-06-01")


def archive(size: int, *, seed: int = 7) -> list[Document]:
    """Give so many tickets that contradict each other nowhere."""
    chance = random.Random(seed)
    return [document for _, document in zip(range(size), _tickets(chance), strict=False)]


def _tickets(chance: random.Random) -> Iterator[Document]:
    number = 0
    while True:
        number += 1
        make = _case if chance.random() < 0.7 else _rule
        yield make(f"t-{number:05}", chance)


def _case(ticket_id: str, chance: random.Random) -> Document:
    lang = chance.choice(tuple(_CASES))
    question, resolution = chance.choice(_CASES[lang])
    day = f"{chance.randint(1, 28)} {chance.choice(_MONTHS[lang])}"
    if lang == "de":
        day = day.replace(" ", ". ")
    values = {
        "order": f"{chance.randint(100000, 999999)}",
        "product": chance.choice(_PRODUCTS),
        "amount": f"{chance.randint(5, 400)},{chance.randint(0, 99):02} €",
        "count": str(chance.randint(3, 90)),
        "day": day,
    }
    return _ticket(ticket_id, lang, question.format(**values), resolution.format(**values), dated=chance)


def _rule(ticket_id: str, chance: random.Random) -> Document:
    lang, slot, question, *answers = chance.choice(_RULES)
    product = chance.choice(_PRODUCTS)
    fixed = random.Random(f"{slot}{product}")
    value = fixed.choice(("a dark mode", "no dark mode")) if slot == "dark" else str(fixed.randint(2, 60) * 2)
    answer = chance.choice(answers).format(product=product, value=value)
    return _ticket(ticket_id, lang, question.format(product=product), answer, dated=chance)


def _ticket(
    ticket_id: str, lang: str, question: str, resolution: str, *, dated: random.Random | None = None
) -> Document:
    day = "2026-03-02"
    if dated is not None:
        day = f"202{dated.randint(4, 6)}-{dated.randint(1, 11):02}-{dated.randint(1, 28):02}"
    return Document(
        id=ticket_id, title=question, kind="ticket", lang=lang, question=question, resolution=resolution, updated_at=day
    )
