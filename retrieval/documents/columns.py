"""What only a whole file tells of one of its rows: which columns it has, and whether its dates put the day in front."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property

from retrieval.documents.dates import DayOrder, order_in
from retrieval.documents.document import Problem
from retrieval.documents.fields import FIELDS, OTHER_IDS, FieldInvalid, FieldMap
from retrieval.documents.json_items import Record
from retrieval.documents.misspelt import misspelt
from retrieval.documents.values import DATES


def slips(
    names: Iterable[str], field_map: FieldMap, everywhere: Callable[[], Collection[str]] | None = None
) -> Iterator[str]:
    """Give a sentence for each name that is probably a misspelt field, whose value is thus not read.

    Of `visibility` nothing is said here: a document with such a slip is refused.

    Args:
        names: of columns or of values in a front matter.
        field_map: the columns that it names are no slips.
        everywhere: gives all names of the file in small letters; asked only when there is a slip.
    """
    mapped = {column.casefold() for column in field_map.columns.values()}
    unknown = [name for name in map(str, names) if name.strip().casefold() not in mapped | OTHER_IDS]
    if not misspelt(unknown, FIELDS, ()):
        return
    known = {name.casefold() for name in (names if everywhere is None else everywhere())}
    given = {field for field in FIELDS if known & {field, field_map.columns.get(field, field).casefold()}}
    for name, field in misspelt(unknown, FIELDS, given).items():
        if field != "visibility":
            yield f"names {name!r}, which is no field and is not read; {field} was perhaps meant"


class Columns:
    """The columns of one file. Each question reads the file once more when it is first asked, which most files never need."""

    def __init__(
        self,
        read: Callable[[], Iterable[Record | Problem]],
        field_map: FieldMap,
        elsewhere: Callable[[], frozenset[str]] = frozenset,
    ) -> None:
        """Read a file by a function; `elsewhere` gives the columns of all files of the run."""
        self._read = read
        self._field_map = field_map
        self._elsewhere = elsewhere

    def named(self, values: Mapping[str, object]) -> dict[str, object]:
        """Give a row of the file by field names.

        Raises:
            FieldInvalid: as `FieldMap.apply`.
        """
        return self._field_map.apply(values, lambda: self.names, elsewhere=self._elsewhere)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of all columns, in small letters."""
        return frozenset(str(name).strip().casefold() for values in self._rows() for name in values)

    @cached_property
    def orders(self) -> Mapping[str, DayOrder]:
        """The order of day and month by field, of the fields whose dates tell one."""
        found: dict[str, set[str]] = {name: set() for name in DATES}
        for values in self._rows():
            try:
                named = self.named(values)
            except FieldInvalid:
                continue
            for name in DATES & named.keys():
                found[name].add(str(named[name]))
        told = {name: order_in(texts) for name, texts in found.items()}
        return {name: order for name, order in told.items() if order is not None}

    def slips(self, names: Iterable[str]) -> Iterator[str]:
        """Give a sentence for each of these columns that is probably a misspelt field."""
        return slips(names, self._field_map, lambda: self.names)

    @property
    def has_mapped(self) -> bool:
        """Whether the file has one of the columns that the map names."""
        return any(column.casefold() in self.names for column in self._field_map.columns.values())

    def _rows(self) -> Iterable[Mapping[str, object]]:
        return (record[1] for record in self._read() if not isinstance(record, Problem))
