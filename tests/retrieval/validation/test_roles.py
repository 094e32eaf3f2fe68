"""Who may do something."""

import pytest

from retrieval.validation.roles import allowed_in


@pytest.mark.parametrize(
    ("clause", "role", "is_only"),
    [
        ("Only the workspace owner can delete a workspace", "owner", True),
        ("API keys can be created by administrators only", "admin", True),
        ("Nobody except the owner may transfer ownership", "owner", True),
        ("You need to be an admin to see invoices", "admin", True),
        ("The user must be an admin", "admin", True),
        ("Any admin can delete the workspace", "admin", False),
        ("Everyone can rename a project", "user", False),
        ("Rechnungen kann nur der Kontoinhaber einsehen", "owner", True),
        ("Das Einladen ist Administratoren vorbehalten", "admin", True),
        ("Rechnungen sieht jedes Teammitglied", "user", False),
        ("Запрошувати може лише адміністратор", "admin", True),
        ("Приглашать может любой пользователь", "user", False),
        ("El método solo puede cambiarlo el propietario", "owner", True),
        ("Cualquier administrador puede cambiarlo", "admin", False),
        ("Réservé aux administrateurs", "admin", True),
        ("Tylko właściciel może usunąć konto", "owner", True),
        ("Not every user can do that", None, False),
        ("It is only there for users with two seats", None, False),
        ("Reports are sent on Mondays", None, False),
    ],
)
def test_who_may_is_read_by_role(clause: str, role: str | None, *, is_only: bool) -> None:
    """One role, whether nobody else may; a denied one and a condition say nothing."""
    found = allowed_in(clause.lower())
    assert (found and found.role, bool(found and found.is_only)) == (role, is_only)
