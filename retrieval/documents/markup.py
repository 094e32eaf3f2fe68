"""HTML and Markdown with front matter to plain Markdown-like text, which is the one form that chunking reads."""

import re
from collections.abc import Iterator

import yaml
from bs4 import BeautifulSoup, NavigableString, Tag
from bs4.element import PreformattedString

from retrieval.documents.fields import FieldInvalid

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FIRST_HEADING = re.compile(r"\A\s*#\s+(.+?)\s*#*\s*(?:\n|\Z)")
_IMAGE = re.compile(r"!\[[^\]\n]*\]\([^)\n]*\)|<img\b[^>]*>|<!--.*?-->", re.DOTALL | re.IGNORECASE)
_SKIPPED = frozenset({"script", "style", "noscript", "template", "svg", "head", "iframe", "nav", "button"})
_BLOCK_NAMES = (
    "address article aside blockquote body dd details div dl dt fieldset figcaption figure footer form header hr html li"
    " main ol p section summary table tbody thead tfoot ul"
)
_BLOCKS = frozenset(_BLOCK_NAMES.split())
# What the YAML constructors raise for a value that is not what its tag says, beside their own errors.
_BAD_YAML = (yaml.YAMLError, ValueError, TypeError, LookupError, AttributeError, ArithmeticError)


class _Loader(yaml.SafeLoader):
    """Reads dates as the text they are, so that a wrong one is named by its field instead of refusing the whole."""

    yaml_implicit_resolvers = {  # noqa: RUF012 - the base class declares it so
        first: [(tag, form) for tag, form in known if tag != "tag:yaml.org,2002:timestamp"]
        for first, known in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


def split_front_matter(text: str) -> tuple[dict[str, object], str]:
    """Give the values of a YAML front matter (empty when there is none) and the text after it.

    Raises:
        FieldInvalid: the front matter is not a YAML mapping.
    """
    match = _FRONT_MATTER.match(text)
    if not match:
        return {}, text
    try:
        values = yaml.load(match[1], _Loader)  # noqa: S506 - a SafeLoader
    except _BAD_YAML as error:
        mark = getattr(error, "problem_mark", None)
        where = f" in line {mark.line + 2}" if mark else ""
        raise FieldInvalid(f"has a front matter that is not YAML{where}") from None
    if values is None:
        return {}, text[match.end() :]
    if not isinstance(values, dict):
        raise FieldInvalid("has a front matter that is no list of `name: value`")
    return {str(name): value for name, value in values.items()}, text[match.end() :]


def split_title(text: str) -> tuple[str, str]:
    """Take a first-level heading off the top of a Markdown text: title and the rest; no such heading, no title."""
    match = _FIRST_HEADING.match(text)
    return (match[1], text[match.end() :]) if match else ("", text)


def is_blank(text: str) -> bool:
    """Whether nothing readable is left: only blanks, images, rules and comments."""
    return not re.search(r"\w", _IMAGE.sub(" ", text))


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
