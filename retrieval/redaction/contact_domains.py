"""Whose mail addresses in an article are published contacts: the domains that the articles' own pages are on.

`help.acme.com` tells that `acme.com` is the desk's own, `acme.zendesk.com` only that it is itself: the first label goes where
it names a kind of site. Without the list of public suffixes, so short endings (`co.uk`) and mail services never count.
"""

from collections.abc import Iterable
from urllib.parse import urlsplit

_SITES = frozenset(
    "www help docs doc support kb faq wiki portal hilfe ayuda aide pomoc dopomoga info learn guide guides manual hub desk helpdesk servicedesk".split()  # noqa: SIM905
)
# Where people have their mail, and where anybody may have a page.
_PEOPLES = frozenset(
    "gmail.com googlemail.com outlook.com hotmail.com live.com yahoo.com icloud.com me.com aol.com proton.me protonmail.com gmx.de gmx.net web.de "  # noqa: SIM905
    "t-online.de freenet.de ukr.net i.ua meta.ua bigmir.net mail.ru bk.ru list.ru inbox.ru yandex.ru ya.ru rambler.ru wp.pl o2.pl onet.pl interia.pl "
    "orange.fr free.fr laposte.net libero.it qq.com 163.com 126.com naver.com github.io gitlab.io pages.dev netlify.app vercel.app web.app "
    "blogspot.com wordpress.com medium.com notion.site readthedocs.io gitbook.io zendesk.com freshdesk.com atlassian.net intercom.help helpscoutdocs.com".split()
)
_SHORT = 3  # letters of a label that may belong to a public ending: co.uk, com.ua, org.pl


def contact_domains(addresses: Iterable[str | None]) -> tuple[str, ...]:
    """Give the domains whose mail addresses are contacts of the desk, sorted.

    Args:
        addresses: addresses of pages (`https://help.acme.com/reset`) or their hosts.
    """
    hosts = {_host(address) for address in addresses if address}
    return tuple(sorted({domain for host in hosts if (domain := _domain(host))}))


def _host(address: str) -> str:
    try:
        host = urlsplit(address if "//" in address else f"//{address}").hostname
    except ValueError:
        return ""
    return (host or "").rstrip(".")


def _domain(host: str) -> str:
    labels = host.split(".")
    if len(labels) > 2 and labels[0] in _SITES:
        labels = labels[1:]
    domain = ".".join(labels)
    is_ending = len(labels) == 2 and len(labels[1]) == 2 and len(labels[0]) <= _SHORT
    if len(labels) < 2 or is_ending or labels[-1].isdigit() or domain in _PEOPLES:
        return ""
    return domain
