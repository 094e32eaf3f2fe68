"""A record of named values to a `Document`: names mapped, types checked, dates and lists put into one form."""

import datetime as dt
import math
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import NamedTuple

from retrieval.documents.dates import DayOrder
from retrieval.documents.decoding import clean
from retrieval.documents.document import ARTICLE, INTERNAL, TICKET, Document
from retrieval.documents.given_twice import GivenTwice
from retrieval.documents.misspelt import nearest
from retrieval.documents.values import OrderUnknown, ValueRefused, checked

FIELDS = tuple(f.name for f in fields(Document) if f.compare)
# Other names of the id: the corpus files of BEIR have this one.
OTHER_IDS = frozenset({"_id"})
_LISTS = ("supersedes", "people")
NOT_PUBLISHED = "the document is not published"


class FieldInvalid(ValueError):
    """A value does not fit its field; the message is one clear sentence. `is_nameless`: not even the id is known."""

    is_nameless = False


class Nameless(FieldInvalid):
    """A record has no id, so nobody can say which document it was."""

    is_nameless = True


class VisibilityUnclear(FieldInvalid):
    """Nobody can say who may see the document, so that not even its earlier version may be shown."""


@dataclass(frozen=True, slots=True)
class FieldMap:
    """Which column holds which field.

    Fields that are not named keep their own name, in any letter case, and so does a field in a file that has no such column;
    `_id` is an id too. A file that has it by neither name is without the field, when another file of the run has the column.
    """

    columns: Mapping[str, str]

    @classmethod
    def parse(cls, pairs: "list[str] | tuple[str, ...]") -> "FieldMap":
        """Read `FIELD=COLUMN` pairs.

        Raises:
            FieldInvalid: not of that form, or no such field.
        """
        columns = {}
        for pair in pairs:
            field, separator, column = pair.partition("=")
            if not separator or not column:
                raise FieldInvalid(f"--map takes FIELD=COLUMN, not {pair!r}")
            if field.strip() not in FIELDS:
                raise FieldInvalid(f"--map knows no field {field.strip()!r}; fields are {', '.join(FIELDS)}")
            columns[field.strip()] = column.strip()
        return cls(columns)

    def apply(
        self,
        record: Mapping[str, object],
        names: Callable[[], Collection[str]] | None = None,
        *,
        elsewhere: Callable[[], Collection[str]] = frozenset,
    ) -> dict[str, object]:
        """Give the record by field names.

        Args:
            record: values by the name of their column.
            names: gives the columns of the whole file in small letters; without it those of the record count. It is asked
                only when a mapped column is not in the record: a row that lacks it must not be read by another one.
            elsewhere: gives the columns of all files of the run, in small letters. A column that none of them has is
                misspelt; one that another file has is this file's to lack, save the id.

        Raises:
            FieldInvalid: neither a mapped column nor one of the field's own name is there, or no id; lists what is.
        """
        plan = _plan(tuple(record), tuple(self.columns.items()))
        if plan.has_mapped:
            named = {field: record[name] for field, name in plan.places}
            if len(plan.seen_by) > 1 and any(record[name] != named["visibility"] for name in plan.seen_by):
                named["visibility"] = GivenTwice()
        else:
            named = self._searched(record, names, elsewhere)
        if _is_blank(named.get("id")):
            if plan.other_id is not None:
                named["id"] = record[plan.other_id]  # as the corpus files of BEIR name it
            if _is_blank(named.get("id")):
                raise Nameless(f"has no id; found {_listed(record)}")
        return named

    def _searched(
        self,
        record: Mapping[str, object],
        names: Callable[[], Collection[str]] | None,
        elsewhere: Callable[[], Collection[str]],
    ) -> dict[str, object]:
        """Give a record that lacks a mapped column by field names, as its file and the others of the run have it."""
        found = {str(name).strip().casefold(): value for name, value in record.items()}
        named = {}
        for field in FIELDS:
            column = self.columns.get(field)
            key = (column or field).casefold()
            if column is not None and key not in found:
                everywhere = found.keys() if names is None else names()
                is_named_so = bool(_own_names(field) & set(everywhere))
                if key not in everywhere and not is_named_so and field != "id" and key in elsewhere():
                    continue
                if key in everywhere or not is_named_so:
                    raise Nameless(f"has no column {column!r} for {field}; found {_listed(record)}")
                key = field
            if key in found:
                named[field] = found[key]
        return named

    def check_visibility(self, record: Mapping[str, object], named: Mapping[str, object]) -> None:
        """Look whether a record says who may see it under a name that is no field.

        Args:
            record: as for `apply`.
            named: what `apply` made of it.

        Raises:
            VisibilityUnclear: it does, and nothing else in it says so.
        """
        if "visibility" in named:
            return
        if (name := _plan(tuple(record), tuple(self.columns.items())).slip) is not None:
            raise VisibilityUnclear(f"names {name!r}, which is no field but nearly visibility; {NOT_PUBLISHED}")


NO_FIELDS = FieldMap({})


