"""Replies to one question side by side: two that answer it with different values contradict, whatever else their words are.

Two tickets ask for the same in few common words, and their short replies share even fewer ("at no cost up to a week before",
"free until 48 hours before"). So their questions are compared, and of the replies only what was asked for.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from retrieval.ports import Vectors
from retrieval.validation.cases import is_other_case, is_told_apart
from retrieval.validation.compare import Comparison
from retrieval.validation.labels import version_number
from retrieval.validation.near_questions import mutual_neighbours
from retrieval.validation.pairs import candidate_pairs, feature_weights
from retrieval.validation.plans import is_plan_asked, plans_named
from retrieval.validation.replies import is_asked_yes_or_no
from retrieval.validation.statements import Statement
from retrieval.validation.told_values import Relation, values_told
from retrieval.validation.value import Value

# A reply with more sentences tells more than what was asked for.
_MOST_SENTENCES = 3
# Share of what both questions are about that must be the same, and so many words or ideas of it.
LEAST_SAME, _LEAST_SHARED = 0.4, 2
# How certain such a pair is beside one whose sentences share their words.
_WEIGHT = 0.5
# Texts of one language that have nothing to do with each other.
_NO_COSINE = 0.78
_HOW_MANY = re.compile(
    r"(?i)\b(?:how many|wie ?viele|combien|скільки|сколько|cu[aá]nt[oa]s|quant[oa]s|ile|maximum|max|limit\w*|límite|ліміт\w*|лимит\w*|plafond)\b|多少|几个|いくつ|何"
)
_VERSION = "=version"
# What is asked for, of whatever thing.
_ASKED_FOR = frozenset(("=version", "=plan", "=limit", "=size", "=hours"))
_DOTTED = re.compile(r"\A\d+\.\d+")
_UNKNOWN = 1.0


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its short reply. `about` holds what the question is about and the values of the reply.

    A short article answers what its title names, whatever may be asked of that: `is_title`.
    """

    about: Statement
    replies: tuple[Statement, ...]
    is_yes_or_no: bool
    is_how_many: bool
    is_plan_asked: bool
    is_title: bool = False

    @property
    def document(self) -> str:
        """Id of the document."""
        return self.about.document


def asked_of(
    question: str, statements: Sequence[Statement], *, about: Statement | None, is_title: bool = False
) -> Asked | None:
    """Give the question of a document with its reply; None for a long reply, or without anything that was asked.

    Args:
        question: what was asked, as written.
        statements: of the reply.
        about: the question as a statement.
        is_title: it is no question, but the title of an article.
    """
    if about is None or not statements or not about.features:
        return None
    if max(statement.order for statement in statements) >= _MOST_SENTENCES:
        return None
    if _VERSION in about.features:
        statements = [_with_versions(one) for one in statements]
    values = tuple(value for one in statements for value in one.values)
    signals = frozenset({"yes"}) if is_asked_yes_or_no(question) else frozenset[str]()
    about = replace(about, values=values, signals=signals, context=frozenset(), context_names=frozenset())
    is_how_many, is_plan = bool(_HOW_MANY.search(question)), is_plan_asked(question)
    return Asked(about, tuple(statements), bool(signals), is_title or is_how_many, is_title or is_plan, is_title)


def _with_versions(statement: Statement) -> Statement:
    """Read "5.0" as the version that was asked for."""
    values = (
        _as_version(value) if value.kind == "count" and _DOTTED.fullmatch(value.text) else value
        for value in statement.values
    )
    return replace(statement, values=tuple(values))


def _as_version(value: Value) -> Value:
    number = version_number(value.text)
    return replace(value, kind="version", unit="version", low=number, high=number)


def same_questions(
    asked: Sequence[Asked], weights: Mapping[str, float], vectors: Mapping[str, Vectors]
) -> list[tuple[Asked, Asked, float]]:
    """Give pairs that ask for the same, with how much of both questions is the same, 0 to 1.

    By their words and ideas, and where there are vectors of questions with their replies, by those.
    """
    # A word that begins a question without its "which" may be a name there, and is none in the statements.
    weights = {**feature_weights([one.about for one in asked]), **weights}
    found: dict[tuple[int, int], float] = {}
    for a, b in candidate_pairs([one.about for one in asked], weights).tolist():
        if (asked[a].is_title or asked[b].is_title) and not _is_asked_of(asked[a], asked[b]):
            continue
        near = _sameness(asked[a].about, asked[b].about, weights)
        if near >= LEAST_SAME:
            found[a, b] = near
    for a, b, cosine in mutual_neighbours([one.document for one in asked], vectors):
        if _is_any_shared(asked[a].about, asked[b].about) and not (asked[a].is_title and asked[b].is_title):
            found[a, b] = max(found.get((a, b), 0.0), (cosine - _NO_COSINE) / (1.0 - _NO_COSINE))
    return [(asked[a], asked[b], near) for (a, b), near in found.items()]


