"""The YAML front matter of a file that is one document.

Its `visibility` says who may see the document, so one that is meant and cannot be read is a fault of the file: taken for text it
would open what was closed.
"""

import re
from collections.abc import Iterator

import yaml

from retrieval.documents.fields import FIELDS, Nameless
from retrieval.documents.given_twice import Doubled, record_of
from retrieval.documents.misspelt import nearest

# A byte order mark is no blank to Python; editors and joined files leave one behind the first too.
_BLANK = "\\s\ufeff\u200b\u2060"
_LEAD = re.compile(rf"\A[{_BLANK}]*")
_FRONT_MATTER = re.compile(r"---[ \t]*\n(.*?)(?:\n|(?<=\n))(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
# The first line of a block: hyphens, also those that a word processor made dashes of, and the fences of TOML and JSON.
_FENCE = re.compile(r"\A[ \t]*(?:[-\u2010-\u2015\u2212]{2,80}|[\u2014\u2015]|\+{3,8}|;{3,8})[ \t]*(?:\n|\Z)")
_KEY = re.compile(r"\A[ \t]*[\"']?([A-Za-z_][\w.-]*(?: [\w.-]+)?)[\"']?[ \t]*[:=](?=\s|\Z|[\"'\[{])")
_WORD = re.compile(r"\A[ \t]*[\"']?([A-Za-z_][\w-]*)")
# Lines of a block that hold no key of their own: lists, values of more lines, comments, brackets.
_INNER = re.compile(r"\s*\Z|[ \t]+\S|[ \t]*(?:-[ \t]|#|[\]}]|<!--)")
_HEAD_LINES = 60
_SHORT_LINE = 4
# What the YAML constructors raise for a value that is not what its tag says, beside their own errors.
_BAD_YAML = (yaml.YAMLError, ValueError, TypeError, LookupError, AttributeError, ArithmeticError)


class _Loader(yaml.SafeLoader):
    """Reads dates as the text they are, so that a wrong one is named by its field instead of refusing the whole."""

    yaml_implicit_resolvers = {  # noqa: RUF012 - the base class declares it so
        first: [(tag, form) for tag, form in known if tag != "tag:yaml.org,2002:timestamp"]
        for first, known in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def construct_document(self, node: yaml.Node) -> object:
        """Build the values; of a mapping that names something twice, those that it names so too."""
        values = super().construct_document(node)
        if not isinstance(values, dict) or not isinstance(node, yaml.MappingNode) or len(values) == len(node.value):
            return values
        return record_of([(str(self._made(name)), self._made(value)) for name, value in node.value])

    def _made(self, node: yaml.Node) -> object:
        return self.construct_object(node, deep=True)


def split_front_matter(text: str) -> tuple[dict[str, object], str]:
    """Give the values of a YAML front matter (empty when there is none) and the text after it.

    It may stand behind blank lines and byte order marks. A text that begins with a rule and prose has none.

    Raises:
        Nameless: what is meant as front matter does not close, or is no YAML mapping.
    """
    start = _LEAD.match(text).end()  # type: ignore[union-attr]  # it matches nothing too
    match = _FRONT_MATTER.match(text, start)
    if not match:
        _refuse_broken(text[start:])
        return {}, text
    if _is_prose(match[1]):
        return {}, text
    values = _parsed(match[1], first_line=text.count("\n", 0, match.start(1)) + 1)
    return values, text[match.end() :]


def _parsed(block: str, *, first_line: int) -> dict[str, object]:
    try:
        values = yaml.load(block, _Loader)  # noqa: S506 - a SafeLoader
    except _BAD_YAML as error:
        mark = getattr(error, "problem_mark", None)
        where = f" in line {mark.line + first_line}" if mark else ""
        raise Nameless(f"has a front matter that is not YAML{where}") from None
    if values is None:
        return {}
    if not isinstance(values, dict):
        raise Nameless("has a front matter that is no list of `name: value`")
    return values if isinstance(values, Doubled) else {str(name): value for name, value in values.items()}


def _refuse_broken(text: str) -> None:
    """Refuse a text that begins with fields which no reader of front matter would find."""
    fence = _FENCE.match(text)
    body = text[fence.end() :] if fence else text
    keys = list(_leading_keys(body))
    if fence is None:
        # Without a fence "Note: see below" is prose; only a word about who may see it is never taken for such.
        if any(_meant(key) == "visibility" for key in keys):
            raise Nameless("names its visibility in no front matter; that begins the file, between two lines `---`")
    elif any(map(_meant, keys)) or (keys and keys[0].islower()) or _names_visibility(body):
        line = fence[0].strip()
        if line == "---":
            raise Nameless("has a front matter that does not close; end it with a line `---`")
        raise Nameless(f"has a front matter that begins with {line!r}; it stands between two lines `---`")


def _meant(key: str) -> str:
    return nearest(key.casefold(), FIELDS)


def _leading_keys(body: str) -> Iterator[str]:
    """Give the keys of the lines up to the first one that is prose."""
    for line in body.split("\n", _HEAD_LINES)[:_HEAD_LINES]:
        if key := _KEY.match(line):
            yield key[1]
        elif not _INNER.match(line) and not _FENCE.match(line):
            return


def _names_visibility(body: str) -> bool:
    """Whether a short line of the head begins with the word, with or without its colon."""
    lines = body.split("\n", _HEAD_LINES)[:_HEAD_LINES]
    words = (_WORD.match(line) for line in lines if len(line.split()) <= _SHORT_LINE)
    return any(_meant(word[1]) == "visibility" for word in words if word)


def _is_prose(block: str) -> bool:
    """Whether two rules stand around it, and nobody meant it as fields: it begins with a sentence and names none."""
    lines = [line for line in block.split("\n") if line.strip() and not line.startswith("#")]
    if not lines or _KEY.match(lines[0]) or _INNER.match(lines[0]) or len(lines[0].split()) <= 1:
        return False
    keys = filter(None, map(_KEY.match, lines))
    return not _names_visibility(block) and not any(_meant(key[1]) for key in keys)
