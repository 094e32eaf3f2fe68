"""The redactor: canonical text, finders in a fixed order of claims, tokens in place of what they found."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from typing import Self

from retrieval.redaction.bank_numbers import cards, ibans
from retrieval.redaction.canonical import Offsets, canonical, folded, original_span, visible
from retrieval.redaction.cued_names import cued_names, mailed_names
from retrieval.redaction.email_addresses import email_addresses
from retrieval.redaction.ip_addresses import ip_addresses
from retrieval.redaction.known_names import known_names, signed_names
from retrieval.redaction.masks import addresses, places, tokens
from retrieval.redaction.national_ids import national_ids
from retrieval.redaction.phones import phones
from retrieval.redaction.redacted_text import RedactedText
from retrieval.redaction.secret_tokens import secret_tokens
from retrieval.redaction.secret_values import secret_values
from retrieval.redaction.sign_offs import sign_offs
from retrieval.redaction.spans import CLAIMED, Finder, Redaction, Span
from retrieval.redaction.tokens import TOKEN, mark_of

VERSION = "6"
PHONE_REGIONS = ("UA", "RU", "DE", "PL", "GB", "US")
# Each round but the last replaces something, so it ends; two rounds are usual, a fourth was never seen to find more.
_MOST_ROUNDS = 16
# Of what came out of redaction so many texts of so many characters are known again, at most 5 MB.
_MOST_KEPT, _SHORT = 4096, 600


class Redactor:
    """Takes personal data out of text.

    Pure and safe to share between threads. The same text always gives the same redaction, and redacting a redacted
    text changes nothing. Invisible code points (tags, bidi controls, zero-width) are removed on the way.

    Args:
        phone_regions: ISO 3166 codes of the countries whose national phone formats are looked for.
        own_domains: domains of the tenant; mail addresses there (`support@example.com`) are published and stay.
        own_id_patterns: expressions of ids that must survive (tickets, articles, orders), beside the built-in ones.
        hidden_ids: expressions of the desk's own ids that must go, by name: `{"CUSTOMER": "K-[0-9]{8}"}` gives `[ID_CUSTOMER]`.
            They and the patterns come from `checked_pattern`; nothing here bounds what a bad one costs.
        key: secret of the installation that `marked` needs.
    """

    def __init__(
        self,
        *,
        phone_regions: Sequence[str] = PHONE_REGIONS,
        own_domains: Sequence[str] = (),
        own_id_patterns: Sequence[str] = (),
        hidden_ids: Mapping[str, str] | None = None,
        key: bytes = b"",
    ) -> None:
        self._regions = tuple(region.upper() for region in phone_regions)
        self._own_domains = tuple(domain.lower().lstrip("@.") for domain in own_domains)
        self._own_ids = tuple(re.compile(pattern) for pattern in own_id_patterns)
        self._hidden_ids = tuple((name, re.compile(pattern)) for name, pattern in sorted((hidden_ids or {}).items()))
        self._key = key
        self._stable: set[str] = set()

    @property
    def version(self) -> str:
        """Identity of rules and settings; a change of it makes an index stale."""
        kept = [pattern.pattern for pattern in self._own_ids]
        hidden = [(name, pattern.pattern) for name, pattern in self._hidden_ids]
        settings = repr((self._regions, self._own_domains, kept, *([hidden] if hidden else [])))
        return f"{VERSION}-{hashlib.sha256(settings.encode()).hexdigest()[:8]}"

    @property
    def own_domains(self) -> tuple[str, ...]:
        """Domains of the tenant, as given."""
        return self._own_domains

    def beside(self, domains: Sequence[str]) -> Self:
        """Give a redactor that also leaves the addresses of these domains, with everything else the same."""
        other = copy(self)
        other._own_domains = tuple(dict.fromkeys((*self._own_domains, *domains)))  # noqa: SLF001 - a copy of ourselves
        other._stable = set()  # noqa: SLF001
        return other

    def redact(self, text: str, *, names: Sequence[str] = (), own_domains: Sequence[str] | None = None) -> Redaction:
        """Replace personal data by typed tokens.

        Args:
            text: any text.
            names: names known from fields beside the text (requester of a ticket, display names of a thread).
            own_domains: domains whose mail addresses stay in this text, instead of the redactor's own.

        Returns:
            The redacted text and the places of the original that were replaced, in order, without overlaps.
        """
        is_usual = not names and own_domains is None
        if is_usual and text in self._stable:
            return Redaction(RedactedText.stored(text), ())
        current, _, spans = self._replaced(text, names, own_domains)
        if is_usual and len(current) <= _SHORT:
            self._keep(current)
        return Redaction(RedactedText.stored(current), spans)

    def _keep(self, redacted: str) -> None:
        """Remember what would not change any more: a model's sentence is sealed when it is read and once more when it is checked."""
        if len(self._stable) >= _MOST_KEPT:
            self._stable = set()
        self._stable.add(redacted)

    def marked(self, text: str, *, thread: str, names: Sequence[str] = ()) -> RedactedText:
        """Redact a person's message so that equal values of the thread can be told: `[EMAIL#…]` (`retrieval.redaction.tokens`).

        No address stays, those of the tenant's own domains neither: here they are colleagues. Without a key no token is
        marked.

        Args:
            text: any text; tokens in it stay as they are.
            thread: key of the thread; without one no token is marked either.
            names: as for `redact`.
        """
        current, origins, spans = self._replaced(text, names, ())
        found = {span.start: span for span in spans} if self._key and thread else {}

        def shown(token: re.Match[str]) -> str:
            span = found.get(origins[token.start()])
            mark = self._mark(span, text, thread) if span and not (token[2] or token[3]) else ""
            return f"[{token[1]}#{mark}]" if mark else token[0]

        return RedactedText.stored(TOKEN.sub(shown, current))

    def _mark(self, span: Span, text: str, thread: str) -> str:
        value, _ = canonical(text[span.start : span.end])
        return mark_of(span.token[1:-1], value, thread=thread, key=self._key)

    def _replaced(
        self, text: str, names: Sequence[str], own_domains: Sequence[str] | None
    ) -> tuple[str, Offsets, tuple[Span, ...]]:
        current, origins = visible(text)
        spans: list[Span] = []
        finders = self._finders(names, self._own_domains if own_domains is None else own_domains)
        # A token may complete what stands around it ("call [NAME] 555 01 00"), so the result is looked at again until
        # nothing is found: that is what makes redaction idempotent.
        for _ in range(_MOST_ROUNDS):
            found = _claims(current, finders)
            if not found:
                break
            spans += [Span(span.type, *original_span(origins, span.start, span.end)) for span in found]
            current, origins = _replaced(current, origins, found)
        return current, origins, tuple(sorted(spans, key=lambda span: span.start))

    def _finders(self, names: Sequence[str], own_domains: Sequence[str]) -> tuple[Finder, ...]:
        return (
            tokens,
            self._own_id_places,
            self._hidden_id_places,
            secret_tokens,
            secret_values,
            lambda text: email_addresses(text, own_domains),
            mailed_names,
            addresses,
            ibans,
            cards,
            national_ids,
            places,
            ip_addresses,
            lambda text: phones(text, self._regions),
            lambda text: known_names(text, names) if names else (),
            signed_names,
            cued_names,
            sign_offs,
        )

    def _own_id_places(self, text: str) -> Iterator[Span]:
        for pattern in self._own_ids:
            for match in pattern.finditer(text):
                yield Span("", *match.span())

    def _hidden_id_places(self, text: str) -> Iterator[Span]:
        for name, pattern in self._hidden_ids:
            for match in pattern.finditer(text):
                yield Span(f"ID_{name}", *match.span())