class _Plan(NamedTuple):
    """What the names of a record tell: under which each field stands, another name of its id, and a slip of visibility.

    `seen_by`: the names that are visibility, but for blanks and the size of letters.

    `has_mapped`: every column that the map names is there.
    """

    places: tuple[tuple[str, str], ...]
    has_mapped: bool
    other_id: str | None
    slip: str | None
    seen_by: tuple[str, ...]


@lru_cache(maxsize=256)
def _plan(names: tuple[str, ...], columns: tuple[tuple[str, str], ...]) -> _Plan:
    """Remembered by the names: a table has a few columns and a hundred thousand rows."""
    found = {str(name).strip().casefold(): name for name in names}
    mapped = {field: column.casefold() for field, column in columns}
    keys = [(field, mapped.get(field, field)) for field in FIELDS]
    known = set(mapped.values())
    shown = () if mapped.get("visibility", "visibility") in found else (str(name).strip() for name in names)
    slips = (
        name for name in shown if name.casefold() not in known and nearest(name.casefold(), FIELDS) == "visibility"
    )
    return _Plan(
        places=tuple((field, found[key]) for field, key in keys if key in found),
        has_mapped=known <= found.keys(),
        other_id=None if mapped.get("id", "") in found else found.get("_id"),
        slip=next(slips, None),
        seen_by=tuple(name for name in names if str(name).strip().casefold() == mapped.get("visibility", "visibility")),
    )


def _own_names(field: str) -> frozenset[str]:
    return OTHER_IDS | {"id"} if field == "id" else frozenset({field})


def _listed(record: Mapping[str, object]) -> str:
    return ", ".join(repr(str(name)) for name in record) or "nothing"


def id_of(named: Mapping[str, object]) -> str:
    """Give the id of values by field name as a document would have it; "" where they name none that can be read."""
    try:
        return checked("id", _text("id", named.get("id")))
    except (FieldInvalid, ValueRefused):
        return ""


def _is_blank(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def document_from(
    record: Mapping[str, object], source: str, orders: Callable[[], Mapping[str, DayOrder]] = dict
) -> tuple[Document, tuple[str, ...]]:
    """Build a document from values by field name; gives also a sentence for every value that was left out.

    Args:
        record: values by field name.
        source: where it was read.
        orders: gives the order of day and month by field; asked only when a date can be read in two ways.

    Raises:
        FieldInvalid: a value is of a wrong kind.
    """
    values: dict[str, object] = {}
    left_out = []
    for name, value in record.items():
        if _is_blank(value) and name != "visibility":
            continue
        if name == "visibility":
            values[name] = _visibility(value)
        elif name in _LISTS:
            values[name] = _names(name, value)
        else:
            try:
                values[name] = _checked(name, _text(name, value), orders)
            except ValueRefused as refusal:
                left_out.append(str(refusal))
    if "kind" not in values:
        values["kind"] = TICKET if _is_ticket(values, record) else ARTICLE
    if not values.get("id"):  # nothing but characters that are cleaned away
        raise Nameless(f"has no id; found {_listed(record)}")
    return Document(**values, source=source), tuple(left_out)  # type: ignore[arg-type]  # each value was checked above


def _checked(name: str, text: str, orders: Callable[[], Mapping[str, DayOrder]]) -> str:
    try:
        return checked(name, text)
    except OrderUnknown:
        return checked(name, text, orders().get(name))


def _is_ticket(values: Mapping[str, object], record: Mapping[str, object]) -> bool:
    """Whether a record that names no kind is a ticket: it has a resolution, or nobody has written one yet."""
    if "resolution" in values or "text" in values:
        return "resolution" in values
    return "question" in values or ("resolution" in record and "text" not in record)


def _text(name: str, value: object) -> str:
    if isinstance(value, str):
        return clean(value).strip()
    if isinstance(value, dt.date):  # front matter dates; a datetime is one too
        return value.isoformat()
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise FieldInvalid(f"field {name} must be text, not {type(value).__name__}")
    if not math.isfinite(value):
        raise FieldInvalid(f"field {name} must be text, not {value}")
    return str(value)


def _names(name: str, value: object) -> tuple[str, ...]:
    parts = re.split(r"[;,\n]", value) if isinstance(value, str) else value
    if not isinstance(parts, list | tuple):
        raise FieldInvalid(f"field {name} must be text or a list of texts, not {type(value).__name__}")
    return tuple(text for part in parts if (text := _text(name, part).strip()))


def _visibility(value: object) -> tuple[str, ...]:
    """Read labels. What is wrong is an error and not the default: a guess could show a document to outsiders."""
    if isinstance(value, GivenTwice):
        raise VisibilityUnclear(f"gives visibility twice, and not alike; {NOT_PUBLISHED}")
    if _is_blank(value):
        return (INTERNAL,)
    try:
        labels = tuple(sorted(set(_names("visibility", value))))
    except FieldInvalid as error:
        raise VisibilityUnclear(f"{error}; {NOT_PUBLISHED}") from None
    if not labels:
        raise VisibilityUnclear(f"field visibility names no label; name one or leave it out; {NOT_PUBLISHED}")
    return labels
