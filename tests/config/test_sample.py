"""The bundled sample holds what its README and planted.json say."""

import ipaddress
import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

import config

SAMPLE = Path(config.__file__).parent / "sample"
BASE_LANGUAGES = {"en", "uk", "de", "es", "pl"}
QUESTION_LANGUAGES = BASE_LANGUAGES | {"zh", "fr"}
PERSONAL_KINDS = {"EMAIL", "PHONE", "CARD", "IBAN", "IP", "SECRET", "NAME"}
NATIONAL_KINDS = {f"NATIONAL_ID_{country}" for country in ("UA", "DE", "PL", "US")}
FUNCTION_WORDS = {"when", "with", "this", "that", "unsere", "nicht", "mehr", "noch", "ohne", "para", "como", "jeśli"}


@cache
def articles() -> dict[str, dict[str, Any]]:
    """Front matter by id, with the body under `text`."""
    found = {}
    for path in sorted((SAMPLE / "articles").glob("*.md")):
        _, front, body = path.read_text(encoding="utf-8").split("---\n", 2)
        card = yaml.safe_load(front)
        assert card["id"] not in found
        found[card["id"]] = {**card, "text": body}
    return found


@cache
def rows(name: str) -> list[dict[str, Any]]:
    """The rows of one JSON Lines file of the sample."""
    return [json.loads(line) for line in (SAMPLE / name).read_text(encoding="utf-8").splitlines()]


@cache
def documents() -> dict[str, dict[str, Any]]:
    """Articles and tickets by id."""
    tickets = rows("tickets.jsonl")
    found = articles() | {ticket["id"]: ticket for ticket in tickets}
    assert len(found) == len(articles()) + len(tickets)
    return found


@cache
def planted() -> dict[str, list[Any]]:
    """What planted.json lists."""
    found: dict[str, list[Any]] = json.loads((SAMPLE / "planted.json").read_text(encoding="utf-8"))
    return found


def whole_text(document: dict[str, Any]) -> str:
    """Title and every text field of a document."""
    return "\n".join(str(document.get(field, "")) for field in ("title", "text", "question", "resolution"))


def values_of(kind: str) -> list[str]:
    """The planted values of one kind."""
    return [row["value"] for row in planted()["personal_data"] if row["type"] == kind]


def words_of(text: str) -> set[str]:
    """Words of four letters and more, lower case, without function words."""
    return {word for word in re.findall(r"\w+", text.lower()) if len(word) > 3} - FUNCTION_WORDS


def test_counts_of_documents() -> None:
    """The sample is at least as large as promised, in five languages."""
    assert len(articles()) >= 34
    assert len(rows("tickets.jsonl")) >= 44
    assert {card["lang"] for card in articles().values()} == BASE_LANGUAGES
    assert {ticket["lang"] for ticket in rows("tickets.jsonl")} == BASE_LANGUAGES


def test_front_matter_is_complete() -> None:
    """Each article has title, owner, day of change, address and visibility, and 120 to 450 words."""
    for card in articles().values():
        assert card["title"]
        assert card["owner"]
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", str(card["updated_at"]))
        assert card["url"].startswith("https://help.tallyrook.example/")
        assert card["visibility"] == "public" or isinstance(card["visibility"], list)
        assert 120 <= len(card["text"].split()) <= 470


def test_titles_are_the_planned_ones() -> None:
    """The articles bear the titles from which questions were written before their bodies."""
    plan = dict(
        re.findall(r"^\| (kb-\d+) \| \w\w \| (.*) \|$", (SAMPLE / "titles.md").read_text("utf-8"), re.MULTILINE)
    )
    assert plan == {key: card["title"] for key, card in articles().items()}


def test_tickets_are_resolved_and_complete() -> None:
    """Each ticket names its requester, queue and owner, was resolved, and changed no earlier than it was made."""
    for ticket in rows("tickets.jsonl"):
        assert (ticket["kind"], ticket["status"]) == ("ticket", "resolved")
        assert all(ticket[field] for field in ("title", "question", "resolution", "queue", "owner", "people"))
        assert ticket["created_at"] <= ticket["updated_at"]
    assert len({ticket["queue"] for ticket in rows("tickets.jsonl")}) in {5, 6}


