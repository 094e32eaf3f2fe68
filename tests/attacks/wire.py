"""Reads what was posted as the platforms read it: who is pinged, where a link leads, what is loaded.

Written apart from the product's own expressions, so that a hole in one of them is not a hole here too.
"""

import re
from dataclasses import dataclass
from html.parser import HTMLParser

# A Slack token acts wherever it stands, also inside a `markdown` block. https://docs.slack.dev/messaging/formatting-message-text
_SLACK_TOKEN = re.compile(r"<([!@#][^>]*)>?")
_SLACK_LINK = re.compile(r"<([a-zA-Z][a-zA-Z0-9+.-]*:[^>|]*)(?:\|[^>]*)?>")
_BROADCAST = re.compile(r"(?<![\w])@(?:here|channel|everyone|group)\b", re.IGNORECASE)
_TEAMS_TAG = re.compile(r"</?\s*(?:at|img|a|script|iframe|style|video|object|attachment)\b", re.IGNORECASE)
_IMAGE = re.compile(r"!\[[^\]]*\]\s?[\[(]")
_TARGET = re.compile(r"\]\(\s*<?([^)\s>]*)")
_REFERENCE = re.compile(r"^\s{0,3}\[[^\]\n]+\]:\s*(\S+)", re.MULTILINE)
_BARE = re.compile(r"(?:[a-zA-Z][a-zA-Z0-9+.-]*://|\bwww\.)[^\s<>|\"`“”«»]+")
_ENDS = ".,;:!?)]}*_'\"”»…"
_ESCAPED = re.compile(r"\\([\\`*_~\[\]#|])")


@dataclass(frozen=True, slots=True)
class Read:
    """What a reader's client would do with a text: whom it pings, what it loads, and where its links lead."""

    pings: tuple[str, ...]
    loads: tuple[str, ...]
    links: tuple[str, ...]


def read_slack(text: str) -> Read:
    """Read a `markdown` block, in which Slack's tokens act too."""
    pings = (*_SLACK_TOKEN.findall(text), *_BROADCAST.findall(text))
    return Read(pings, tuple(_IMAGE.findall(text)), (*_SLACK_LINK.findall(text), *markdown_links(text)))


def read_mrkdwn(text: str) -> Read:
    """Read a `text` in Slack's own format, which knows no Markdown: images and labels in brackets are only characters."""
    pings = (*_SLACK_TOKEN.findall(text), *_BROADCAST.findall(text))
    return Read(pings, (), (*_SLACK_LINK.findall(text), *_bare(text)))


def read_teams(text: str) -> Read:
    """Read a message with `textFormat` markdown: Teams also takes some HTML in it."""
    tags = _TEAMS_TAG.findall(text)
    pings = tuple(tag for tag in tags if tag.strip("</ ").casefold() == "at")
    loads = (*_IMAGE.findall(text), *(tag for tag in tags if tag not in pings))
    return Read((*pings, *_BROADCAST.findall(text)), loads, markdown_links(text))


def read_plain(text: str) -> Read:
    """Read a text that some other program may show as Markdown, or post on one of the platforms."""
    slack, teams = read_slack(text), read_teams(text)
    return Read((*slack.pings, *teams.pings), (*slack.loads, *teams.loads), (*slack.links, *teams.links))


def markdown_links(text: str) -> tuple[str, ...]:
    """Give the targets of links, and bare addresses that clients make links of; an escaped bracket opens no link."""
    shown = _ESCAPED.sub("", text)
    return (*_TARGET.findall(shown), *(t for t in _REFERENCE.findall(shown) if "//" in t), *_bare(text))


def _bare(text: str) -> tuple[str, ...]:
    return tuple(address.rstrip(_ENDS) for address in _BARE.findall(text))


class _Page(HTMLParser):
    """Collects what a page loads and where it leads."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag in {"img", "script", "iframe", "object", "embed", "style", "link", "video", "audio", "form", "svg"}:
            self.loads.append(tag)
        self.loads += [name for name in given if name.startswith("on") or name in {"style", "src"}]
        if "href" in given:
            self.links.append(given["href"] or "")


def read_html(page: str) -> Read:
    """Read a fragment of the playground."""
    parser = _Page()
    parser.feed(page)
    parser.close()
    return Read((), tuple(parser.loads), tuple(parser.links))
