"""The file of corrections: read again at once, safe beside others, and strict about which questions it knows."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from bot.adapters.files import corrections as lead_corrections
from bot.adapters.files.corrections import CorrectionFile, CorrectionRefused, FileCorrections
from bot.lead.corrections import LEAST_COSINE
from retrieval.redaction import RedactedText
from tests.bot.flow_kit import text
from tests.bot.lead.test_corrections import HIDE, PIN, REFUSE


async def _same(_question: RedactedText, others: Sequence[RedactedText]) -> list[float]:
    return [LEAST_COSINE] * len(others)


async def _other(_question: RedactedText, others: Sequence[RedactedText]) -> list[float]:
    return [LEAST_COSINE - 0.01] * len(others)


def test_another_process_sees_it_at_once(tmp_path: Path) -> None:
    """Kept and dropped by one, seen by the other, the newest first; the file is nobody else's to read."""
    path = tmp_path / "corrections.json"
    mine, theirs = CorrectionFile(path), CorrectionFile(path)
    assert theirs.all() == ()
    assert theirs.drop(lambda _one: True) == ()
    for one in (HIDE, PIN, REFUSE):
        mine.keep(one)
    assert theirs.all() == (REFUSE, PIN, HIDE)
    assert path.stat().st_mode & 0o777 == 0o600
    assert mine.drop(lambda one: one.key == PIN.key) == (PIN,)
    assert theirs.all() == (REFUSE, HIDE)


def test_what_another_version_wrote_is_not_lost(tmp_path: Path) -> None:
    """It is left out, and stands in the file afterwards; a file that is none is empty."""
    path = tmp_path / "corrections.json"
    path.write_text('{"f": {"kind": "later"}}')
    file = CorrectionFile(path)
    assert file.all() == ()
    file.keep(PIN)
    assert '"later"' in path.read_text()
    path.write_text("[1]")
    assert file.all() == ()
    path.write_text("{")
    assert file.all() == ()


def test_there_is_a_limit(tmp_path: Path) -> None:
    """One too many is refused, and what was there stays."""
    path = tmp_path / "corrections.json"
    rows = ", ".join(f'"{number}": {{}}' for number in range(lead_corrections.MOST))
    path.write_text(f"{{{rows}}}")
    with pytest.raises(CorrectionRefused, match="1000"):
        CorrectionFile(path).keep(PIN)
    assert PIN.key not in path.read_text()


async def test_which_questions_it_knows(tmp_path: Path) -> None:
    """The same words whatever is said of meaning, near ones only of the same language, and nothing that differs in a word."""
    file = CorrectionFile(tmp_path / "corrections.json")
    assert await FileCorrections(file, _same).of(PIN.question, "en") == ()
    file.keep(PIN)
    assert await FileCorrections(file, _other).of(text("can i pay with bitcoin"), "de") == (PIN,)
    near = text("Is it possible to pay with Bitcoin?")
    assert await FileCorrections(file, _same).of(near, "en") == (PIN,)
    assert await FileCorrections(file, _other).of(near, "en") == ()
    assert await FileCorrections(file, _same).of(near, "de") == ()
    assert await FileCorrections(file, _same).of(text("Can I pay with PayPal?"), "en") == ()
