"""The objects of one long JSON value, read one by one, so that a cut in the middle costs only what stands behind it."""

import json
import re
from collections.abc import Generator, Iterator, Mapping

from retrieval.documents.document import Problem
from retrieval.documents.given_twice import record_of

Record = tuple[str, Mapping[str, object]]
# An object that names something twice says so.
DECODER = json.JSONDecoder(object_pairs_hook=record_of)
_LIST = re.compile(r"\[\s*(?:\{|\])")
_BLANK = re.compile(r"\s*")
_BROKEN = (ValueError, RecursionError)


def read_items(text: str, where: str) -> Iterator[Record | Problem]:
    """Give the objects of a list, or of every list of an object, each with `where:item`; the problem of a place that is no JSON.

    An object without a list of objects is one item itself.
    """
    start = _skip(text, 0)
    if text[start : start + 1] == "[":
        yield from _list_items(text, start, where)
    elif text[start : start + 1] == "{":
        yield from _members(text, start, where)
    else:
        yield Problem(where, "holds neither a list nor an object", hides=True)


def _skip(text: str, position: int) -> int:
    match = _BLANK.match(text, position)
    return match.end() if match else position


def _members(text: str, start: int, where: str) -> Iterator[Record | Problem]:
    """Read an object member by member; lists of objects give items, anything else is about the whole file."""
    others: dict[str, object] = {}
    has_items = False
    position = _skip(text, start + 1)
    while text[position : position + 1] != "}":
        try:
            name, position = DECODER.raw_decode(text, position)
            position = _skip(text, _after(text, position, ":"))
            if _LIST.match(text, position) and isinstance(name, str):
                has_items = True
                position = yield from _list_items(text, position, f"{where}:{name}")
                if position < 0:
                    return
            else:
                others[str(name)], position = DECODER.raw_decode(text, position)
        except _BROKEN as error:
            yield _cut(where, error)
            return
        position = _skip(text, position)
        if text[position : position + 1] == ",":
            position = _skip(text, position + 1)
    if not has_items:
        yield where, others


def _after(text: str, position: int, mark: str) -> int:
    position = _skip(text, position)
    if text[position : position + 1] != mark:
        raise ValueError(f"no {mark!r}")
    return position + 1


def _list_items(text: str, start: int, where: str) -> Generator[Record | Problem, None, int]:
    """Give the objects of a list and return where it ends, -1 when it does not."""
    position, number = _skip(text, start + 1), 0
    while text[position : position + 1] != "]":
        number += 1
        try:
            value, position = DECODER.raw_decode(text, position)
        except _BROKEN as error:
            yield _cut(f"{where}:{number}", error)
            return -1
        if isinstance(value, dict):
            yield f"{where}:{number}", value
        else:
            yield Problem(f"{where}:{number}", f"must be a JSON object, not {type(value).__name__}", hides=True)
        position = _skip(text, position)
        if text[position : position + 1] == ",":
            position = _skip(text, position + 1)
    return position + 1


def _cut(where: str, error: Exception) -> Problem:
    reason = "nested too deeply" if isinstance(error, RecursionError) else "or an export cut in the middle"
    return Problem(where, f"is not JSON ({reason}); nothing behind it could be read", hides=True)


def members_before_fault(text: str) -> dict[str, object]:
    """Give the members of a broken object that stand whole before what breaks it."""
    found: dict[str, object] = {}
    position = _skip(text, 0)
    while text[position : position + 1] in ("{", ","):
        try:
            name, position = DECODER.raw_decode(text, _skip(text, position + 1))
            value, position = DECODER.raw_decode(text, _skip(text, _after(text, position, ":")))
        except _BROKEN:
            break
        found[str(name)] = value
        position = _skip(text, position)
    return found