def test_questions_cover_kinds_and_languages() -> None:
    """Every language has ten answerable rows; follow-ups, off-topic and absent rows are as many as promised."""
    questions = rows("questions.jsonl")
    assert len(questions) >= 110
    answerable = Counter(row["lang"] for row in questions if row["answerable"])
    assert set(answerable) == QUESTION_LANGUAGES
    assert min(answerable.values()) >= 10
    kinds = Counter(row["kind"] for row in questions)
    assert kinds["follow_up"] >= 8
    assert kinds["off_topic"] >= 12
    assert kinds["absent"] >= 10
    assert min(kinds[kind] for kind in ("same_language", "cross_lingual", "paraphrase", "error_code")) >= 10


def test_half_of_the_questions_come_from_titles() -> None:
    """At least half of the rows were written from titles alone."""
    origins = Counter(row["from"] for row in rows("questions.jsonl"))
    assert set(origins) == {"title", "text"}
    assert origins["title"] >= origins["text"]


def test_every_question_points_at_documents() -> None:
    """Ids are unique, relevant ids exist and are visible to an internal audience, unanswerable rows have none."""
    questions = rows("questions.jsonl")
    assert len({row["id"] for row in questions}) == len(questions)
    poisoned = {row["id"] for row in planted()["poisoned"]}
    for row in questions:
        assert row["answerable"] is bool(row["relevant"])
        assert (row["kind"] in {"off_topic", "absent"}) is not row["answerable"]
        assert (row["kind"] == "follow_up") is bool(row.get("previous_user_turns"))
        assert poisoned.isdisjoint(row["relevant"])
        for key in row["relevant"]:
            labels = documents()[key].get("visibility", ["internal"])
            assert labels == "public" or "internal" in labels


def test_language_of_the_sources_fits_the_kind() -> None:
    """Same-language rows have a source in their language; cross-lingual rows have none."""
    for row in rows("questions.jsonl"):
        languages = {documents()[key]["lang"] for key in row["relevant"]}
        if row["kind"] == "same_language":
            assert row["lang"] in languages, row["id"]
        if row["kind"] == "cross_lingual":
            assert row["lang"] not in languages, row["id"]


def test_paraphrases_share_no_content_word() -> None:
    """A paraphrase shares no content word with the title, or with the text it was written from, in its language."""
    for row in rows("questions.jsonl"):
        if row["kind"] != "paraphrase":
            continue
        for document in (documents()[key] for key in row["relevant"]):
            if document["lang"] == row["lang"]:
                seen = document["title"] if row["from"] == "title" else whole_text(document)
                assert not words_of(row["query"]) & words_of(seen), row["id"]


def test_planted_values_occur_where_they_are_said_to() -> None:
    """Each planted value stands in the named field, in tickets' questions, in resolutions and in two articles."""
    personal = planted()["personal_data"]
    for row in personal:
        assert row["value"] in documents()[row["id"]][row["field"]], row
    assert {row["type"] for row in personal} == PERSONAL_KINDS | NATIONAL_KINDS
    assert {row["field"] for row in personal} == {"question", "resolution", "text"}
    assert len({row["id"] for row in personal if row["id"].startswith("kb-")}) == 2


def test_planted_values_are_listed_completely() -> None:
    """No e-mail address and no requester's full name stands in the sample without being listed."""
    listed = {(row["id"], row["value"]) for row in planted()["personal_data"]}
    for key, document in documents().items():
        text = whole_text(document)
        found = re.findall(r"[\w.-]+@[\w.-]+\w", text) + [name for name in document.get("people", []) if name in text]
        assert {(key, value) for value in found} <= listed


@pytest.mark.parametrize("value", values_of("CARD"))
def test_cards_pass_luhn(value: str) -> None:
    """Planted card numbers have a valid Luhn digit."""
    digits = [int(c) for c in reversed(value) if c.isdigit()]
    doubled = [sum(divmod(2 * d, 10)) for d in digits[1::2]]
    assert (sum(digits[::2]) + sum(doubled)) % 10 == 0


