"""IP addresses of people: public ones. Loopback, private, documentation and well-known resolver addresses stay."""

import ipaddress
import re
from collections.abc import Iterator

from retrieval.redaction.spans import Span

_V4 = re.compile(r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w])(?!\.\d)(?:/(?:3[0-2]|[12]?\d)(?![\w/]))?")
_V6 = re.compile(
    r"(?<![\w:.])(?=[0-9a-fA-F:]{0,5}:)[0-9a-fA-F:]{2,41}(?:(?<=:)(?:\d{1,3}\.){3}\d{1,3})?"
    r"(?:%\w{1,16})?(?![\w:])(?!\.\d)(?:/\d{1,3}(?!\w))?"
)
_ADDRESS_WORD = re.compile(
    r"(?i)(?<![^\W_])(?:ip(?:v4|s)?|addr\w{0,6}|host|from|login|logged in|client ip|src|dst|source|ping|адрес\w{0,3}|хост\w?|"
    r"з|из|с|від|от|von|adresse)(?![^\W_])[^\d\n\ufffc]{0,16}$"
)
# Loopback, private, link-local, documentation, shared (RFC 6598), benchmarks, local multicast, netmasks: IANA's
# special-purpose registries, written out because the `ipaddress` module changes its mind between Python releases.
_NOBODYS = tuple(
    ipaddress.ip_network(network)
    for network in (
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/24",
        "239.255.0.0/16", "255.0.0.0/8", "::/127", "::ffff:0:0/96", "100::/64", "2001:db8::/32",
        "3fff::/20", "fc00::/7", "fe80::/10", "ff00::/8",
    )
)  # fmt: skip
# Public resolvers: names of services, not of people, and they stand in many articles.
_RESOLVERS = frozenset(
    {"8.8.8.8", "8.8.4.4", "1.1.1.1", "1.0.0.1", "9.9.9.9", "149.112.112.112", "208.67.222.222", "208.67.220.220"}
)


def ip_addresses(text: str) -> Iterator[Span]:
    """Find public IPv4 and IPv6 addresses, with the length of a network behind them."""
    for match in _V4.finditer(text):
        address = match[0].partition("/")[0]
        if address not in _RESOLVERS and _is_personal(address) and not _is_version(text, match):
            yield Span("IP", *match.span())
    if "::" in text or text.count(":") > 5:
        yield from _v6(text)


def _v6(text: str) -> Iterator[Span]:
    for match in _V6.finditer(text):
        start, end = match.span()
        address = match[0].partition("/")[0].partition("%")[0]
        if address.endswith(":") and not address.endswith("::"):
            address, end = address[:-1], start + len(address) - 1
        if any(letter.isdigit() for letter in address) and _is_personal(address):
            yield Span("IP", start, end)


def _is_personal(address: str) -> bool:
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(parsed, ipaddress.IPv6Address) and parsed.ipv4_mapped:
        parsed = parsed.ipv4_mapped
    return not any(parsed in network for network in _NOBODYS if network.version == parsed.version)


def _is_version(text: str, match: re.Match[str]) -> bool:
    """Whether it is rather a version ("fix pack 8.0.0.15"): small first numbers and no word of an address before it.

    One public address in 250 begins so; of the four-part versions in the TechQA articles all do.
    """
    first, second, *_ = match[0].split(".")
    if re.search("[A-Za-z]/$", text[max(0, match.start() - 2) : match.start()]):
        return True  # `Server: Apache/2.4.58.1`
    if int(first) > 25 or int(second) > 9:
        return False
    word = _ADDRESS_WORD.search(text[max(0, match.start() - 32) : match.start()])
    return word is None or (match[0].endswith(".0") and "from" in word[0].lower())
