"""Reading foreign JSON without trusting its shape: a missing or odd value is empty, never an exception."""

import re
from collections.abc import Mapping, Sequence

Payload = Mapping[str, object]

# Slack's ids, time stamps and trigger ids. Whatever does not fit must not become part of a Redis key.
_ID = re.compile(r"[A-Za-z0-9._:-]{1,128}")


def text_at(payload: Payload, *names: str) -> str:
    """Give the first of the named values that is a non-empty text, else an empty one."""
    for name in names:
        value = payload.get(name)
        if isinstance(value, str) and value:
            return value
    return ""


def id_at(payload: Payload, *names: str) -> str:
    """Give the first of the named values that has the form of an id, else an empty text."""
    for name in names:
        value = payload.get(name)
        if isinstance(value, str) and _ID.fullmatch(value):
            return value
    return ""


def mapping_at(payload: Payload, name: str) -> Payload:
    """Give the named object, empty when absent or no object."""
    value = payload.get(name)
    return value if isinstance(value, Mapping) else {}


def mappings_at(payload: Payload, name: str) -> tuple[Payload, ...]:
    """Give the objects of the named list; everything else in it is left out."""
    value = payload.get(name)
    if not isinstance(value, Sequence) or isinstance(value, str):
        return ()
    return tuple(item for item in value if isinstance(item, Mapping))


def count_at(payload: Payload, name: str) -> int:
    """Give the named whole number, 0 when absent or none."""
    value = payload.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
