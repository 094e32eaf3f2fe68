"""Names in free text that something beside them shows; ordinary words beside the same cues stay."""

import json
from pathlib import Path

import pytest

from retrieval.redaction import Redactor

REDACTOR = Redactor()
SAMPLE = Path(__file__).parents[3] / "config" / "sample"
NAMED = (
    # labels
    ("Customer name: Gerald Vance, order 51", "Customer name: [NAME], order 51"),
    ("Name: Irma Solberg\nPhone: none", "Name: [NAME]\nPhone: none"),
    ("Till closed. Cashier: Noor Haddad, shift 2", "Till closed. Cashier: [NAME], shift 2"),
    ("Звернення. Клієнт: Остап Чорновіл, Львів", "Звернення. Клієнт: [NAME], Львів"),
    ("Ім'я: Ганна", "Ім'я: [NAME]"),
    ("ФИО: Кузнецова Анна Игоревна.", "ФИО: [NAME]."),
    ("Bitte melden, Kunde: Petra Vogt.", "Bitte melden, Kunde: [NAME]."),
    ("cliente: Rosa Díaz Gil", "cliente: [NAME]"),
    ("klient: Jan Nowicki", "klient: [NAME]"),
    # introductions and greetings
    ("Hi, this is Gerald Vance. The till is off", "Hi, this is [NAME]. The till is off"),
    ("I am Tessa Holm from the shop in the harbour", "I am [NAME] from the shop in the harbour"),
    ("Guten Tag, hier ist Uwe Brandt, die Kasse steht", "Guten Tag, hier ist [NAME], die Kasse steht"),
    ("Добрий день, це Ірина Сова, не друкує", "Добрий день, це [NAME], не друкує"),
    ("soy Luis Peña y no puedo entrar", "soy [NAME] y no puedo entrar"),
    ("jestem Ewa Lis z kawiarni", "jestem [NAME] z kawiarni"),
    ("je suis Paul Girard, du magasin", "je suis [NAME], du magasin"),
    ("Dear Amara Okafor, your refund is on its way", "Dear [NAME], your refund is on its way"),
    ("İzmir'den yazıyorum. Hi, this is Gerald Vance.", "İzmir'den yazıyorum. Hi, this is [NAME]."),
    # titles
    ("Ms. Holloway called twice", "Ms. [NAME] called twice"),
    ("Ask Mr Ludwig van der Houten", "Ask Mr [NAME]"),
    ("Frau Dr. Wörner rief an", "Frau Dr. [NAME] rief an"),
    ("La Sra. Olivares llamó", "La Sra. [NAME] llamó"),
    ("телефонувала пані Марія Бойко", "телефонувала пані [NAME]"),
    ("prosi pani Ewa Lis", "prosi pani [NAME]"),
    # the thing said of a customer
    ("The customer Boris Leka asks for a refund", "The customer [NAME] asks for a refund"),
    ("Клієнт Олег Мельник просить повернення", "Клієнт [NAME] просить повернення"),
    ("User Karl Jensen cannot log in", "User [NAME] cannot log in"),
    ("Hi, Rebecca Stone here, the till froze", "Hi, [NAME] here, the till froze"),
    # beside an address or a phone
    ("a note from Anna Petrova <anna@x.com>", "a note from [NAME] <[EMAIL]>"),
    ("then Tomas Berg, phone +48 601 482 937", "then [NAME], phone [PHONE]"),
    # the end
    ("I never got my reset mail. Sean O'Brien", "I never got my reset mail. [NAME]"),
    ("Please call me.\n\nThanks\nJean-Luc Morel", "Please call me.\n\nThanks\n[NAME]"),
    ("My receipts are white since Monday\nFiona McAllister", "My receipts are white since Monday\n[NAME]"),
    ("Can you lift it for us? Yuki Arai, y.arai@x.com", "Can you lift it for us? [NAME], [EMAIL]"),
    ("Please refund me. Dora Weiss, owner", "Please refund me. [NAME], owner"),
    ("Не можу увійти, допоможіть мені. Оксана Гнатюк", "Не можу увійти, допоможіть мені. [NAME]"),
    ("У меня не печатает чек. Спасибо, Пётр Ильин", "У меня не печатает чек. Спасибо, [NAME]"),
    ("Wir brauchen Hilfe. Danke Jutta Engel", "Wir brauchen Hilfe. Danke [NAME]"),
    ("¿Podemos pagar en euros? Inés Robles", "¿Podemos pagar en euros? [NAME]"),
    ("Kasse startet nicht. Gruß Jens Pohl", "Kasse startet nicht. Gruß [NAME]"),
    ("Help me please!\nKarl Jensen\nSent from my iPhone", "Help me please!\n[NAME]\nSent from my iPhone"),
    ("Proszę o zwrot. Paweł Żak", "Proszę o zwrot. [NAME]"),
    ("Je ne peux pas entrer. Merci, Chloé Petit", "Je ne peux pas entrer. Merci, [NAME]"),
    (
        "Please give one back. Olivia Marchetti, bookkeeping\nWhat do I answer?",
        "Please give one back. [NAME], bookkeeping\nWhat do I answer?",
    ),
    ("My till is stuck.\nAnna Meier\n\n> On Monday we wrote:", "My till is stuck.\n[NAME]\n\n> On Monday we wrote:"),
    (
        "Підкажіть, будь ласка. Дякую, Олена Коваль\nЩо відповісти?",
        "Підкажіть, будь ласка. Дякую, [NAME]\nЩо відповісти?",
    ),
    ("Call me please. Priya Raman, priya@harbour.example\nForwarded", "Call me please. [NAME], [EMAIL]\nForwarded"),
    ("Wir kommen nicht rein. Uwe Rademann\r\nBitte prüfen", "Wir kommen nicht rein. [NAME]\r\nBitte prüfen"),
)
ORDINARY = (
    "I need help with my account. Account Settings",
    "Which plan do I need? Team Plus",
    "We use two tills. This is Google Pay.",
    "My screen shows this: Badger Scale",
    "Please open Settings > Staff. Billing Overview",
    "We moved our shop. New York.",
    "When does my contract end? Monday Morning",
    "Name: Default Printer\nName: USB Hub",
    "Product name: Tallyrook Console",
    "Name=Calibre Viewer",
    "The customer Success Manager asks",
    "Customer Portal Login does not open for us",
    "Client ID and Client Secret Key",
    "I am Super Admin here",
    "This is Visual Studio Code",
    "Hello Support Team, please help",
    "Dear Customer Service,",
    "Choose one for my till:\nHochformat\nKopfstehendes Hochformat",
    "See the guide. Andorra Bella is a road.",
    "Requests come from PayPal Checkout (sandbox@",
    "Please see GitHub Actions. TL Code",
    "Miss the deadline and Pan the camera",
    "пан або пропав; клієнт Новая Почта",
    "Ми працюємо з двома касами. Нова Пошта",
    "Ich suche mein Menü. Bericht Übersicht",
    "Google Docs <https://docs.google.com/x>",
    "# Connect Your Bank\n\n## Before You Start",
    "We get TL-1429. Rate Limited",
    "A User Defined Function fails for me",
    "Wo finde ich das? Offene Posten",
    "Як мені підключити? Зчитувач Карток",
    "I want to thank you. Thank You",
    "We list these:\nEscape Sequence | Interpretation\n---",
    "The scale opens at once. Aurora Borealis\nThen it closes.",
    "Ask us about it. Account Settings\nThen press Save.",
)


