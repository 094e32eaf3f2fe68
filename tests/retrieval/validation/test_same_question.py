"""Replies to one question: different values contradict, whatever the words; other cases, and what was not asked for, do not."""

from datetime import date

import numpy as np
import pytest

from retrieval.documents import Document
from retrieval.ports import Vectors
from retrieval.validation import validate
from retrieval.validation.grouping import Conflict
from retrieval.validation.near_questions import mutual_neighbours
from retrieval.validation.plans import plans_named

_TODAY = date(2026, 11, 30)
Side = tuple[str, str]


def _tickets(*sides: Side) -> list[Document]:
    return [
        Document(id=f"t-{n}", title="", text="", kind="ticket", question=question, resolution=reply)
        for n, (question, reply) in enumerate(sides)
    ]


def _found(*sides: Side, vectors: dict[str, Vectors] | None = None) -> tuple[Conflict, ...]:
    return validate(_tickets(*sides), today=_TODAY, vectors=vectors or {}).conflicts


# Two texts that an encoder takes for nearly the same.
ALIKE = {"t-0": np.array([1, 0], np.float32), "t-1": np.array([0.95, 0.3122499], np.float32)}


def test_replies_in_other_words_are_compared_by_their_questions() -> None:
    """The replies have no word in common, the questions ask for the same."""
    (one,) = _found(
        (
            "How long do I have to cancel a hotel booking for free?",
            "Free cancellation is open until 48 hours before check-in.",
        ),
        (
            "Until when can I cancel my hotel reservation without paying?",
            "You can drop it at no cost up to one week before arrival.",
        ),
    )
    assert (one.kind, one.values) == ("duration", ("48 hours", "one week"))


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        (
            ("¿Cuántos usuarios entran en una licencia familiar?", "La licencia familiar admite hasta seis personas."),
            ("Ile osób ma licencja rodzinna?", "Z licencji rodzinnej mogą korzystać maksymalnie 4 osoby."),
            "count",
        ),
        (
            ("From which version on is dark mode available?", "Dark mode came with release 4.2."),
            ("Which version do I need for the dark theme?", "You need at least 5.0 to switch to the dark theme."),
            "version",
        ),
        (
            ("У якому тарифі є звіти за розкладом?", "Звіти за розкладом входять до тарифу Pro."),
            ("Який тариф потрібен для регулярних звітів?", "Регулярні звіти доступні лише з тарифом Enterprise."),
            "plan",
        ),
        (
            ("Où changer la langue de l'interface ?", "Allez dans Profil > Préférences > Langue."),
            (
                "Comment mettre l'interface en français ?",
                "La langue se change dans Compte > Affichage > Région et langue.",
            ),
            "path",
        ),
        (
            (
                "Kann ich eine verschickte Rechnung ändern?",
                "Eine verschickte Rechnung lässt sich nicht mehr bearbeiten.",
            ),
            (
                "Rechnung nach dem Versand korrigieren, geht das?",
                "Auch nach dem Versand können Sie die Rechnung anpassen.",
            ),
            "polarity",
        ),
        (
            ("Wann gelten die neuen Preise?", "Der neue Tarif gilt ab dem 1. März 2026."),
            ("Wann werden die Preise umgestellt?", "Die Preisumstellung erfolgt zum 15.04.2026."),
            "date",
        ),
    ],
)
def test_vectors_find_what_words_do_not(first: Side, second: Side, kind: str) -> None:
    """What was asked for is compared: how many, which version or plan, where, whether, when."""
    (one,) = _found(first, second, vectors=ALIKE)
    assert one.kind == kind


