"""Who may do something: "only the owner", "any admin", "jedes Teammitglied", "лише адміністратор"."""

import re
from collections.abc import Collection
from dataclasses import dataclass

# How many may: the owner, those who administrate, everybody who works with it.
_OWNER, _ADMIN, _USER = 1, 2, 3
_ROLES = (
    ("owner", _OWNER, r"owners?|\w*inhaber\w*|\w*eigentümer\w*|besitzer\w*|власни\w+|владел\w+|propriétaires?|titulaires?|propietari\w+|titular(?:es)?|właściciel\w*|proprietári\w+"),
    ("admin", _ADMIN, r"admins?|administrat\w+|administrad\w+|адмін\w*|админ\w*"),
    ("lead", _ADMIN, r"(?:team )?leads?|managers?|supervisors?|\w*leiter\w*|vorgesetzte\w*|responsables?|gestionnaires?|керівник\w*|руководител\w*|менеджер\w*|gerentes?|kierowni\w+|gestor\w*"),
    ("user", _USER, (r"users?|members?|teammates?|colleagues?|employees?|persons?|people|participants?|\w*nutzer\w*|\w*mitglied\w*|\w*mitarbeit\w*|kolleg\w+|teilnehm\w+|користувач\w*|учасник\w*|співробітник\w*|колег\w*"
     r"|пользовател\w*|участник\w*|сотрудник\w*|utilisateur\w*|membres?|collaborateur\w*|usuari\w*|miembros?|emplead\w*|usuári\w*|membros?|utilizador\w*|colaborador\w*|użytkowni\w+|człon\w+|pracowni\w+")),
)  # fmt: skip
_ROLE = "|".join(f"(?P<{name}>{words})" for name, _, words in _ROLES)
_LEVELS = {name: level for name, level, _ in _ROLES}
_ONLY = (
    r"only|nur|ausschließlich|allein|niemand außer|тільки|лише|виключно|ніхто,? крім|только|лишь|исключительно|никто,? кроме|seule?s?|uniquement|exclusivement|réservée?s? (?:à|aux?)"
    r"|s[oó]lo|solamente|únicamente|exclusivamente|reservad[oa]s? (?:a|al|para)|apenas|somente|só|tylko|wyłącznie|jedynie|nikt (?:poza|oprócz)|reserved (?:for|to)|restricted to|limited to|no ?(?:body|one) (?:except|but|other than)"
    r"|(?:must|needs? to|ha(?:s|ve) to) be"
)
_ANY = (
    r"every|any|each|all|jede[rsmn]?|alle[rn]?|beliebige\w*|кож\w+|будь-як\w+|ус[іе]х?|вс[іе]х?|всім|усім|люб\w+|кажд\w+|все|всем|tou(?:t|te|s|tes)(?: les)?|chaque|n['’]importe quel\w*|cualquier|cada|tod[oa]s?(?: l[oa]s| os| as)?"
    r"|qualquer|każd\w+|wszys\w+"
)
_EVERYBODY = r"every(?:one|body)|any(?:one|body)|jedermann|tout le monde|n['’]importe qui|cualquiera(?= puede)|todo el mundo|qualquer pessoa|qualquer um"
_LED = re.compile(rf"\b(?=\w)(?:(?P<only>{_ONLY})|(?P<any>{_ANY}))\s+(?:[\w'’-]+\s+){{0,4}}?(?:{_ROLE})(?!\w)")
_ALONE = r"only|alone|allein|vorbehalten|seule?s?|uniquement|solamente"
_FOLLOWED = re.compile(rf"\b(?=\w)(?:{_ROLE})\s+(?:{_ALONE})(?!\w)")
_ALL = re.compile(rf"\b(?=\w)(?:{_EVERYBODY})(?!\w)")
_SEARCHED = (("followed", _FOLLOWED), ("led", _LED), ("all", _ALL))
# Of what these find one stands in whatever the expression of that name finds.
CUES = {"followed": [_ALONE], "led": [_ONLY, _ANY], "all": [_EVERYBODY]}
_DENIED = re.compile(r"(?:\b(?:not|nicht|не|no|pas|nie|não)|n['’]t)\s*\Z")


@dataclass(frozen=True, slots=True)
class Allowed:
    """Who may, at `place`. `level` 1 is the owner, 2 who administrates or leads, 3 everybody; `is_only` says that nobody else may."""

    role: str
    level: int
    is_only: bool
    place: tuple[int, int]
    spans: tuple[tuple[int, int], ...]


def allowed_in(clause: str, names: Collection[str] = CUES.keys()) -> Allowed | None:
    """Give whom a clause in small letters allows something, None where it names nobody or denies it.

    Args:
        clause: what is read.
        names: the names in `CUES` of which a word may stand in the clause.
    """
    for name, expression in _SEARCHED if names else ():
        if name in names and (match := expression.search(clause)) and not _DENIED.search(clause[: match.start()]):
            return _allowed(match, is_only=expression is _FOLLOWED or (expression is _LED and bool(match["only"])))
    return None


def _allowed(match: re.Match[str], *, is_only: bool) -> Allowed | None:
    named = match.groupdict()
    role = next((name for name in _LEVELS if named.get(name)), "user")
    # "Only users with two seats" is a condition.
    if is_only and role == "user":
        return None
    return Allowed(role, _LEVELS[role], is_only, match.span(), _spans(match))


def _spans(match: re.Match[str]) -> tuple[tuple[int, int], ...]:
    """Give the places of "only" and of the role; what stands between them says what may be done."""
    named = [match.span(name) for name, words in match.groupdict().items() if words]
    return tuple(named) if len(named) > 1 else (match.span(),)
