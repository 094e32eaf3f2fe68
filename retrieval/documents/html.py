"""HTML to the Markdown-like text that chunking reads. Imported when the first page is read: answering needs no parser."""

import re
from collections.abc import Iterator

from bs4 import BeautifulSoup, NavigableString, Tag
from bs4.element import PreformattedString

_SKIPPED = frozenset({"script", "style", "noscript", "template", "svg", "head", "iframe", "nav", "button"})
_BLOCK_NAMES = (
    "address article aside blockquote body dd details div dl dt fieldset figcaption figure footer form header hr html li"
    " main ol p section summary table tbody thead tfoot ul"
)
_BLOCKS = frozenset(_BLOCK_NAMES.split())


def html_to_text(html: str) -> tuple[str, str]:
    """Give title and text of an HTML page; headings, lists, tables and code keep a Markdown form."""
    soup = BeautifulSoup(html, "html.parser")
    title = soup.title.get_text(" ", strip=True) if soup.title else ""
    heading = soup.find("h1")
    if isinstance(heading, Tag):
        title = heading.get_text(" ", strip=True) or title
        heading.decompose()
    text = "".join(_pieces(soup))
    text = re.sub(r"[ \t]+\n", "\n", text)
    return title, re.sub(r"\n{3,}", "\n\n", text).strip()


def _pieces(node: Tag) -> Iterator[str]:
    for child in node.children:
        if isinstance(child, PreformattedString):  # comments, doctype, CDATA
            continue
        if isinstance(child, NavigableString):
            yield re.sub(r"\s+", " ", str(child))
        elif isinstance(child, Tag) and child.name not in _SKIPPED:
            yield from _element(child)


def _element(tag: Tag) -> Iterator[str]:
    name = tag.name
    if name == "br":
        yield "\n"
    elif re.fullmatch(r"h[1-6]", name):
        yield f"\n\n{'#' * int(name[1])} {tag.get_text(' ', strip=True)}\n\n"
    elif name == "pre":
        yield f"\n\n```\n{tag.get_text().strip(chr(10))}\n```\n\n"
    elif name == "li":
        yield f"\n{_bullet(tag)}{''.join(_pieces(tag)).strip()}\n"
    elif name == "tr":
        cells = [cell.get_text(" ", strip=True) for cell in tag.find_all(["td", "th"], recursive=False)]
        yield f"\n| {' | '.join(cells)} |"
    elif name in _BLOCKS:
        yield "\n\n"
        yield from _pieces(tag)
        yield "\n\n"
    else:
        yield from _pieces(tag)


def _bullet(item: Tag) -> str:
    parent = item.parent
    if parent is not None and parent.name == "ol":
        return f"{len(item.find_previous_siblings('li')) + 1}. "
    return "- "