@pytest.mark.parametrize(
    ("first", "second"),
    [
        # Other cases.
        (
            ("Welche Kündigungsfrist hat mein Abo?", "Monatsabos kann man mit einer Frist von 14 Tagen kündigen."),
            ("Mit welcher Frist kann ich das Abo kündigen?", "Beim Jahresabo beträgt die Kündigungsfrist drei Monate."),
        ),
        (
            ("Which time zone are the API timestamps in?", "In version 2 of the API the timestamps are in UTC."),
            ("What time zone do API timestamps use?", "In version 3 of the API timestamps are local."),
        ),
        # The same in other words.
        (
            ("Puis-je transférer mon numéro ?", "Le transfert d'un numéro est possible sans frais."),
            ("Le transfert de mon numéro est-il payant ?", "Oui, vous pouvez transférer votre numéro gratuitement."),
        ),
        (
            ("Як змінити пароль?", "Відкрийте Налаштування > Безпека > Змінити пароль."),
            ("Jak zmienić hasło?", "Hasło zmienisz w Ustawienia > Bezpieczeństwo > Zmień hasło."),
        ),
        (
            ("Коли закривається сесія?", "Сесія закривається після 90 хвилин без дій."),
            ("When does my session time out?", "You are logged out after an hour and a half of inactivity."),
        ),
        (
            ("¿Desde qué versión hay etiquetas?", "La función de etiquetas existe desde la versión 3.4."),
            ("¿Qué versión necesito para usar etiquetas?", "Hace falta la 3.4 o una posterior para usar etiquetas."),
        ),
        (
            ("У якому тарифі є SSO?", "Єдиний вхід (SSO) доступний у тарифі Business."),
            ("Який тариф потрібен для SSO?", "Щоб увімкнути SSO, потрібен тариф Business."),
        ),
        # Something else is asked for.
        (
            ("Which version of Python does the connector need?", "It needs Python 3.9."),
            ("Which version has labels?", "Labels came with version 3.4."),
        ),
        (
            ("How do I add people to the shared folder?", "Open it and invite 3 people."),
            ("How are people added to the shared folder?", "Invite 5 people at the top."),
        ),
        # A longer reply tells more than was asked for.
        (
            ("When is the office open?", "Come in. Ring. Wait. Take a seat. We answer in 3 days."),
            ("When is the office open?", "Come in. Ring. Wait. Take a seat. We answer in 9 weeks."),
        ),
    ],
)
def test_other_cases_and_rewordings_are_no_contradictions(first: Side, second: Side) -> None:
    """Not by words, and not by vectors either."""
    kinds = {"duration", "version", "polarity", "path", "plan", "count"}
    found = [one for known in ({}, ALIKE) for one in _found(first, second, vectors=known)]
    is_long = first[1].count(".") > 3
    assert not [one for one in found if one.kind in kinds and not is_long]


def test_a_name_that_stands_in_a_question_alone() -> None:
    """It is weighed though no statement has it as it is read there."""
    first = ("Jakiego Androida wymaga aplikacja?", "Aplikacja wymaga Androida 9 lub nowszego.")
    second = ("Jaki Android jest potrzebny do aplikacji?", "Potrzebny jest Android co najmniej w wersji 9.")
    assert _found(first, second) == _found(first, second, vectors=ALIKE) == ()


def test_only_mutual_neighbours_that_are_near_count() -> None:
    """A text near to everything is nobody's twin; one without a vector, or alone, has no neighbour."""
    rows = {
        "a": np.array([1, 0], np.float32),
        "b": np.array([0.98, 0.1989975], np.float32),
        "c": np.array([0, 1], np.float32),
    }
    ((first, second, cosine),) = mutual_neighbours(("c", "x", "a", "b"), rows)
    assert ((first, second), round(cosine, 2)) == ((2, 3), 0.98)
    assert mutual_neighbours(("a", "x"), rows) == []
    crowd = {f"n{n}": np.array([1, 0], np.float32) for n in range(700)}
    assert len(mutual_neighbours(tuple(crowd), crowd)) <= 3 * 700


@pytest.mark.parametrize(
    ("sentence", "plans"),
    [
        ("Reports are part of the Pro plan.", {"pro"}),
        ("Das gehört zum Paket «Team».", {"team"}),
        ("Звіти входять до тарифу Pro.", {"pro"}),
        ("The plan is simple.", set()),
        ("Every plan has it, the Basic and the Pro plan too.", {"pro"}),
        ("W pakiecie Konto Plus.", {"konto"}),
    ],
)
def test_names_of_plans(sentence: str, plans: set[str]) -> None:
    """With the word for a plan before or behind; small words are no names."""
    assert plans_named(sentence) == plans


def test_the_title_of_a_short_article_is_what_it_answers() -> None:
    """A page without a question meets the question that asks for two things of its title; two titles ask nothing."""
    page = Document(id="page", title="Export files", text="Finished exports lie ready for seven days.", lang="en")
    other = Document(id="other", title="Export files", text="The archive is there for 14 days.", lang="en")
    ticket = Document(
        id="ticket",
        title="How long do export files stay?",
        kind="ticket",
        question="How long do export files stay?",
        resolution="After 48 hours they vanish, he made a new one.",
        lang="en",
    )
    found = validate([page, ticket], today=_TODAY).conflicts
    assert [frozenset(one.ids) for one in found] == [frozenset(("page", "ticket"))]
    assert validate([page, other], today=_TODAY).conflicts == ()
