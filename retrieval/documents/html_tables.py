"""Tables of HTML, so that each row says what it is about: end tags that may be left out, and cells that stand for several rows."""

import copy
import re
from collections.abc import Iterator

from bs4 import BeautifulSoup, Tag

_TAG = re.compile(r"<(/?)(table|tr|td|th)\b", re.IGNORECASE)
_UNREAD = re.compile(r"<(script|style|textarea)\b[^>]*+>|<!--", re.IGNORECASE)
_CELLS = ("td", "th")
# A cell of more rows, or of more text, is a layout and no label; all copies of a page are as many at most.
_MOST_ROWS, _MOST_LETTERS, _MOST_COPIES = 500, 200, 10_000


def with_end_tags(html: str) -> str:
    """Write the `</td>`, `</th>` and `</tr>` that HTML allows to leave out; a page with scripts, styles or comments is given as it is."""
    if not re.search(r"<t[dh]\b", html, re.IGNORECASE) or _UNREAD.search(html):
        return html
    opened: list[str] = []
    written: list[str] = []
    at = 0
    for found in _TAG.finditer(html):
        ends = "".join(f"</{name}>" for name in _ended(opened, found[2].lower(), is_end=bool(found[1])))
        written += [html[at : found.start()], ends]
        at = found.start()
    return "".join([*written, html[at:]]) if any(written[1::2]) else html


def _ended(opened: list[str], name: str, *, is_end: bool) -> Iterator[str]:
    """Give what a tag ends without saying so, and keep what is open within its table."""
    inner = {"table": (*_CELLS, "tr"), "tr": _CELLS + (() if is_end else ("tr",))}.get(name, () if is_end else _CELLS)
    if name == "table" and not is_end:
        inner = ()
    while opened and opened[-1] in inner:
        yield opened.pop()
    if not is_end:
        opened.append(name)
    elif opened and opened[-1] == name:
        opened.pop()


def repeat_spanning(soup: BeautifulSoup) -> None:
    """Put a cell that stands for several rows into each of them."""
    left = _MOST_COPIES
    for cell in soup.find_all(_CELLS, rowspan=True):
        rows, label = str(cell.get("rowspan")).strip(), cell.get_text(" ", strip=True)
        if not rows.isascii() or not rows.isdigit() or len(label) > _MOST_LETTERS or not isinstance(cell.parent, Tag):
            continue
        place = [other for other in cell.parent.children if isinstance(other, Tag) and other.name in _CELLS].index(cell)
        following = (row for row in cell.parent.next_siblings if isinstance(row, Tag) and row.name == "tr")
        for row, _ in zip(following, range(min(int(rows[:4]), _MOST_ROWS) - 1), strict=False):
            if left <= 0:
                return
            left -= 1
            _put(row, place, copy.copy(cell))


def _put(row: Tag, place: int, cell: Tag) -> None:
    del cell["rowspan"]
    others = [other for other in row.children if isinstance(other, Tag) and other.name in _CELLS]
    if place < len(others):
        others[place].insert_before(cell)
    else:
        row.append(cell)
