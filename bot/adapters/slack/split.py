"""Cutting a long answer into messages: whole, in order, every code fence closed and opened again."""

import re
from collections.abc import Callable

LIMIT = 11_500  # Slack takes 12,000 characters of Markdown in one message; the rest is for what we add
# Behind backticks that open a fence there are no others; tildes may stand there.
_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`\n]*$)|~{3,})([^\n]*)")


def size(text: str) -> int:
    """Count as the strictest reader would: UTF-16 units."""
    return len(text.encode("utf-16-le", "replace")) // 2


def split_markdown(text: str, limit: int = LIMIT) -> list[str]:
    """Cut text into parts of at most `limit` UTF-16 units, between paragraphs or lines where there are any."""
    if size(text) <= limit:
        return [text] if text.strip() else []
    parts: list[str] = []
    part = _Part()
    for line in _lines(text, limit // 2):
        while part.size_with(line) > limit and part.has_content:
            done, part = part.cut(limit)
            parts.append(done)
        part.add(line)
    return [done for done in (*parts, part.text()) if done.strip()]


def outside_fences(text: str, change: Callable[[str], str]) -> str:
    """Change what stands outside fenced code.

    Code between backticks inside a line counts as outside: which pair encloses what depends on all backticks before it.
    """
    part, kept, prose = _Part(), [], list[str]()
    for line in text.split("\n"):
        was_open = bool(part.fence)
        part.add(line)
        if not (was_open or part.fence):
            prose.append(line)
            continue
        if prose:
            kept.append(change("\n".join(prose)))
            prose = []
        kept.append(line)
    return "\n".join([*kept, *([change("\n".join(prose))] if prose else [])])


def closed_fence(text: str) -> str:
    """Close a code fence that a text leaves open, or what follows it would become code."""
    part = _Part(text.split("\n"))
    return part.text() if part.fence else text


def _lines(text: str, longest: int) -> list[str]:
    """Give the lines, those that fit nowhere cut at a space or, without one, anywhere."""
    lines: list[str] = []
    for line in text.split("\n"):
        rest = line
        while size(rest) > longest:
            head = rest[: longest // 2]  # a character is at most two units
            space = head.rfind(" ")
            cut = space + 1 if space > len(head) // 2 else len(head)
            lines.append(rest[:cut])
            rest = rest[cut:]
        lines.append(rest)
    return lines


class _Part:
    """Lines of one message, with the fence that is open at their end."""

    def __init__(self, lines: list[str] | None = None) -> None:
        self.lines: list[str] = []
        self.fence = ""  # the opening line of the open fence
        self.paragraph_end = 0  # number of lines up to the last blank one outside code
        self.size = 0
        for line in lines or ():
            self.add(line)

    @property
    def has_content(self) -> bool:
        """Whether there is more than the fence that was opened again."""
        return len(self.lines) > (1 if self.fence else 0)

    def add(self, line: str) -> None:
        self.lines.append(line)
        self.size += size(line) + 1
        self.fence = self._fence_after(line)
        if not line.strip() and not self.fence:
            self.paragraph_end = len(self.lines)

    def size_with(self, line: str) -> int:
        """Give the size with one more line, and the fence closed that is open then."""
        return self.size + size(line) + _closing_size(self._fence_after(line))

    def _fence_after(self, line: str) -> str:
        mark = _FENCE.match(line)
        if not self.fence:
            return line if mark else ""
        is_end = mark is not None and not mark[2].strip() and mark[1].startswith(_closing(self.fence))
        return "" if is_end else self.fence

    def cut(self, limit: int) -> tuple[str, "_Part"]:
        """Give the finished text, and the part that goes on: from the last paragraph when that is in the second half."""
        head = self.lines[: self.paragraph_end]
        if sum(size(line) + 1 for line in head) > limit // 2:
            return "\n".join(head).rstrip("\n"), _Part(self.lines[self.paragraph_end :])
        return self.text(), _Part([self.fence] if self.fence else None)

    def text(self) -> str:
        """Give the text with an open fence closed."""
        return "\n".join([*self.lines, _closing(self.fence)] if self.fence else self.lines).rstrip("\n")


def _closing_size(opening: str) -> int:
    return size(_closing(opening)) + 1 if opening else 0


def _closing(opening: str) -> str:
    mark = _FENCE.match(opening)
    return mark[1] if mark else ""
