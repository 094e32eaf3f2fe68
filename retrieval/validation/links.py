"""Links within a base that lead to no document of it. Links to elsewhere are never followed."""

import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

from retrieval.documents import Document

_LINK = re.compile(
    r"\[[^\]\n]{0,200}+\]\(\s{0,8}+(?:<([^>\n]{1,500}+)>|([^)\s>]{1,500}+))[^)\n]{0,100}+\)|href=[\"']([^\"']{1,500})[\"']"
)
_FILE = re.compile(r"\.(?:md|markdown|mdx|html?|txt|rst)$", re.IGNORECASE)
_OTHER = ("mailto:", "tel:", "data:", "javascript:", "//")
# Beside the pages of the base a host has others; only in a folder of many known pages a missing one is telling.
_SIBLINGS = 3


def dead_links(documents: Sequence[Document], base: Sequence[Document]) -> Iterator[tuple[Document, str]]:
    """Give every link of the documents that leads to where no document of the base is.

    Args:
        documents: those whose links are looked at.
        base: all that a link may lead to, also what is replaced.
    """
    known = _Known.of(base)
    for document in documents:
        for target in dict.fromkeys("".join(groups) for groups in _LINK.findall(document.evidence)):
            if known.is_dead(target, document):
                yield document, target


@dataclass(frozen=True, slots=True)
class _Known:
    """What links may name: ids, places of files without their ending, and pages, all in small letters."""

    ids: frozenset[str]
    places: frozenset[str]
    names: frozenset[str]
    pages: frozenset[str]
    hosts: frozenset[str]

    @classmethod
    def of(cls, base: Sequence[Document]) -> Self:
        pages = frozenset(_page(document.url) for document in base if document.url)
        ids = frozenset(document.id.casefold() for document in base)
        places = frozenset(_stem(document.place) for document in base if document.place)
        names = frozenset(posixpath.basename(name) for name in (*ids, *places))
        return cls(ids, places, names, pages, frozenset(urlsplit(page).netloc for page in pages))

    def is_dead(self, target: str, document: Document) -> bool:
        """Say whether a link of the document leads to where a document should be and none is."""
        plain = urldefrag(target).url
        if not plain or plain.casefold().startswith(_OTHER):
            return False
        if urlsplit(plain).scheme in ("http", "https"):
            return self._misses_page(plain)
        path = unquote(plain.partition("?")[0])
        if not _FILE.search(path) or (document.url and _page(urljoin(document.url, plain)) in self.pages):
            return False
        return self._misses_file(path, document)

    def _misses_page(self, address: str) -> bool:
        page, without = _page(address), _page(address.partition("?")[0])
        if {page, without} & self.pages or urlsplit(page).netloc not in self.hosts:
            return False
        folder = without.rsplit("/", 1)[0]
        return sum(each.rsplit("/", 1)[0] == folder for each in self.pages) >= _SIBLINGS

    def _misses_file(self, path: str, document: Document) -> bool:
        if path.startswith("/"):  # from the root of a site, of which the folder that was read may be a part
            return posixpath.basename(_stem(path)) not in self.names
        here = document.place or document.id
        led = posixpath.normpath(posixpath.join(posixpath.dirname(here), path)).casefold()
        if led.startswith("../"):  # out of the folder that was read
            return False
        stem = _stem(led)
        if stem in self.places or {led, stem, posixpath.basename(stem)} & self.ids:
            return False
        # Without a place the id alone tells where a document lies, and only one that is a path does.
        return bool(document.place) or "/" in document.id


def _stem(path: str) -> str:
    """Give a path without its ending: pages are linked as `.md` and as the `.html` that is made of it."""
    return posixpath.splitext(path)[0].casefold()


def _page(address: str) -> str:
    return _FILE.sub("", unquote(urldefrag(address).url)).rstrip("/").casefold()
