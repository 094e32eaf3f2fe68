"""What may never leave: mentions, images, and addresses that stand in no cited source."""

import re
from collections.abc import Iterable
from urllib.parse import unquote, urlsplit

# Slack's and Teams' wire forms of a ping, and the bare words that clients turn into one.
_MENTION = re.compile(
    r"<[!@#][^<>]{0,200}(?:>|(?=<)|$)|</?at\b[^<>]{0,100}>|(?<!\w)@(?:here|channel|everyone|team|all)\b", re.IGNORECASE
)
_IMAGE = re.compile(r"!\[[^\]]{0,300}\]\(|<a\s[^<>]{0,300}\bhref\b|<img\b|<script\b|<iframe\b|<style\b", re.IGNORECASE)
# `//host.example` takes the scheme of the page that it stands on.
_URL = re.compile(
    r"(?:\b(?:[a-z][a-z0-9+.-]{1,15}://|www\.)|(?<![\w:/.])//(?=[\w-]{1,63}\.\w))[^\s<>\"'`“”«»]{1,1900}", re.IGNORECASE
)
_OTHER_SCHEME = re.compile(r"\b(?:javascript|data|file|vbscript|slack|tel):[^\s]{1,1900}", re.IGNORECASE)
# A target that some client repairs or opens: `http:host`, `https:\\host`, `sms:`, `\\host\share`.
_ODD_TARGET = re.compile(r"\]\(\s{0,3}<?\s{0,3}(?:\\\\|(?!mailto:)[a-z][a-z0-9+.-]{1,15}:(?!//\w))", re.IGNORECASE)
_LABELLED = re.compile(r"<[a-z][a-z0-9+.-]{1,15}:[^<>]{1,1900}\|[^<>]{0,300}>", re.IGNORECASE)
_LINK = re.compile(
    r"(?<!!)\[([^\[\]\n]{1,300})\]\(\s{0,3}<?((?:[a-z][a-z0-9+.-]{1,15}:|//)[^\s()<>]{1,1900})>?[^()\n]{0,200}\)",
    re.IGNORECASE,
)
_LINK_START = re.compile(r":/(?=/)|www(?=\.)|(?<![\w:/])/(?=/\w)", re.IGNORECASE)
_ENDS_EARLY = re.compile(r"[\x00-\x20\x7f<>|\"`\\^{}]")
_INNER = re.compile(r"//+([^/?&#\s]{1,255})")
# Stands where an address stood.
LEFT_OUT = "[…]"
_TRAILING = ".,;:!?)]}>*_'\"”»…"


def urls(text: str) -> tuple[str, ...]:
    """Give the addresses of a text as written, without the punctuation that follows them."""
    if "//" not in text and "ww." not in text.lower():  # most sentences; the expression tries every word
        return ()
    return tuple(match[0].rstrip(_TRAILING) for match in _URL.finditer(text))


def has_mention(text: str) -> bool:
    """Say whether the text could ping somebody on Slack or Teams."""
    return ("<" in text or "@" in text) and bool(_MENTION.search(text))


def has_active_markup(text: str) -> bool:
    """Say whether the text holds an image, raw HTML that loads something, a hidden label or a scheme that acts."""
    if "<" in text and (_IMAGE.search(text) or _LABELLED.search(text)):
        return True
    if "](" in text and _ODD_TARGET.search(text):
        return True
    return ("![" in text and bool(_IMAGE.search(text))) or (":" in text and bool(_OTHER_SCHEME.search(text)))


def written_out(text: str) -> str:
    """Give the text with every Markdown link as its label and its target, so that what is shown is where it leads."""
    return _LINK.sub(lambda link: link[2] if link[1].strip() == link[2] else f"{link[1]} ({link[2]})", text)


def safe_address(url: str | None) -> str | None:
    """Give a link target as it is; None unless it is plain http(s) that cannot end early, ping, or name a user."""
    if not url or _ENDS_EARLY.search(url) or has_mention(url):
        return None
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    is_plain = parts.scheme.lower() in ("http", "https") and bool(parts.hostname) and "@" not in parts.netloc
    return url if is_plain else None


def plain_name(name: str) -> str:
    """Give an id, title or queue on one line; empty when it could ping, act or lead somewhere."""
    one_line = _one_line(name)
    # The open target of a link: whoever shows the name as Markdown may close it with what stands behind.
    return one_line if is_closed(one_line, ()) and "](" not in one_line else ""


def hosts_of(addresses: Iterable[str | None]) -> frozenset[str]:
    """Give the hosts to which links may lead: those of the sources' own pages."""
    return frozenset(filter(None, (_host(address) for address in addresses if safe_address(address))))


def without_foreign(text: str, hosts: frozenset[str]) -> str:
    """Give a text with every address left out that leads, or leads on, to another host."""
    for address in sorted(set(urls(text)), key=len, reverse=True):
        if not _leads_to(address, hosts):
            text = text.replace(address, LEFT_OUT)
    return text


def _leads_to(address: str, hosts: frozenset[str]) -> bool:
    # `…/redirect?to=https://other.example`, also percent-encoded, leads on.
    inner = (found[1].casefold() for found in _INNER.finditer(unquote(address).partition("//")[2]))
    return safe_address(address) is not None and _host(address) in hosts and all(host in hosts for host in inner)


def _host(address: str | None) -> str:
    return urlsplit(address or "").netloc.casefold()


def unlinked(text: str) -> str:
    """Give text in which no client finds an address to make a link of: an invisible character breaks it."""
    return _LINK_START.sub(lambda start: f"{start[0]}\u200b", text)


def shown_title(title: str) -> str:
    """Give a title on one line without what pings, acts or leads somewhere; the rest of it stays."""
    one_line = _one_line(title)
    if plain_name(one_line) and unlinked(one_line) == one_line:
        return one_line
    text = _MENTION.sub(" ", written_out(one_line)).replace("![", "[").replace("](", "] (")
    text = text.replace("<", "‹").replace(">", "›")
    return plain_name(unlinked(text))


def _one_line(text: str) -> str:
    plain = text if text.isprintable() else "".join(c if c.isprintable() else " " for c in text)
    return " ".join(plain.split())


def is_closed(text: str, sources: Iterable[str]) -> bool:
    """Say whether a sentence may be shown: no ping, no active markup, every address verbatim in one of the sources.

    Args:
        text: one sentence of an answer.
        sources: texts and addresses of the sources that it cites.
    """
    if has_mention(text) or has_active_markup(text):
        return False
    found = urls(text)
    if not found:
        return True
    allowed = {url for source in sources for url in (*urls(source), source)}
    return allowed.issuperset(found)
