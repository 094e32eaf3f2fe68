"""Where a document comes from, as far as its fields tell: it makes what its text shows weigh more, and holds nothing back alone."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from retrieval.documents.document import PUBLIC, TICKET, Document
from retrieval.screening.markup import Found

# A host counts as the base's own from so many documents, or from this share of those with an address.
_USUAL_DOCUMENTS, _USUAL_SHARE = 3, 0.1
# Below so many addresses nothing is usual yet.
_FEWEST = 8


@dataclass(frozen=True, slots=True)
class Provenance:
    """What raises the risk of a text that shows signals.

    `is_foreign`: its address is on a host that the base hardly has. `is_from_outside`: it holds what a customer wrote.
    `is_nobodys`: no owner is named, though the base names owners. `is_public`: everybody may be shown it. `was_rejected`:
    a person rejected an earlier version.
    """

    is_foreign: bool = False
    is_from_outside: bool = False
    is_nobodys: bool = False
    is_public: bool = False
    was_rejected: bool = False

    def signals(self) -> Iterator[Found]:
        """Give reasons and weights. One weak signal of a text (0.5) and a foreign host reach the threshold together."""
        weights = (
            (self.was_rejected, "rejected_before", 0.5),
            (self.is_foreign, "foreign_host", 0.2),
            (self.is_from_outside, "customer_text", 0.1),
            (self.is_nobodys, "no_owner", 0.05),
            (self.is_public, "shown_to_everybody", 0.05),
        )
        yield from ((reason, weight) for holds, reason, weight in weights if holds)


@dataclass(frozen=True, slots=True)
class Usual:
    """What the documents of a base have in common. `hosts` is None while too few addresses are known."""

    hosts: frozenset[str] | None = None
    has_owners: bool = False


def host_of(url: str | None) -> str:
    """Give the host of an address in lower case; empty when there is none."""
    try:
        return (urlsplit(url).hostname or "").lower() if url else ""
    except ValueError:
        return ""


def usual_of(documents: Iterable[tuple[str | None, str]]) -> Usual:
    """Learn what is usual from the address and the owner of each document of a base."""
    hosts: Counter[str] = Counter()
    owned = total = 0
    for url, owner in documents:
        total += 1
        owned += bool(owner)
        if host := host_of(url):
            hosts[host] += 1
    known = hosts.total()
    usual = frozenset(host for host, n in hosts.items() if n >= _USUAL_DOCUMENTS or n >= _USUAL_SHARE * known)
    return Usual(usual if known >= _FEWEST else None, total >= _FEWEST and owned > total / 2)


def provenance_of(document: Document, usual: Usual, *, was_rejected: bool = False) -> Provenance:
    """Judge one document against its base."""
    host = host_of(document.url)
    return Provenance(
        is_foreign=usual.hosts is not None and bool(host) and host not in usual.hosts,
        is_from_outside=document.kind == TICKET and bool(document.question),
        is_nobodys=usual.has_owners and not document.owner,
        is_public=PUBLIC in document.visibility,
        was_rejected=was_rejected,
    )
