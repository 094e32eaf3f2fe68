"""Markdown: front matter, title, and whether anything is left to read."""

import re

import yaml

from retrieval.documents.fields import Nameless

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FIRST_HEADING = re.compile(r"\A\s*#\s+(.+?)\s*#*\s*(?:\n|\Z)")
_IMAGE = re.compile(
    r"!\[[^\]\n]{0,500}+\]\([^)\n]{0,1000}+\)|<img\b[^><]*+>|<!--(?:[^-<]++|-(?!->)|<(?!!--))*+-->",
    re.DOTALL | re.IGNORECASE,
)
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
        Nameless: the front matter is not a YAML mapping.
    """
    match = _FRONT_MATTER.match(text)
    if not match:
        return {}, text
    try:
        values = yaml.load(match[1], _Loader)  # noqa: S506 - a SafeLoader
    except _BAD_YAML as error:
        mark = getattr(error, "problem_mark", None)
        where = f" in line {mark.line + 2}" if mark else ""
        raise Nameless(f"has a front matter that is not YAML{where}") from None
    if values is None:
        return {}, text[match.end() :]
    if not isinstance(values, dict):
        raise Nameless("has a front matter that is no list of `name: value`")
    return {str(name): value for name, value in values.items()}, text[match.end() :]


def split_title(text: str) -> tuple[str, str]:
    """Take a first-level heading off the top of a Markdown text: title and the rest; no such heading, no title."""
    match = _FIRST_HEADING.match(text)
    return (match[1], text[match.end() :]) if match else ("", text)


def is_blank(text: str) -> bool:
    """Whether nothing readable is left: only blanks, images, rules and comments."""
    return not re.search(r"\w", _IMAGE.sub(" ", text))
