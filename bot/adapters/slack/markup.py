"""Making text safe for Slack: nothing in it can ping, link or format on its own.

Slack reads its `<…>` tokens also inside a `markdown` block; escaped brackets are shown as they were and never read again
(reported with the parsed messages in PostHog/posthog#95054). `&` stays except where it would decode to something else,
since link targets are not decoded.
"""

import re

from bot.adapters.slack.split import outside_fences
from bot.checks.closed_output import unlinked
from bot.checks.inert import with_brackets

_ENTITY = re.compile(r"&(?=(?:amp|lt|gt);)")
_EVERYBODY = re.compile(r"(?<!\w)@(?=(?:here|channel|everyone|group)\b)", re.IGNORECASE)
_INNER_GT = re.compile(r"(?m)(?<!^)(?<!^>)>")
_CODE = re.compile(r"(```.*?```|`[^`\n]{1,500}`)", re.DOTALL)
_LINE_END = re.compile(r"(?<=[^\s])[ ]{0,8}\n(?=[^\n])")
_IMAGE = re.compile(r"!\[([^\]\n]{0,300})\]\([^)\s]{0,2000}\)")
_LINK = re.compile(r"\[([^\]\n]{1,300}+)\]\(\s{0,3}+((?:[^)\s\]]{1,500}+|\](?!\()){1,20}+)[^)\n]{0,200}+\)")
_SPECIAL = re.compile(r"([\\`*_~\[\]#|])")
_UNSPECIAL = re.compile(r"\\([\\`*_~\[\]#|])")
_BOLD = re.compile(r"\*\*([^*\n]{1,500})\*\*")
# "a*b*c" and "__init__.py" are names, where Markdown sees emphasis; "**bold**" stays.
_INNER_STAR = re.compile(r"(?<=\w)\*(?=\w)")
_DUNDER = re.compile(r"(?<![\w\\])__([a-z0-9]+(?:_[a-z0-9]+)*)__(?![\w_])")
_ZERO_WIDTH = "\u200b"


def safe_markdown(text: str) -> str:
    """Give Markdown in which no Slack token, broadcast word, image or link survives; code and quotes stay.

    Links are written out, label and target: what is shown is where it leads.
    """
    text = outside_fences(text, lambda prose: _with_names(without_links(prose)))
    text = _ENTITY.sub("&amp;", with_brackets(text)).replace("<", "&lt;")
    return defanged(_INNER_GT.sub("&gt;", text))


def _with_names(text: str) -> str:
    """Keep the signs of names that Markdown would take for emphasis."""
    pieces = _CODE.split(text)
    pieces[::2] = [_DUNDER.sub(r"\\_\\_\1\\_\\_", _INNER_STAR.sub(r"\\*", piece)) for piece in pieces[::2]]
    return "".join(pieces)


def without_links(text: str) -> str:
    """Give prose with its links and images written out; what only looks like one of them is broken."""
    pieces = _CODE.split(text)  # every second piece is code: there a link is only characters
    pieces[::2] = [_written_out(piece) for piece in pieces[::2]]
    return "".join(pieces).replace("![", f"!{_ZERO_WIDTH}[").replace("](", f"]{_ZERO_WIDTH}(")


def _written_out(text: str) -> str:
    text = _IMAGE.sub(r"\1", text)
    return _LINK.sub(lambda m: m[1] if m[1] == m[2] else f"{m[1]} ({m[2]})", text)


def with_hard_breaks(markdown: str) -> str:
    """Keep the lines of the text apart: standard Markdown runs neighbouring lines together."""
    pieces = _CODE.split(markdown)
    pieces[::2] = [_LINE_END.sub("  \n", piece) for piece in pieces[::2]]
    return "".join(pieces)


def safe_literal(text: str) -> str:
    """Give text that is shown as it is, addresses in it as words: a title or a name inside our own Markdown."""
    one_line = " ".join(text.split())
    escaped = _ENTITY.sub("&amp;", with_brackets(one_line)).replace("<", "&lt;").replace(">", "&gt;")
    return defanged(_SPECIAL.sub(r"\\\1", unlinked(escaped)))


def defanged(text: str) -> str:
    """Break `@here` and its kin by an invisible character."""
    return _EVERYBODY.sub(f"@{_ZERO_WIDTH}", text)


def safe_url(url: str | None) -> str | None:
    """Give a link target that cannot end early or fake its label; None unless it is plain http(s)."""
    if not url or not re.match(r"https?://[^\s/]", url) or re.search(r"[\x00-\x20\x7f]", url):
        return None
    for character in '|<>()"`\\[]':
        url = url.replace(character, f"%{ord(character):02X}")
    return url


def as_mrkdwn(markdown: str) -> str:
    """Give Slack's own format of safe Markdown, for the `text` of a message: notifications and clients without blocks."""
    text = re.sub(r"\[([^\]\n]{1,300})\]\((https?://[^)\s]{1,2000})\)", r"<\2|\1>", markdown)
    return _UNSPECIAL.sub(r"\1", _BOLD.sub(r"*\1*", text)).replace("  \n", "\n")
