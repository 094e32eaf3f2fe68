"""Markdown: title, and whether anything is left to read."""

import re

_FIRST_HEADING = re.compile(r"\A\s*#\s+(.+?)\s*#*\s*(?:\n|\Z)")
_IMAGE = re.compile(
    r"!\[[^\]\n]{0,500}+\]\([^)\n]{0,1000}+\)|<img\b[^><]*+>|<!--(?:[^-<]++|-(?!->)|<(?!!--))*+-->",
    re.DOTALL | re.IGNORECASE,
)

_WORD = re.compile(r"\w")


_FENCE = re.compile(r"\s{0,3}(?:`{3,99}|~{3,99})")
_MODULE = re.compile(
    r"import\s+(?:[\"']|[\w*{][^\n]*\sfrom\s)|export\s+(?:const|let|var|function|default|async|class|[{*])"
)
_REMARK = re.compile(r"\{/\*(?:[^*]|\*(?!/\}))*+\*/\}")


def without_modules(text: str) -> str:
    """Give an MDX text without its imports, exports and remarks; what stands in a code fence stays."""
    kept: list[str] = []
    is_fenced = is_module = False
    for line in text.split("\n"):
        is_fenced ^= bool(_FENCE.match(line))
        if not is_fenced and _MODULE.match(line) and (not kept or not kept[-1].strip() or is_module):
            is_module = True  # up to a blank line
        elif not line.strip():
            is_module = False
        if not is_module:
            kept.append(line)
    return _REMARK.sub("", "\n".join(kept))


def split_title(text: str) -> tuple[str, str]:
    """Take a first-level heading off the top of a Markdown text: title and the rest; no such heading, no title."""
    match = _FIRST_HEADING.match(text)
    return (match[1], text[match.end() :]) if match else ("", text)


def is_blank(text: str) -> bool:
    """Whether nothing readable is left: only blanks, images, rules and comments."""
    pictured = "<" in text or "![" in text  # nothing else is taken out
    return not _WORD.search(_IMAGE.sub(" ", text) if pictured else text)