def _is_asked_of(first: Asked, second: Asked) -> bool:
    """Say whether a question asks for what a title names: two words or ideas of it; two titles ask nothing of each other."""
    shared = (first.about.features | first.about.names) & (second.about.features | second.about.names)
    return first.is_title != second.is_title and len(shared) >= _LEAST_SHARED


def _is_any_shared(first: Statement, second: Statement) -> bool:
    return bool(((first.features | first.names) & (second.features | second.names)) - _ASKED_FOR)


def _sameness(first: Statement, second: Statement, weights: Mapping[str, float]) -> float:
    ours, theirs = first.features | first.names, second.features | second.names
    shared = ours & theirs
    if len(shared) < min(_LEAST_SHARED, len(ours), len(theirs)) or not shared - _ASKED_FOR:
        return 0.0
    left, right, both = (sum(weights.get(name, _UNKNOWN) for name in names) for names in (ours, theirs, shared))
    return float(both / (left * right) ** 0.5) if both else 0.0


def compare_replies(first: Asked, second: Asked, near: float) -> tuple[Statement, Statement, Comparison] | None:
    """Give the two statements that answer one question with different or equal values; None when nothing tells."""
    if is_told_apart(first.about, second.about):
        return None
    told = [
        (ours, theirs, one)
        for ours in first.replies
        for theirs in second.replies
        if (one := _told(ours, theirs, first, second))
    ]
    agreed = next((one for one in told if one[2][0] is Relation.AGREE), None)
    if found := agreed or (told[0] if told else None):
        ours, theirs, (relation, kind, values) = found
        return (
            ours,
            theirs,
            _judged(ours, theirs, Comparison(relation, _WEIGHT * near, kind, _slot(first, second), values)),
        )
    return _yes_and_no(first, second, near)


def _told(
    ours: Statement, theirs: Statement, first: Asked, second: Asked
) -> tuple[Relation, str, tuple[str, str]] | None:
    """Give what two sentences say of what was asked for: a plan, a number of things, or the one value of its kind in each reply."""
    if first.is_plan_asked and second.is_plan_asked and (plans := _plans(ours, theirs)):
        return plans
    found = values_told(ours, theirs, is_time_asked=True)
    if found is None or found[1] == "count":
        found = _counts(ours, theirs) if first.is_how_many and second.is_how_many else None
    if found is None or (found[1] == "path" and ours.lang != theirs.lang):  # menus have names in each language
        return None
    if found[1] == "version" and _VERSION not in first.about.features | second.about.features:
        return None
    is_one = all(sum(value.kind == found[1] for value in one.about.values) == 1 for one in (first, second))
    return found if is_one else None


def _plans(ours: Statement, theirs: Statement) -> tuple[Relation, str, tuple[str, str]] | None:
    left, right = plans_named(ours.text), plans_named(theirs.text)
    if len(left) != 1 or len(right) != 1:
        return None
    ((ours_named,), (theirs_named,)) = (left, right)
    relation = Relation.AGREE if left == right else Relation.CONTRADICT
    return relation, "plan", (ours_named, theirs_named)


def _counts(ours: Statement, theirs: Statement) -> tuple[Relation, str, tuple[str, str]] | None:
    """Compare two numbers of things, whatever these are called; both questions ask how many of the same."""
    counts = [[value for value in one.values if value.kind == "count"] for one in (ours, theirs)]
    if any(len(values) != 1 for values in counts):
        return None
    (left,), (right,) = counts
    relation = Relation.AGREE if left.is_same(right) else Relation.CONTRADICT
    return relation, "count", (left.text, right.text)


def _judged(ours: Statement, theirs: Statement, found: Comparison) -> Comparison:
    if found.kind == "plan":
        return found
    if found.kind == "path":  # menus are full of names, and "in French" is what is asked for
        ours, theirs = (
            replace(one, names=frozenset(), context_names=frozenset(), context_scopes=frozenset())
            for one in (ours, theirs)
        )
    is_other = is_other_case(ours, theirs)
    if found.relation is Relation.CONTRADICT and is_other:
        return replace(found, relation=Relation.VARIANT)
    return found


def _yes_and_no(first: Asked, second: Asked, near: float) -> tuple[Statement, Statement, Comparison] | None:
    if not (first.is_yes_or_no and second.is_yes_or_no):
        return None
    ours, theirs = _answer(first), _answer(second)
    if ours is None or theirs is None:
        return None
    relation = Relation.AGREE if ours.is_denied == theirs.is_denied else Relation.CONTRADICT
    said = ("no" if ours.is_denied else "yes", "no" if theirs.is_denied else "yes")
    found = Comparison(relation, _WEIGHT * near * 0.8, "polarity", _slot(first, second), said)
    return ours, theirs, _judged(ours, theirs, found)


def _answer(one: Asked) -> Statement | None:
    """Give the first statement of a reply where it plainly says yes or no to what was asked."""
    opening = one.replies[0]
    if "condition" in opening.signals or not {"yes", "no"} & opening.signals:
        return None
    return opening


def _slot(first: Asked, second: Asked) -> str:
    return " ".join(sorted(name.lstrip("=") for name in first.about.features & second.about.features)[:5])
