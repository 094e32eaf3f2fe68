"""Orders, invoices, tickets, versions, builds, error codes, dates, timestamps, UUIDs and hashes are never changed."""

from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.redaction import Redactor

REDACTOR = Redactor()
# The number alone in a frame of several languages, and forms that carry their own words.
FRAMES = ("{}", "See {} please.", "Дивіться {}, дякую", "смотрите {} и ответьте", "bitte {} prüfen", "proszę sprawdzić {}.", "ver {} por favor", "voir {} !", "{} を確認", "请看 {}")  # fmt: skip
FORMS: dict[str, tuple[str, ...]] = {
    "order": (
        "order 41112222", "order #48213", "Order no. 4500123456", "PO-2026-004411", "order number: 100045678", "замовлення 20261130", "замовлення № 1004567890",
        "заказ №77123456", "номер заказа 1004567890", "Bestellung 4711-0815", "Bestellnummer: 302-7788123-4455667", "Auftrag 2026004711", "zamówienie 1004567890",
        "pedido 4500123456", "commande n° 1004567890", "ORD-99120031", "order 4111-2222-33", "SO00012345",
    ),
    "invoice": (
        "invoice 2026/4111", "INV-2026-00123", "invoice no. 4500123456", "Invoice #1004567890", "рахунок 20261130", "рахунок-фактура № 1234567890", "счёт №4500123456",
        "счет 1004567890", "Rechnung 2026-11-0042", "Rechnungsnummer RE-2026004711", "faktura 12/11/2026", "faktura FV/2026/11/0042", "factura 4500123456", "facture 1004567890",
        "fatura 4500123456", "INV0004500123",
    ),
    "ticket": (
        "TCK-2001", "ticket 4500123456", "INC0012345", "REQ1234567", "RITM0012345", "case 1004567890", "#48213", "CHG0030001", "SUP-104233", "тікет 4500123456",
        "звернення 1004567890", "обращение №4500123456", "заявка 1004567890", "Vorgang 4500123456", "zgłoszenie 1004567890", "incidencia 4500123456", "KB-101",
    ),
    "version": (
        "version 2.10.0", "v1.2.3", "v10.4.2-rc.1", "2.10.0-rc.1", "version 8.0.0.15", "7.4.0.1", "версія 3.12.4", "версия 5.4.0.211", "Version 24.04.1", "wersja 1.2.3",
        "versión 10.15.7", "macOS 14.6.1", "Chrome 120.0.6099.109", "Windows 10.0.19045.3803", "iOS 17.5.1", "PostgreSQL 16.2", "1.0.0+build.20261130",
    ),
    "build": (
        "build 10.0.19041.1", "build 20261130", "build 4500123456", "Build 22631.3007", "build #10045", "збірка 20261130.2", "сборка 4500123456", "Build-Nummer 19045.3803",
        "release 2026.11.30", "firmware 1.45.0.2210", "rev 1004567", "build 2026.11.30.1", "CI build 1004567890", "16F203", "21H1 19043.1526", "r20261130",
    ),
    "error code": (
        "error 0x80070005", "0xC0000005", "error 5001234567", "ERR_4012", "E-1004", "error code 1004567890", "ORA-12541", "SQLSTATE 08006", "HTTP 502", "помилка 10045678",
        "ошибка 0x8024402c", "код ошибки 1004567890", "Fehler 40123456", "Fehlercode 0x80004005", "błąd 10045678", "errno 110", "MSG-00012345", "exit status 139",
    ),
    "date": (
        "2026-11-30", "30.11.2026", "11/30/2026", "30/11/2026", "30-11-2026", "20261130", "2026/11/30", "30.11.26", "Nov 30, 2026", "30 листопада 2026", "30 ноября 2026 г.",
        "30. November 2026", "30 listopada 2026", "2026年11月30日", "30 de noviembre de 2026", "2024-2025", "01.01.2020–31.12.2026",
    ),
    "timestamp": (
        "2026-11-30T12:30:45Z", "2026-11-30T12:30:45.123456+02:00", "2026-11-30 12:30:45,123", "1764505845", "1764505845123", "1764505845.123", "12:30:45.123", "20261130T123045Z",
        "20261130_123045", "2026-11-30 12:30", "30.11.2026 12:30:45", "[30/Nov/2026:12:30:45 +0000]", "30.11.2026, 12:30", "Mon Nov 30 12:30:45 2026", "2026-11-30T12:30:45+0200", "12:30",
    ),
    "UUID": (
        "123e4567-e89b-12d3-a456-426614174000", "550E8400-E29B-41D4-A716-446655440000", "{123e4567-e89b-12d3-a456-426614174000}", "urn:uuid:123e4567-e89b-12d3-a456-426614174000",
        "00000000-0000-0000-0000-000000000000", "11111111-2222-3333-4444-555555555555", "id=123e4567-e89b-12d3-a456-426614174000", "req-123e4567-e89b-12d3-a456-426614174000",
        "123e4567e89b12d3a456426614174000", "f47ac10b-58cc-4372-a567-0e02b2c3d479", "(6ba7b810-9dad-11d1-80b4-00c04fd430c8)", "6BA7B8109DAD11D180B400C04FD430C8", "ключ 6ba7b811-9dad-11d1-80b4-00c04fd430c8",
        "uuid: 12345678-1234-1234-1234-123456789012", "guid 12345678-1234-5678-1234-567812345678",
    ),
    "hash": (
        "d41d8cd98f00b204e9800998ecf8427e", "da39a3ee5e6b4b0d3255bfef95601890afd80709", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "commit 1b32346", "1b323461",
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "md5 0cc175b9c0f1b6a831c399e269772661", "commit 4e50a19c9d", "0x1b32346f", "deadbeefdeadbeef",
        "git 06c62061234567890abcdef1234567890abcdef1", 'etag "33a64df551425fcc55e4d42a148795d9f25f89d4"', "checksum 1004567890abcdef1004567890abcdef", "E3B0C44298FC1C149AFBF4C8996FB924", "hash a1b2c3d4e5f60718",
        "1a:2b:3c:4d:5e:6f",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", FORMS)
def test_ids_are_never_changed(kind: str) -> None:
    """At least fifteen forms of each, alone and in ten sentences of nine languages, stay as they are."""
    assert len(FORMS[kind]) >= 15
    lines = [frame.format(form) for form in FORMS[kind] for frame in FRAMES]
    assert [(line, str(REDACTOR.redact(line).text)) for line in lines if REDACTOR.redact(line).spans] == []


_NUMBERS = st.integers(1, 10**10 - 1).map(str)
_FIRST, _LAST = datetime(2015, 1, 1), datetime(2035, 1, 1)  # noqa: DTZ001 - logs name no zone either
_MADE = st.one_of(
    st.uuids().map(str),
    st.sampled_from((8, 16, 20, 32)).flatmap(lambda size: st.binary(min_size=size, max_size=size)).map(bytes.hex),
    st.datetimes(_FIRST, _LAST).map(lambda moment: moment.isoformat() + "Z"),
    st.datetimes(_FIRST, _LAST).map(lambda moment: moment.strftime("%d.%m.%Y %H:%M:%S")),
    st.integers(1_420_000_000, 1_999_999_999).map(str),
    st.integers(1_420_000_000_000, 1_999_999_999_999).map(str),
    st.tuples(st.integers(0, 99), st.integers(0, 999), st.integers(0, 9999)).map("v{0[0]}.{0[1]}.{0[2]}".format),
    st.tuples(
        st.sampled_from(("order", "order no.", "invoice", "ticket", "error", "build", "замовлення №", "заказ", "рахунок", "Bestellnummer:", "Rechnung", "faktura", "commande n°")),
        _NUMBERS,
    ).map(" ".join),
    st.tuples(st.sampled_from(("INC", "TCK-", "ORD-", "INV-2026-", "KB-", "#", "0x")), _NUMBERS).map("".join),
)  # fmt: skip


@settings(max_examples=600, deadline=None)
@given(_MADE, st.sampled_from(FRAMES))
def test_made_ids_are_never_changed(form: str, frame: str) -> None:
    """Any value of these kinds stays, also one whose digits happen to pass a checksum."""
    assert REDACTOR.redact(frame.format(form)).spans == ()