@pytest.mark.parametrize(("text", "redacted"), NAMED)
def test_a_name_beside_a_cue_is_hidden(text: str, redacted: str) -> None:
    """Labels, titles, introductions, addresses and sign-offs show names in seven languages, and only the name goes."""
    assert REDACTOR.redact(text).text == redacted


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_words_beside_a_cue_stay(text: str) -> None:
    """Products, menus, places, days, headings and courtesies are no names."""
    assert REDACTOR.redact(text).text == text


def test_the_end_of_a_reference_text_is_no_sign_off() -> None:
    """Two capitalised words at the end count only where a person writes of themselves."""
    assert REDACTOR.redact("The scale opens at once. Aurora Borealis").spans == ()
    assert REDACTOR.redact("My scale opens at once. Aurora Jensen").text == "My scale opens at once. [NAME]"


def test_sample_questions_pasted_as_text_hold_no_planted_name() -> None:
    """Every name planted in a question of the sample is hidden without the names of the ticket's fields."""
    tickets = {row["id"]: row for row in map(json.loads, (SAMPLE / "tickets.jsonl").read_text("utf-8").splitlines())}
    planted = json.loads((SAMPLE / "planted.json").read_text("utf-8"))["personal_data"]
    names = [(row["id"], row["value"]) for row in planted if row["type"] == "NAME" and row["field"] == "question"]
    left = [(id_, name) for id_, name in names if name in REDACTOR.redact(tickets[id_]["question"]).text]
    assert len(names) > 15
    assert left == []


def test_sample_articles_keep_their_words() -> None:
    """Without the fields beside them, the articles lose the three planted people and nothing else to this."""
    lost = set()
    for path in (SAMPLE / "articles").glob("*.md"):
        text = path.read_text("utf-8").split("---", 2)[2]
        lost |= {text[span.start : span.end] for span in REDACTOR.redact(text).spans if span.type == "NAME"}
    assert lost == {"Ingrid Solheim", "Tomasz Wilk", "Annegret Lohmann"}
