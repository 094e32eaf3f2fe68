"""HTML to the Markdown-like text that chunking reads. Imported when the first page is read: answering needs no parser."""

import re
from collections.abc import Iterator

from bs4 import BeautifulSoup, NavigableString, Tag
from bs4.element import PreformattedString

from retrieval.documents.decoding import NotText
from retrieval.documents.fields import FIELDS
from retrieval.documents.html_tables import repeat_spanning, with_end_tags
from retrieval.documents.misspelt import nearest

_SKIPPED = frozenset({"script", "style", "noscript", "template", "svg", "head", "iframe", "nav", "button"})
_BLOCK_NAMES = (
    "address article aside blockquote body dd details div dl dt fieldset figcaption figure footer form header hr html li"
    " main ol p section summary table tbody thead tfoot ul"
)
_TAGGED = "visibility in a meta tag"
_BLOCKS = frozenset(_BLOCK_NAMES.split())


# Beyond this a page takes minutes to parse: 2 MB of 250 000 tags took 16 s.
_MAX_TAGS = 400_000
# html.parser searches the rest of the page for the end of every tag and comment that is never closed.
_MAX_UNCLOSED = 1_000


def html_to_text(html: str) -> tuple[str, str]:
    """Give title and text of an HTML page; headings, lists, tables and code keep a Markdown form.

    Raises:
        NotText: the page is a bomb: nested too deeply, of too many tags, or of tags that are never closed.
    """
    return soup_to_text(parse_html(html))


def parse_html(html: str) -> BeautifulSoup:
    """Parse a page.

    Raises:
        NotText: as `html_to_text`.
    """
    unclosed = max(html.count("</") - html.count(">"), html.count("<!--") - html.count("-->"))
    if html.count("<") > _MAX_TAGS or unclosed > _MAX_UNCLOSED:
        raise NotText("has more tags than a page can have, or thousands that are never closed; it is not read")
    # What follows the last ">" is no tag; for each "<" in it html.parser would read on to the end: 300 000 took minutes.
    end = html.rfind(">") + 1
    if html.count("<", end) > 1:
        html = html[:end] + html[end:].replace("<", "&lt;")
    try:
        soup = BeautifulSoup(with_end_tags(html), "html.parser")
    except RecursionError:
        raise NotText("is nested too deeply to be read") from None
    repeat_spanning(soup)
    return soup


def labels_in_tags(soup: BeautifulSoup) -> dict[str, object]:
    """Give under a name that is no field what the meta tags of a page say about who may see it.

    They were written for other programs, so they open nothing; that a page names its readers must not be passed over either.
    """
    names = (str(tag.get("name") or tag.get("property") or "") for tag in soup.find_all("meta"))
    is_said = any(nearest(name.strip().casefold(), FIELDS) == "visibility" for name in names)
    return {_TAGGED: True} if is_said else {}


def soup_to_text(soup: BeautifulSoup) -> tuple[str, str]:
    """Give title and text of a parsed page, which is taken apart.

    Raises:
        NotText: it is nested too deeply.
    """
    try:
        title = soup.title.get_text(" ", strip=True) if soup.title else ""
        heading = soup.find("h1")
        if isinstance(heading, Tag):
            title = heading.get_text(" ", strip=True) or title
            heading.decompose()
        text = "".join(_pieces(soup))
    except RecursionError:
        raise NotText("is nested too deeply to be read") from None
    text = re.sub(r"[ \t]+\n", "\n", text)
    return title, re.sub(r"\n{3,}", "\n\n", text).strip()


def _pieces(node: Tag) -> Iterator[str]:
    item = 0
    for child in node.children:
        if isinstance(child, PreformattedString):  # comments, doctype, CDATA
            continue
        if isinstance(child, NavigableString):
            yield re.sub(r"\s+", " ", str(child))
        elif isinstance(child, Tag) and child.name == "li":
            item += 1
            bullet = f"{item}. " if node.name == "ol" else "- "
            yield f"\n{bullet}{''.join(_pieces(child)).strip()}\n"
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
    elif name == "tr":
        cells = [cell.get_text(" ", strip=True) for cell in tag.find_all(["td", "th"], recursive=False)]
        yield f"\n| {' | '.join(cells)} |"
    elif name in _BLOCKS:
        yield "\n\n"
        yield from _pieces(tag)
        yield "\n\n"
    else:
        yield from _pieces(tag)