def _claims(text: str, finders: Iterable[Finder]) -> list[Span]:
    """Give what the finders claim in visible text, each place by the first that wants it, in the order of the text."""
    masked, offsets = folded(text)
    claimed: list[Span] = []
    for finder in finders:
        found = list(finder(masked))
        if not found:
            continue
        found = _without_overlap(found, masked)
        masked = _fill(masked, found)
        claimed += [Span(span.type, *original_span(offsets, span.start, span.end)) for span in found if span.type]
    return sorted(claimed, key=lambda span: span.start)


def _without_overlap(spans: Iterable[Span], masked: str) -> list[Span]:
    kept: list[Span] = []
    end = 0
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if span.start >= end and span.end > span.start and CLAIMED not in masked[span.start : span.end]:
            kept.append(span)
            end = span.end
    return kept


def _fill(masked: str, spans: Sequence[Span]) -> str:
    if not spans:
        return masked
    parts, position = [], 0
    for span in spans:
        parts += [masked[position : span.start], CLAIMED * (span.end - span.start)]
        position = span.end
    return "".join((*parts, masked[position:]))


def _replaced(text: str, origins: Offsets, spans: Sequence[Span]) -> tuple[str, Offsets]:
    """Put tokens in; each code point of a token stands for the whole value in the offsets."""
    parts, offsets, position = [], list[int](), 0
    for span in spans:
        parts += [text[position : span.start], span.token]
        offsets.extend(origins[position : span.start])
        offsets.extend([origins[span.start]] * len(span.token))
        position = span.end
    parts.append(text[position:])
    offsets.extend(origins[position:])
    return "".join(parts), offsets
