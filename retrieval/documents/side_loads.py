"""What an export of a desk holds beside its tickets and articles (`{"tickets": […], "users": […]}`): who wrote them, and lists that are no documents."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property

from retrieval.documents.document import Problem
from retrieval.documents.json_items import Record

_NAMES = "users groups organizations brands sections categories user_segments identities metric_sets audits ticket_forms sharing_agreements"
_LISTS = frozenset(_NAMES.split())
_TEXTS = ("text", "resolution", "question", "body")


class SideLoads:
    """The lists beside the documents of one file, which is read once more for the people when a ticket asks for them."""

    def __init__(self, read: Callable[[], Iterable[Record | Problem]]) -> None:
        self._read = read
        self._told: set[str] = set()

    def holds(self, where: str, values: Mapping[str, object]) -> bool:
        """Whether a record is of such a list, and has no text of its own."""
        return _list_of(where) in _LISTS and not any(values.get(name) for name in _TEXTS)

    def told(self, where: str, file: str) -> Iterator[Problem]:
        """Give a note about the list of a record, once."""
        name = _list_of(where)
        if name not in self._told:
            self._told.add(name)
            yield Problem(file, f"holds {name} beside its documents; they are not indexed", is_note=True)

    @cached_property
    def people(self) -> dict[object, Mapping[str, object]]:
        """Who is listed under `users`, by id."""
        rows = (record for record in self._read() if not isinstance(record, Problem))
        return {values.get("id"): values for where, values in rows if _list_of(where) == "users"}


def _list_of(where: str) -> str:
    """Give the name of the list in `file:list:item`, "" for a record of no named list."""
    _, *parts = where.rsplit(":", 2)
    return parts[0] if len(parts) == 2 and parts[1].isdigit() and not parts[0].isdigit() else ""
