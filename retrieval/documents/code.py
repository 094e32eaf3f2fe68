"""Finds code in Markdown-like text, fenced or only indented, and gives it the one form that an answer can quote."""

import re
from collections.abc import Sequence

_FENCE = re.compile(r"^([ \t]*)(`{3,}(?=[^`]*$)|~{3,})(.*)$")
_ANNOUNCES = re.compile(r"[:：][ *_]*$")
_INDENT = re.compile(r"[ \t]*")
_ITEM = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)]|[a-z][.)])\s+\S")
# What prose hardly ever holds: an assignment, a bracket of code, an option, a path, a key, a dotted or underscored name.
_SIGN = re.compile(r"[={}<>;$|\\`]|(?:^|\s)--?\w|(?:^|[\s.~])/\w|\w\(|^\s*[#\"']|\w[_.]\w|^\s*[\w.-]+:(?:\s|$)")
_ENDS_LIKE_PROSE = re.compile(r"[.!?,;:。！？]$")
_MOST_WORDS_OF_A_COMMAND = 6
# Code is indented by at least this many columns more than the line that announces it (CommonMark: four).
_DEEPER = 4


def is_fence(line: str) -> bool:
    """Say whether a line opens or closes a fence, however deep in a list it stands."""
    return bool(_FENCE.match(line))


def is_item(line: str) -> bool:
    """Say whether a line begins an item of a list."""
    return bool(_ITEM.match(line))


def code_at(lines: Sequence[str], position: int) -> tuple[str, int] | None:
    """Give the code that begins at a line, and the line behind it; None when none begins there.

    It comes fenced and without the indentation of the list that it stands in. Without a fence only lines are code that are
    four columns deeper than a line above that ends with a colon, and that look like code: of the other indented paragraphs
    of 1 789 public help pages nearly all are prose.
    """
    if fence := _FENCE.match(lines[position]):
        return _fenced(lines, position, fence)
    end = _indented_end(lines, position)
    if end == position:
        return None
    body = lines[position:end]
    depth = min(_depth(line) for line in body if line.strip())
    mark = _mark_around(body)
    return "\n".join([mark, *(_lifted(line, depth) for line in body), mark]), end


def _fenced(lines: Sequence[str], start: int, fence: re.Match[str]) -> tuple[str, int]:
    mark, info = fence[2], fence[3].strip()
    end = next((p for p in range(start + 1, len(lines)) if _closes(lines[p], mark)), None)
    depth = _depth(fence[1])
    body = [_lifted(line, depth) for line in lines[start + 1 : len(lines) if end is None else end]]
    if mark.startswith("~") and "`" not in info:  # not every client knows tildes
        mark = _mark_around(body)
    closing = [] if end is None else [mark]  # a fence that is never closed reaches to the end
    return "\n".join([mark + info, *body, *closing]), len(lines) if end is None else end + 1


def _closes(line: str, mark: str) -> bool:
    stripped = line.strip()
    return stripped.startswith(mark) and not stripped.strip(mark[0])


def _mark_around(body: Sequence[str]) -> str:
    longest = max((len(run) for line in body for run in re.findall("`+", line)), default=0)
    return "`" * max(3, longest + 1)


def _indented_end(lines: Sequence[str], start: int) -> int:
    if _depth(lines[start]) < _DEEPER:
        return start
    above = next((lines[position] for position in range(start - 1, -1, -1) if lines[position].strip()), "")
    if not _ANNOUNCES.search(above) or is_fence(above):
        return start
    least, end = _depth(above) + _DEEPER, start
    for position in range(start, len(lines)):
        line = lines[position]
        if not line.strip():
            continue
        if _depth(line) < least or is_fence(line) or not _is_code(line):
            break
        end = position + 1
    return end


def _is_code(line: str) -> bool:
    if is_item(line):
        return False
    said = line.strip()
    is_command = not said[:1].isupper() and len(said.split()) <= _MOST_WORDS_OF_A_COMMAND
    return bool(_SIGN.search(line)) or (is_command and not _ENDS_LIKE_PROSE.search(said))


def _depth(line: str) -> int:
    indent = _INDENT.match(line)
    return len(indent[0].expandtabs(_DEEPER)) if indent else 0


def _lifted(line: str, depth: int) -> str:
    """Give a line without its first columns, as far as they are blank."""
    open_line = line.expandtabs(_DEEPER) if line[: len(line) - len(line.lstrip())].count("\t") else line
    return open_line[min(depth, len(open_line) - len(open_line.lstrip())) :].rstrip()
