"""The redactor: canonical text, finders in a fixed order of claims, tokens in place of what they found."""

import re
from collections.abc import Iterable, Iterator, Sequence

import phonenumbers

from retrieval.redaction.checksums import is_iban, passes_luhn
from retrieval.redaction.redacted_text import RedactedText
from retrieval.redaction.spans import CLAIMED, Finder, Redaction, Span

VERSION = "0"
PHONE_REGIONS = ("UA", "RU", "DE", "PL", "GB", "US")

_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,8}\w{2,24}")
_URL = re.compile(r"https?://[^\s<>\"']{1,2000}")
_IBAN = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){11,30}(?![A-Za-z0-9])")
_CARD = re.compile(r"(?<![\d.])[2-6]\d{3}(?:[ -]?\d){8,15}(?!\d)")
_SECRET = re.compile(r"(?:sk-|xox[abp]-|ghp_|AKIA)[A-Za-z0-9_-]{12,200}")
_KEYWORD = re.compile(r"(?i)\b(?:password|passwort|пароль|pin)\b\s{0,3}[:=]\s{0,3}(\S{4,100})")
_IP = re.compile(r"(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])")


def _matches(type_: str, pattern: re.Pattern[str], text: str, group: int = 0) -> Iterator[Span]:
    for match in pattern.finditer(text):
        yield Span(type_, match.start(group), match.end(group))


def _ibans(text: str) -> Iterator[Span]:
    for match in _IBAN.finditer(text):
        if is_iban(re.sub(r"[ -]", "", match[0])):
            yield Span("IBAN", *match.span())


def _cards(text: str) -> Iterator[Span]:
    for match in _CARD.finditer(text):
        if passes_luhn(re.sub(r"\D", "", match[0])):
            yield Span("CARD", *match.span())


class Redactor:
    """Takes personal data out of text.

    Pure and safe to share between threads. The same text always gives the same redaction, and redacting a redacted
    text changes nothing.

    Args:
        phone_regions: ISO 3166 codes of the countries whose national phone formats are looked for.
        own_domains: domains of the tenant; mail addresses there (`support@example.com`) are published and stay.
        own_id_patterns: expressions of ids that must survive (tickets, articles, orders), beside the built-in ones.
    """

    def __init__(
        self,
        *,
        phone_regions: Sequence[str] = PHONE_REGIONS,
        own_domains: Sequence[str] = (),
        own_id_patterns: Sequence[str] = (),
    ) -> None:
        self._regions = tuple(phone_regions)
        self._own_domains = tuple(domain.lower() for domain in own_domains)
        self._own_ids = tuple(re.compile(pattern) for pattern in own_id_patterns)

    @property
    def version(self) -> str:
        """Identity of rules and settings; a change of it makes an index stale."""
        return f"{VERSION}:{','.join(self._regions)}"

    def redact(self, text: str, *, names: Sequence[str] = ()) -> Redaction:
        """Replace personal data by typed tokens.

        Args:
            text: any text.
            names: names known from fields beside the text (requester of a ticket, display names of a thread).
        """
        spans: list[Span] = []
        masked = text
        for finder in self._finders(names):
            found = [span for span in finder(masked) if CLAIMED not in masked[span.start : span.end]]
            for span in found:
                masked = masked[: span.start] + CLAIMED * (span.end - span.start) + masked[span.end :]
            spans += [span for span in found if span.type]
        spans.sort(key=lambda span: span.start)
        return Redaction(RedactedText.stored("".join(_render(text, spans))), tuple(spans))

    def _finders(self, names: Sequence[str]) -> Iterator[Finder]:
        for pattern in self._own_ids:
            yield lambda text, pattern=pattern: _matches("", pattern, text)  # type: ignore[misc]
        yield lambda text: _matches("SECRET", _SECRET, text)
        yield lambda text: _matches("SECRET", _KEYWORD, text, 1)
        yield self._emails
        yield lambda text: _matches("", _URL, text)
        yield _ibans
        yield _cards
        yield lambda text: _matches("IP", _IP, text)
        yield self._phones
        for name in names:
            if len(name) > 1:
                yield lambda text, name=name: _matches("NAME", re.compile(rf"(?<!\w){re.escape(name)}(?!\w)"), text)  # type: ignore[misc]

    def _emails(self, text: str) -> Iterator[Span]:
        for match in _EMAIL.finditer(text):
            if not match[0].lower().endswith(tuple(f"@{domain}" for domain in self._own_domains)):
                yield Span("EMAIL", *match.span())

    def _phones(self, text: str) -> Iterator[Span]:
        seen: set[int] = set()
        for region in self._regions:
            for match in phonenumbers.PhoneNumberMatcher(text, region, leniency=phonenumbers.Leniency.STRICT_GROUPING):
                if match.start not in seen:
                    seen.add(match.start)
                    yield Span("PHONE", match.start, match.end)


def _render(text: str, spans: Iterable[Span]) -> Iterator[str]:
    position = 0
    for span in spans:
        yield text[position : span.start]
        yield span.token
        position = span.end
    yield text[position:]
