"""Names that are no field and nearly one: a slip in `visibility` must not open a document, any other is told."""

from collections.abc import Collection, Iterable
from functools import lru_cache

# A short name is near to many others ("test", "kid"), a long one is still itself with two slips.
_SHORT, _LONG = 4, 8
_SURE = "visibil"
_NAMES_KEPT = 4096


def misspelt(names: Iterable[str], fields: tuple[str, ...], given: Collection[str]) -> dict[str, str]:
    """Give the field that each name was probably meant for.

    Only fields that no other name gives are meant: beside `question` a column `question_id` is one of its own.

    Args:
        names: as written; those that are fields themselves are passed over.
        fields: all that there are.
        given: the fields that the file gives under their own name or that of a map.
    """
    found = {}
    for name in names:
        folded = name.strip().casefold()
        field = "" if folded in fields else nearest(folded, fields)
        if field and field not in given:
            found[name.strip()] = field
    return found


@lru_cache(maxsize=_NAMES_KEPT)
def nearest(name: str, fields: tuple[str, ...]) -> str:
    """Give the field that a name in small letters is a slip of, "" for none.

    A slip is a letter too many, missing, wrong or swapped with its neighbour; `-`, `_` and blanks do not count. One is allowed in
    names of five letters and more, two from eight on; of shorter ones only those marks may differ.
    """
    bare = _bare(name)
    if (
        bare.startswith(_SURE) and "visibility" in fields
    ):  # "visibilities", "visibility_labels": to be wrong would open it
        return "visibility"
    slips = [(_slips(bare, _bare(field)), field) for field in fields if abs(len(bare) - len(_bare(field))) <= 2]
    fewest, field = min(slips, default=(len(bare), ""))
    size = len(_bare(field))
    return field if fewest <= (size > _SHORT) + (size >= _LONG) else ""


def _bare(name: str) -> str:
    return "".join(letter for letter in name if letter.isalnum())


def _slips(one: str, other: str) -> int:
    """Count the slips between two words: the restricted Damerau-Levenshtein distance."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        earlier, before, row = before, row, [i]
        for j, wanted in enumerate(other, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                cost = min(cost, earlier[j - 2] + 1)
            row.append(cost)
    return row[-1]
