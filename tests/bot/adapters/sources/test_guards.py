"""Nothing is asked of private, loopback or metadata addresses, by name, by number, or behind a redirect."""

import pytest

from bot.adapters.sources import is_source, parse_address, read_source
from bot.adapters.sources.address import is_public
from bot.adapters.sources.read import ReadOptions
from bot.errors import SourceRefused
from tests.bot.adapters.sources.reading import NO_MAP, credentials, desk, read


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1:248:1893:25c8:1946", True),
        ("127.0.0.1", False),
        ("10.1.2.3", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("100.64.0.1", False),
        ("169.254.169.254", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("::1", False),
        ("fe80::1%eth0", False),
        ("fd00:ec2::254", False),
        ("::ffff:169.254.169.254", False),
        ("2002:7f00:1::", False),
        ("64:ff9b::a9fe:a9fe", False),
        ("name.example", False),
    ],
)
def test_which_addresses_are_public(address: str, *, public: bool) -> None:
    """Also IPv4 addresses in IPv6 clothes."""
    assert is_public(address) is public


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "2130706433", "127.1", "169.254.169.254"])
async def test_inside_addresses_are_refused_unless_they_are_named(host: str) -> None:
    """As name or number in any spelling; before a credential is sent."""
    address = parse_address(f"zendesk://{host}")
    with pytest.raises(SourceRefused, match="private, loopback or metadata address"):
        await read_source(address, credentials(hosts=()), ReadOptions(NO_MAP))


async def test_http_without_tls_is_for_named_hosts() -> None:
    """Nobody reads a token on the way."""
    with pytest.raises(SourceRefused, match="only https"):
        await read_source(parse_address("zendesk+http://127.0.0.1:9"), credentials(hosts=()), ReadOptions(NO_MAP))


@pytest.mark.parametrize(
    "target",
    ["https://169.254.169.254/latest/meta-data", "https://10.0.0.1/", "http://93.184.216.34/", "ftp://x.example/"],
)
async def test_a_redirect_inside_is_refused(target: str) -> None:
    """Each hop is looked at as the first one."""
    async with desk() as peer:
        peer.redirect_to = target
        with pytest.raises(SourceRefused):
            await read(peer, "zendesk")


async def test_a_redirect_to_another_host_carries_no_credential() -> None:
    """The other host is asked without the token; the same answer again and again ends."""
    async with desk() as other, desk() as peer:
        peer.redirect_to = f"http://localhost:{other.port}/api/v2/help_center/articles.json"
        found = await read(peer, "zendesk", "/articles")
    assert other.authorizations == {""}
    assert found.is_incomplete


@pytest.mark.parametrize(
    "text",
    [
        "zendesk://u:secret-4711@h.example",
        "sql+mysql://u:secret-4711@h/db",
        "zendesk://",
        "zendesk://u@h",
        "sql+mysql:///db",
        "zendesk://[x",
        "zendesk://h?a",
    ],
)
def test_addresses_that_are_refused_are_not_repeated(text: str) -> None:
    """A password in an address is none that anybody should see."""
    assert is_source(text)
    with pytest.raises(SourceRefused) as refused:
        parse_address(text)
    assert "secret-4711" not in str(refused.value)


def test_files_are_no_sources() -> None:
    """Also those with a colon."""
    assert not any(map(is_source, ["articles", "a:b.md", "http://x.example", "./zendesk", "sql/a.csv"]))
