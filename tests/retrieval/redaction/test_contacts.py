"""Mail addresses, phones and IP addresses."""

import pytest

from retrieval.redaction import Redactor

REDACTOR = Redactor(own_domains=["acme.com", "@Firma.UA"])


def _redacted(text: str) -> str:
    return str(REDACTOR.redact(text).text)


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("write to a.b+c@sub.example.co.uk, thanks", "write to [EMAIL], thanks"),
        ("<pat@example.com>", "<[EMAIL]>"),
        ("mailto:pat@example.com?subject=x", "mailto:[EMAIL]?subject=x"),
        ("email=pat@example.com&x=1", "email=[EMAIL]&x=1"),
        ("pat%40example.org", "[EMAIL]"),
        ("francisco.díaz8@mail.com 丽.王26@icloud.com", "[EMAIL] [EMAIL]"),
        ("пошта@укр.укр", "[EMAIL]"),
        ("user@xn--80ak6aa92e.com", "[EMAIL]"),
        ('"odd name"@example.com', "[EMAIL]"),
        ("x@[192.168.1.1]", "[EMAIL]"),
        ("jane (at) gmail (dot) com", "[EMAIL]"),
        ("jane at gmail dot com", "[EMAIL]"),
        ("user [at] domain [dot] org", "[EMAIL]"),
        ("oksana собака gmail крапка com", "[EMAIL]"),
        ("support@acme.com help@eu.acme.com", "support@acme.com help@eu.acme.com"),
        ("info@firma.ua info%40firma.ua", "info@firma.ua info%40firma.ua"),
        ("x@notacme.com", "[EMAIL]"),
        ("git@github.com:org/repo.git", "git@github.com:org/repo.git"),
        ("ssh://user@host.example.com/x", "ssh://user@host.example.com/x"),
        ("curve25519-sha256@libssh.org", "curve25519-sha256@libssh.org"),
        ("npm i @types/node@20 @scope/x", "npm i @types/node@20 @scope/x"),
        ("look at the dot", "look at the dot"),
        ("@here a@ @b a@b", "@here a@ @b a@b"),
        ("info@presidio.", "info@presidio."),
    ],
)
def test_mail_addresses(text: str, redacted: str) -> None:
    """Addresses in any script and disguise go; the tenant's own, accounts on machines and packages stay."""
    assert _redacted(text) == redacted


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("+380671234567", "[PHONE]"),
        ("call +1 (279) 533-3960 x12.", "call [PHONE]."),
        ("(+49 171 3344556)", "([PHONE])"),
        ("0044 7911 123456", "[PHONE]"),
        ("067 123 45 67", "[PHONE]"),
        ("0671234567", "[PHONE]"),
        ("8 (495) 123-45-67 доб. 12", "[PHONE]"),
        ("495 123-45-67", "[PHONE]"),
        ("905-674-3793", "[PHONE]"),
        ("601 234 567", "[PHONE]"),
        ("Phone:\n60-56-85-91", "Phone:\n[PHONE]"),
        ("my number is 358 0594", "my number is [PHONE]"),
        ("781 1704 office", "[PHONE] office"),
        ("手机 13812345678", "手机 [PHONE]"),
        ("my order number is 358 0594", "my order number is 358 0594"),
        ("call 5 times, 1234567 users", "call 5 times, 1234567 users"),
        ("phone plan 1 234 567 rows", "phone plan 1 234 567 rows"),
        ("1234567890", "1234567890"),
        ("+2.760587790", "+2.760587790"),
        ("+12", "+12"),
        ("2024-2025-01", "2024-2025-01"),
        ("$905-674-3793", "$905-674-3793"),
        ("at 13813 3784 Archwood", "at 13813 3784 Archwood"),
        ("ci 06.22.04.000 li", "ci 06.22.04.000 li"),
        ("1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9", "1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9"),
    ],
)
def test_phones(text: str, redacted: str) -> None:
    """International form anywhere, national form as the tenant's regions write it, other digits behind a word."""
    assert _redacted(text) == redacted


def test_regions_are_the_tenants() -> None:
    """A national form counts only where the tenant has customers."""
    assert Redactor(phone_regions=["PL"]).redact("see 06 12 34 56 78 x").spans == ()
    assert Redactor(phone_regions=["fr"]).redact("see 06 12 34 56 78 x").text == "see [PHONE] x"
    assert Redactor(phone_regions=["XX"]).redact("see 06 12 34 56 78 x").spans == ()


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("from 91.202.128.77", "from [IP]"),
        ("net 91.202.128.0/22", "net [IP]"),
        ("6e40:4041:c617:e898:c11:40d2:c669:2eb4", "[IP]"),
        ("[2a02:8108::1]:443", "[[IP]]:443"),
        ("::ffff:91.202.128.77", "[IP]"),
        ("http://91.202.128.77:8080/x", "http://[IP]:8080/x"),
        ("login from 5.9.12.3", "login from [IP]"),
        (
            "127.0.0.1 ::1 10.1.2.3 192.168.1.1 172.16.0.9 169.254.1.1",
            "127.0.0.1 ::1 10.1.2.3 192.168.1.1 172.16.0.9 169.254.1.1",
        ),
        (
            "203.0.113.7 198.51.100.1 192.0.2.8 2001:db8::1 fe80::1",
            "203.0.113.7 198.51.100.1 192.0.2.8 2001:db8::1 fe80::1",
        ),
        ("dns 8.8.8.8 and 1.1.1.1, mask 255.255.255.0", "dns 8.8.8.8 and 1.1.1.1, mask 255.255.255.0"),
        ("agent 7.4.0.1, fix pack 8.0.0.15", "agent 7.4.0.1, fix pack 8.0.0.15"),
        ("build 10.0.19041.1 version 91.202.128.77", "build 10.0.19041.1 version 91.202.128.77"),
        ("Server: Apache/3.14.9.53", "Server: Apache/3.14.9.53"),
        ("256.1.1.1 1.2.3 91.202.128.77.5", "256.1.1.1 1.2.3 91.202.128.77.5"),
        ("std::cout a::b 12:34:56 00:1A:2B:3C:4D:5E", "std::cout a::b 12:34:56 00:1A:2B:3C:4D:5E"),
    ],
)
def test_ip_addresses(text: str, redacted: str) -> None:
    """Public addresses go; loopback, private, documentation, resolvers, netmasks and versions stay."""
    assert _redacted(text) == redacted


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("bob@corp。example", "[EMAIL]"),
        ("写信给 bob@corp｡example。谢谢", "写信给 [EMAIL]。谢谢"),
        ("写信给 bob@corp.example。谢谢", "写信给 [EMAIL]。谢谢"),
        ("desk@acme。com", "desk@acme。com"),
    ],
)
def test_ideographic_full_stop_in_a_domain(text: str, redacted: str) -> None:
    """The full stop of Chinese and Japanese is a dot inside an address and ends the sentence behind one."""
    assert REDACTOR.redact(text).text == redacted
