"""What an HTML page holds and does not show its reader: for the person who decides about a page that was held back."""

import re
from collections.abc import Iterator

from bs4 import BeautifulSoup, Comment, Tag

_HIDDEN = re.compile(
    r"(?i)(?P<none>display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0?\.?0*(?=\s*(?:;|!|\Z))|content-visibility\s*:\s*hidden)"
    r"|(?P<tiny>font(?:-size)?\s*:[^;]{0,40}?(?<![\w.])(?:[0-2](?:\.\d{1,4})?(?:px|pt|%)|0?\.[0-2]\d{0,4}(?:px|pt|%|r?em|ex|v[wh])|0(?=\s*(?:;|/|!|\Z|\s)))"
    r"|(?<![-\w])(?:max-)?(?:height|width)\s*:\s*[01](?:px)?(?=\s*(?:;|!|\Z)))"
    r"|(?P<away>(?:left|top|right|bottom|text-indent|margin-left|margin-top)\s*:\s*-\d{3,6}\w{0,3}|clip(?:-path)?\s*:\s*(?:rect|inset)\s*\(|transform\s*:\s*scale\s*\(\s*0)"
    r"|(?P<color>(?<![-\w])color\s*:\s*(?:transparent|white\b|\#f{3,8}\b|rgba?\(\s*255\s*,\s*255\s*,\s*255|rgba\([^)]{0,60},\s*0?\.?0+\s*\)))"
)
_TOLD = {
    "none": "an element that is not shown",
    "tiny": "text too small to be read",
    "away": "text outside the page",
    "color": "text in the colour of the page",
}
_DARK = re.compile(r"(?i)background(?:-color)?\s*:\s*(?!white|#f{3,6}\b|none|transparent|rgba?\(\s*255)")
_ATTRIBUTES = ("title", "alt", "aria-label", "data-original-title", "summary", "placeholder")
_MOST, _FEW_WORDS = 40, 2


def unshown_in(soup: BeautifulSoup) -> tuple[str, ...]:
    """Give each text of a page that its reader does not see, behind a name for the way it is hidden; at most forty."""
    found = dict.fromkeys(f"{how}: {' '.join(text.split())}" for how, text in _texts(soup) if text.strip())
    return tuple(found)[:_MOST]


def _texts(soup: BeautifulSoup) -> Iterator[tuple[str, str]]:
    for comment in soup.find_all(string=lambda text: isinstance(text, Comment)):
        if len(comment.split()) > _FEW_WORDS:
            yield "a comment", str(comment)
    for tag in soup.find_all(True):
        if not isinstance(tag, Tag):
            continue
        if how := _hidden_by(tag):
            yield how, tag.get_text(" ", strip=True)
        for name in _ATTRIBUTES:
            text = str(tag.get(name) or "")
            if len(text.split()) > _FEW_WORDS:
                yield f"the attribute {name}", text


def _hidden_by(tag: Tag) -> str:
    if tag.has_attr("hidden"):
        return _TOLD["none"]
    style = str(tag.get("style") or "")
    match = _HIDDEN.search(style)
    if match is None:
        size = str(tag.get("size") or "")
        if tag.name == "font" and (
            size in ("0", "-7") or str(tag.get("color") or "").casefold() in ("white", "#fff", "#ffffff")
        ):
            return _TOLD["tiny" if size else "color"]
        return (
            "text that is kept from screen readers"
            if tag.get("aria-hidden") == "true" and tag.get_text(strip=True)
            else ""
        )
    if match.lastgroup == "color" and _DARK.search(style):  # white letters on a dark ground
        return ""
    return _TOLD[str(match.lastgroup)]
