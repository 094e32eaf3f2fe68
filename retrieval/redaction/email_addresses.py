"""Mail addresses, also encoded, in other scripts, and disguised with "(at)" and "dot"."""

import re
from collections.abc import Iterator, Sequence

from retrieval.redaction.spans import Span

# Both run from the sign outwards over at most 64 and 255 code points, so the whole search is linear.
_LOCAL = re.compile(r"[\w.!#$%&'*+/=?^`{|}~-]{1,64}$")
_DOMAIN = re.compile(
    r"(?<![^\W_])(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,8}(?:xn--[A-Za-z0-9-]{2,40}|[^\W\d_]{2,24})(?![\w-])"
)
# Where input methods for Chinese and Japanese put the ideographic full stop; it ends a sentence behind a whole address.
_IDEOGRAPHIC_DOMAIN = re.compile(
    r"(?<![^\W_])(?:[^\W_](?:[\w-]{0,61}[^\W_])?[.\u3002]){1,8}[a-zA-Z]{2,24}(?![A-Za-z0-9_-])"
)
_ADDRESS_LITERAL = re.compile(r"\[(?:IPv6:)?[0-9A-Fa-f.:]{3,45}\]")
_QUOTED_LOCAL = re.compile(r"\"[^\"\n@]{1,62}\"$")
_ENCODED = re.compile(r"(?i)[\w.+-]{1,64}%40(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}(?![\w-])")
_ALGORITHM_DOMAINS = frozenset({"openssh.com", "libssh.org", "lysator.liu.se"})  # `curve25519-sha256@libssh.org`
_AT = r"(?:\s?[(\[{<]\s?(?:at|@|ät|собака|собачка|arroba|małpa)\s?[)\]}>]\s?|\s(?:AT|\(at\)|собака|собачка|arroba|małpa)\s)"
_DOT = r"(?:\s?[(\[{<]\s?(?:dot|\.|punkt|точка|крапка|punto|kropka)\s?[)\]}>]\s?|\s(?:DOT|dot|punkt|точка|крапка|punto|kropka)\s|\.)"
_DISGUISED = re.compile(
    rf"(?i:(?<![\w.+-])[\w.+-]{{1,64}}(?:{_DOT}[\w+-]{{1,64}}){{0,3}})(?:{_AT}|(?i:\s{{1,2}}at\s{{1,2}}(?=[\w-]{{1,63}}\s(?:dot|punkt|точка|крапка)\s)))[\w-]{{1,63}}(?:{_DOT}[\w-]{{2,63}}){{1,4}}"
)
_DISGUISE = re.compile(r"(?i)[(\[{<\s](?:at|ät|собака|собачка|arroba|małpa)[)\]}>\s]")


def email_addresses(text: str, own_domains: Sequence[str]) -> Iterator[Span]:
    """Find mail addresses, but none at a domain of the tenant (or below it)."""
    at = text.find("@")
    while at >= 0:
        is_worth = text[at + 1 : at + 2].isalnum() or text[at + 1 : at + 2] == "["
        if is_worth and (span := _around(text, at)) and not _is_own(text[at + 1 : span[1]], own_domains):
            yield Span("EMAIL", *span)
        at = text.find("@", at + 1)
    if "%40" in text:
        for match in _ENCODED.finditer(text):
            if not _is_own(match[0].rpartition("%40")[2], own_domains):
                yield Span("EMAIL", *match.span())
    if _DISGUISE.search(text):
        yield from (Span("EMAIL", *match.span()) for match in _DISGUISED.finditer(text))


def _around(text: str, at: int) -> tuple[int, int] | None:
    before = text[max(0, at - 64) : at]
    local = _QUOTED_LOCAL.search(before) if before.endswith('"') else _LOCAL.search(before)
    domain = next(
        (found for form in (_DOMAIN, _IDEOGRAPHIC_DOMAIN, _ADDRESS_LITERAL) if (found := form.match(text, at + 1))),
        None,
    )
    if not local or not domain:
        return None
    name = local[0]
    # Signs that are legal in an address but far likelier belong to what stands around it.
    skipped = len(name) - len(name.lstrip("'`*{|}/=?&!#$%^~.-"))
    for separator in "=|/&?":
        skipped = max(skipped, name.rfind(separator) + 1)
    start = at - len(name) + skipped
    # `ssh://user@host`, `git@host:path` and `$VARIABLE@host` name an account on a machine.
    if skipped == len(name) or text[start - 1 : start] == "$" or text[max(0, start - 3) : start] == "://":
        return None
    if (name[skipped:] == "git" and text[domain.end() : domain.end() + 1] == ":") or domain[0] in _ALGORITHM_DOMAINS:
        return None
    return start, domain.end()


def _is_own(domain: str, own_domains: Sequence[str]) -> bool:
    name = domain.lower().replace("\u3002", ".")
    return any(name == own or name.endswith(f".{own}") for own in own_domains)