@pytest.mark.parametrize("value", values_of("IBAN"))
def test_ibans_pass_mod_97(value: str) -> None:
    """Planted IBANs have valid check digits."""
    compact = value.replace(" ", "")
    assert int("".join(str(int(c, 36)) for c in compact[4:] + compact[:4])) % 97 == 1


@pytest.mark.parametrize("value", values_of("IP"))
def test_addresses_are_public(value: str) -> None:
    """Planted IP addresses are globally routable."""
    assert ipaddress.ip_address(value).is_global


@pytest.mark.parametrize(
    ("kind", "weights"),
    [("UA", (-1, 5, 7, 9, 4, 6, 10, 5, 7)), ("PL", (9, 7, 3, 1, 9, 7, 3, 1, 9, 7))],
)
def test_weighted_national_ids_are_valid(kind: str, weights: tuple[int, ...]) -> None:
    """Planted Ukrainian and Polish numbers end in the check digit that their weights give."""
    modulus = 11 if kind == "UA" else 10
    for value in values_of(f"NATIONAL_ID_{kind}"):
        total = sum(weight * int(digit) for weight, digit in zip(weights, value, strict=False))
        assert total % modulus % 10 == int(value[-1])


def test_german_tax_id_is_valid() -> None:
    """The planted Steuer-ID repeats one digit among its first ten and passes ISO 7064 MOD 11,10."""
    for value in values_of("NATIONAL_ID_DE"):
        assert sorted(Counter(value[:10]).values()) == [1] * 8 + [2]
        product = 10
        for digit in value[:10]:
            product = ((int(digit) + product) % 10 or 10) * 2 % 11
        assert (11 - product) % 10 == int(value[10])


def test_poisoned_article_carries_its_marks() -> None:
    """The poisoned article holds every listed mark, zero-width text, an HTML comment and an image."""
    for row in planted()["poisoned"]:
        text = whole_text(articles()[row["id"]])
        assert all(mark in text for mark in row["marks"])
        assert "\u200b" in text
        assert "<!--" in text
        assert "![ ](https://" in text
        assert all(host in text for host in row["forbidden_hosts"])


def test_contradicting_values_stand_in_their_documents() -> None:
    """Both documents of a pair hold their own value and not the other's."""
    assert len(planted()["contradictions"]) == 2
    for row in planted()["contradictions"]:
        for key, own, other in zip(row["ids"], row["values"], reversed(row["values"]), strict=True):
            text = whole_text(documents()[key])
            assert own in text
            assert row["slot"].startswith("refund") or other not in text


def test_outdated_pages_are_past_due() -> None:
    """The three outdated pages bear the listed date, and superseding pages name them."""
    assert len(planted()["outdated"]) == 3
    for row in planted()["outdated"]:
        assert str(articles()[row["id"]][row["field"]]) == row["date"] < "2026-11-30"
        if row["superseded_by"]:
            assert row["id"] in articles()[row["superseded_by"]]["supersedes"]


def test_near_copies_are_near() -> None:
    """Each near-copy shares most of its words with the original and is not the same text."""
    for row in planted()["near_copies"]:
        original = articles()[row["original"]]["text"]
        assert len(row["copies"]) == 3
        for key in row["copies"]:
            copy = articles()[key]["text"]
            assert copy != original
            shared = words_of(copy) & words_of(original)
            assert len(shared) / len(words_of(copy) | words_of(original)) > 0.8


def test_no_real_host_is_named() -> None:
    """Every address, mail domain and host in the sample ends in .example."""
    for path in [*SAMPLE.glob("*.json*"), *SAMPLE.glob("articles/*.md"), SAMPLE / "README.md"]:
        text = path.read_text(encoding="utf-8")
        for host in re.findall(r"(?:https?://|@)([\w.-]+\w)", text):
            assert host.endswith(".example"), (path.name, host)
        assert not re.search(r"\b[\w-]+\.(?:com|net|org|io|eu|app|dev|de|ua|pl|es)\b(?!/)", text), path.name
