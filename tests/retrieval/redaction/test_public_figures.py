"""Redaction on public sets. `TRIAGE_EVAL_DATA=… pytest -m eval_data -s` prints the figures of RESULTS.md."""

import ipaddress
import time
from collections import Counter

import pytest

from retrieval.redaction import Redactor, Span
from tests.public_data import public_rows

pytestmark = pytest.mark.eval_data
REDACTOR = Redactor()
SYNTH = {
    "EMAIL_ADDRESS": "EMAIL",
    "CREDIT_CARD": "CARD",
    "PHONE_NUMBER": "PHONE",
    "IBAN_CODE": "IBAN",
    "US_SSN": "NATIONAL_ID_US",
    "IP_ADDRESS": "IP",
}
RECOGNIZED = {
    "IBAN_CODE": "IBAN", "IP_ADDRESS": "IP", "PHONE_NUMBER": "PHONE", "CREDIT_CARD": "CARD", "EMAIL_ADDRESS": "EMAIL", "DE_ID_CARD": "NATIONAL_ID_DE",
    "DE_PASSPORT": "NATIONAL_ID_DE", "DE_SOCIAL_SECURITY": "NATIONAL_ID_DE", "DE_TAX_ID": "NATIONAL_ID_DE", "PL_PESEL": "NATIONAL_ID_PL",
    "UK_NINO": "NATIONAL_ID_UK", "US_SSN": "NATIONAL_ID_US",
}  # fmt: skip
PROMISED = {
    "IP_ADDRESS", "EMAIL_ADDRESS", "PHONE_NUMBER", "SOCIAL_SECURITY_NUMBER", "IBAN", "CREDIT_CARD_NUMBER", "API_KEY", "AUTHENTICATION_TOKEN", "PASSWORD",
}  # fmt: skip


def _hidden(span: dict, found: tuple[Span, ...]) -> bool:
    places = (span["start"] + at for at, letter in enumerate(span["value"]) if letter not in " .,()-")
    return all(any(hit.start <= place < hit.end for hit in found) for place in places)


def _stays(span: dict) -> bool:
    """Whether the promise itself leaves the value: loopback, private and documentation addresses."""
    try:
        address = ipaddress.ip_network(span["value"].partition("%")[0], strict=False).network_address
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return not (mapped or address).is_global or address.is_multicast


@pytest.mark.parametrize("kind", SYNTH)
def test_presidio_synth(kind: str) -> None:
    """Structured types: recall and precision at the figures to reach, phones by F2."""
    counts: Counter[str] = Counter()
    for row in public_rows("pii_presidio_synth/dev.jsonl"):
        found = REDACTOR.redact(row["text"]).spans
        gold = [span for span in row["spans"] if span["type"] == kind]
        counts["hit"] += sum(_hidden(span, found) for span in gold)
        counts["gold"] += len(gold)
        ours = [hit for hit in found if hit.type == SYNTH[kind]]
        counts["ours"] += len(ours)
        counts["right"] += sum(any(g["start"] < hit.end and hit.start < g["end"] for g in gold) for hit in ours)
    recall, precision = counts["hit"] / counts["gold"], counts["right"] / counts["ours"]
    f2 = 5 * precision * recall / (4 * precision + recall)
    print(
        f"\npii_presidio_synth {SYNTH[kind]}: n {counts['gold']} recall {recall:.3f} precision {precision:.3f} F2 {f2:.3f}"
    )
    assert recall >= 0.99
    assert precision >= 0.97


def test_recognizer_cases() -> None:
    """Promised types: valid values hidden, broken ones never taken for the type."""
    counts: Counter[str] = Counter()
    for row in public_rows("pii_recognizer_cases/dev.jsonl"):
        if row["entity"] not in RECOGNIZED:
            continue
        found = REDACTOR.redact(row["text"]).spans
        spans = [span for span in row["spans"] if not _stays(span)]
        counts["valid"] += len(spans)
        counts["hidden"] += sum(_hidden(span, found) for span in spans)
        if not row["spans"]:
            counts["broken"] += 1
            counts["taken"] += any(hit.type == RECOGNIZED[row["entity"]] for hit in found)
    print(
        f"\npii_recognizer_cases: hidden {counts['hidden']}/{counts['valid']}, broken taken {counts['taken']}/{counts['broken']}"
    )
    assert counts["hidden"] / counts["valid"] >= 0.95
    assert counts["taken"] == 0


def test_formats_adversarial() -> None:
    """Promised types in logs, forms and disguises are hidden; the others are counted as they are."""
    counts: Counter[tuple[str, bool]] = Counter()
    for row in public_rows("pii_formats_adversarial/dev.jsonl"):
        found = REDACTOR.redact(row["text"]).spans
        counts.update((span["type"], _hidden(span, found)) for span in row["spans"] if not _stays(span))
    promised = {kind: (counts[kind, True], counts[kind, True] + counts[kind, False]) for kind in sorted(PROMISED)}
    others = {
        kind: (counts[kind, True], counts[kind, True] + counts[kind, False])
        for kind, _ in sorted(counts)
        if kind not in PROMISED
    }
    hidden, total = (sum(pair[place] for pair in promised.values()) for place in (0, 1))
    print(
        f"\npii_formats_adversarial: hidden {hidden}/{total} = {hidden / total:.3f} {promised}\nnot hidden by promise: {others}"
    )
    assert hidden / total >= 0.95


def test_phone_examples() -> None:
    """International and E.164 forms of 245 regions are found; national forms with the region behind a word."""
    counts: Counter[tuple[str, bool]] = Counter()
    for row in public_rows("pii_phone_examples/dev.jsonl"):
        if not row["valid"]:
            continue
        for form in ("international", "e164", "rfc3966"):
            counts[form, bool(REDACTOR.redact(f"write to {row[form]} please").spans)] += 1
        national = Redactor(phone_regions=[row["region"]]).redact(f"phone: {row['national']}")
        counts["national", bool(national.spans)] += 1
    rates = {form: counts[form, True] / (counts[form, True] + counts[form, False]) for form, _ in counts}
    print(f"\npii_phone_examples: {rates}")
    assert min(rates["international"], rates["e164"]) >= 0.99
    assert rates["national"] >= 0.9


@pytest.mark.parametrize(
    ("name", "is_split", "most"),
    [
        ("helpcenter_faq/corpus.jsonl", True, 0.03),
        ("injection_benign_hard_negatives/dev.jsonl", False, 0.03),
        ("techqa_sample/corpus.jsonl", True, 0.03),
    ],
)
def test_clean_paragraphs(name: str, most: float, *, is_split: bool) -> None:
    """At most three paragraphs in a hundred of published articles change, at 500 KB/s or more on one core."""
    texts = [row["text"] for row in public_rows(name)]
    paragraphs = [part for text in texts for part in (text.split("\n\n") if is_split else (text,)) if part.strip()]
    changed = sum(REDACTOR.redact(part).text != part for part in paragraphs)
    started = time.thread_time()
    for text in texts:
        REDACTOR.redact(text)
    speed = sum(len(text.encode()) for text in texts) / (time.thread_time() - started) / 1000
    print(f"\n{name}: {changed}/{len(paragraphs)} = {changed / len(paragraphs):.4f} changed, {speed:.0f} KB/s")
    assert changed / len(paragraphs) <= most
    assert speed >= 300  # 500 on a quiet core; the machine of the tests is shared
