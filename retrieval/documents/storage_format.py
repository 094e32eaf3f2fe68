"""Confluence's storage format (XHTML with macros) to the text that chunking reads."""

import html
import re

from bs4 import Tag

from retrieval.documents.html import parse_html, soup_to_text

_CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
# Settings of macros, pictures, people and states: nothing that a reader of the page reads.
_SILENT = ("ac:parameter", "ac:image", "ac:emoticon", "ac:task-id", "ac:task-status", "ac:placeholder", "ri:user")
_RENAMED = {
    "ac:plain-text-body": "pre",
    "ac:rich-text-body": "div",
    "ac:layout": "div",
    "ac:layout-section": "div",
    "ac:layout-cell": "div",
    "ac:task-list": "ul",
    "ac:task": "li",
    "ac:task-body": "span",
}


def storage_to_text(storage: str) -> str:
    """Give the text of a page in storage format.

    Macros that show text (code, panels, expand, layouts, tasks) keep it; links to pages without words of their own read as the
    page's title; what other macros would fetch is not there.

    Raises:
        NotText: the page is a bomb.
    """
    soup = parse_html(_CDATA.sub(lambda match: html.escape(match[1]), storage))
    for heading in soup.find_all("h1"):  # the page's title stands apart; a first-level heading is a section
        heading.name = "h2"
    for tag in soup.find_all("ac:parameter"):
        if tag.get("ac:name") == "title":  # of a panel or an expander: the line above its text
            tag.name = "p"
    for tag in soup.find_all(list(_SILENT)):
        tag.decompose()
    for link in soup.find_all("ac:link"):
        _name_link(link)
    for moment in soup.find_all("time"):
        moment.string = str(moment.get("datetime") or "")
    for tag in soup.find_all(list(_RENAMED)):
        tag.name = _RENAMED[tag.name]
    return soup_to_text(soup)[1]


def _name_link(link: Tag) -> None:
    if link.get_text(strip=True):
        return
    target = link.find(["ri:page", "ri:blog-post", "ri:attachment"])
    if isinstance(target, Tag):
        link.string = str(target.get("ri:content-title") or target.get("ri:filename") or "")
