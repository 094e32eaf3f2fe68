"""Words that shut each other out, in many languages."""

import pytest

from retrieval.validation.opposites import against, alike, axis_names, opposites_of, without_opposites


@pytest.mark.parametrize(
    ("clause", "axis", "member"),
    [
        ("Downgrades take effect right away", "effect", "now"),
        ("your subscription ends at the end of the billing period", "effect", "later"),
        ("A downgrade takes effect at the next renewal", "effect", "later"),
        ("Die Kündigung wirkt zum Ende des Abrechnungszeitraums", "effect", "later"),
        ("Новий тариф почне діяти з початку наступного періоду", "effect", "later"),
        ("Подписка действует до конца оплаченного периода", "effect", "later"),
        ("La résiliation prend effet à la fin de la période payée", "effect", "later"),
        ("El cambio se aplica de inmediato", "effect", "now"),
        ("Zmiana działa od razu", "effect", "now"),
        ("解約は即時に有効です", "effect", "now"),
        ("A phone number is not required", "demand", "optional"),
        ("Die Angabe ist nicht verpflichtend", "demand", "optional"),
        ("Номер телефону є обов'язковим", "demand", "required"),
        ("Licences do not renew automatically", "manner", "manual"),
        ("Preise verstehen sich zuzüglich Mehrwertsteuer", "inclusion", "excluded"),
        ("Delivery is not included", "inclusion", "excluded"),
        ("Preise einschließlich Steuer", "inclusion", "included"),
        ("Ausschließlich der Inhaber darf das Konto löschen", "who", "owner"),
        ("Der Umzug ist kostenpflichtig", "fee", "charged"),
        ("Only the workspace owner can delete it", "who", "owner"),
        ("Single sign-on comes with the Business plan and up", "plan", "business"),
        ("Outages are listed at https://status.acme.example", "link", "status.acme.example"),
    ],
)
def test_a_clause_says_one_side_of_an_axis(clause: str, axis: str, member: str) -> None:
    """By words of ten languages; "not" turns one side into the other."""
    assert [(one.axis, one.member) for one in opposites_of(clause) if one.axis == axis] == [(axis, member)]


@pytest.mark.parametrize(
    "clause",
    [
        "Renewal is automatic or manual, as you choose",
        "It does not happen immediately",
        "See https://acme.example/a for more",
        "Read on [https://acme.example/a]",
        "El método de pago se cambia en el perfil",
    ],
)
def test_what_says_both_sides_or_neither_says_nothing(clause: str) -> None:
    """Of two sides none is picked; "not at once" is no other side; an address to read on at is none that the sentence is about."""
    assert opposites_of(clause) == ()


def test_two_plans_may_both_have_a_thing_unless_no_smaller_one_does() -> None:
    """What is included in Pro and in Team is no contradiction; what is only in Team is not in Pro."""
    pro, team, only = (
        opposites_of(text)
        for text in (
            "Chat is included in the Pro plan",
            "Chat is included in the Team plan",
            "Chat is only available on the Team plan",
        )
    )
    assert against(pro, team) is None
    assert against(pro, only) is not None
    assert alike(team, only) is not None


def test_what_is_left_is_what_it_is_said_of() -> None:
    """The opposite words are blanked, the others keep their places."""
    clause = "Downgrades take effect right away"
    assert without_opposites(clause).rstrip() == "Downgrades take effect"
    assert len(without_opposites(clause)) == len(clause)


def test_letters_that_change_their_number_are_left_alone() -> None:
    """A letter that is two in small letters would shift every place."""
    assert opposites_of("İptal immediately") == ()


def test_axes_are_named_once() -> None:
    """Blocks of candidates are numbered by them."""
    assert len(set(axis_names())) == len(axis_names()) == 9
