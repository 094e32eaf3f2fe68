"""Addresses of sources as a person types them, and which hosts may be spoken to."""

import ipaddress
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

from bot.errors import SourceRefused

_FORM = re.compile(r"(zendesk|confluence)(\+http)?://|sql\+[a-z]+:", re.IGNORECASE)
# IPv6 networks that carry an IPv4 address in their last 32 bits.
_NAT64 = ipaddress.ip_network("64:ff9b::/96")


@dataclass(frozen=True, slots=True)
class SourceAddress:
    """`kind` is zendesk, confluence or sql; `scheme` https or http, for SQL the database; `path` has no slash at its end."""

    kind: str
    scheme: str
    host: str
    port: int | None
    path: str
    options: Mapping[str, str]
    user: str = ""

    @property
    def name(self) -> str:
        """What the source is called in reports and by its cursor; never holds a credential."""
        port = f":{self.port}" if self.port else ""
        return f"{self.kind}://{self.host}{port}{self.path}"

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}" + (f":{self.port}" if self.port else "")


def is_source(text: str) -> bool:
    """Whether this names a source and not a file."""
    return bool(_FORM.match(text))


def parse_address(text: str) -> SourceAddress:
    """Read `zendesk://HOST`, `confluence://HOST/wiki?space=A,B` or `sql+postgresql://USER@HOST/DATABASE`.

    Raises:
        SourceRefused: it names no host, holds a password, or is of no such form. The message never repeats it.
    """
    try:
        parts = urlsplit(text)
        kind, _, rest = parts.scheme.partition("+")
        host, port = parts.hostname or "", parts.port
        options = dict(parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query)))
    except ValueError:
        raise SourceRefused("the address of a source cannot be read; see README for its form") from None
    if parts.password is not None:
        raise SourceRefused("an address with a password is refused: others can read it; use the settings")
    if kind == "sql":
        if not host and rest != "sqlite":
            raise SourceRefused("the address of a database names no host")
        return SourceAddress(kind, rest, host, port, parts.path, options, parts.username or "")
    if not host or parts.username:
        raise SourceRefused(f"the address of a {kind} source is {kind}://HOST, with nothing before the host")
    return SourceAddress(kind, rest or "https", host, port, parts.path.rstrip("/"), options)


def is_allowed(host: str, allowed: Collection[str]) -> bool:
    """Whether the operator names this host as one to be spoken to wherever it stands."""
    return host.casefold().rstrip(".") in {name.casefold() for name in allowed}


def is_public(address: str) -> bool:
    """Whether an IP address belongs to the public network; those of metadata services, loopback and private nets do not."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour
        if inner is None and ip in _NAT64:
            inner = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
    return ip.is_global and not ip.is_multicast
