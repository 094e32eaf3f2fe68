"""Names: the known ones in every form, and those that sign."""

import pytest

from retrieval.redaction import Redactor

REDACTOR = Redactor()


@pytest.mark.parametrize(
    ("text", "names", "redacted"),
    [
        ("Olena Koval wrote; OLENA KOVAL; Koval, Olena", ["Olena Koval"], "[NAME] wrote; [NAME]; [NAME]"),
        ("Hi Olena: Koval's order", ["Olena Koval"], "Hi [NAME]: [NAME] order"),
        ("передайте Олені Коваль та Олену", ["Олена Коваль"], "передайте [NAME] та [NAME]"),
        ("спросите Ивана Петрова и Иваном", ["Иван Петров"], "спросите [NAME] и [NAME]"),
        ("王丽说", ["王丽"], "[NAME]说"),
        ("the grant for Grant Miller, says Miller", ["Grant Miller"], "the grant for [NAME], says [NAME]"),
        ("max 5 files, Maximum; ask Max", ["Max"], "max 5 files, Maximum; ask [NAME]"),
        ("Support Team answered", ["Support Team"], "Support Team answered"),
        ("x", ["", "  ", "a@b.com", "()"], "x"),
        ("Jean-Luc O'Neil and Jean-Luc", ["Jean-Luc O'Neil"], "[NAME] and [NAME]"),
    ],
)
def test_names_from_fields(text: str, names: list[str], redacted: str) -> None:
    """A known name goes whole, in parts with a capital, and inflected; ordinary words stay."""
    assert REDACTOR.redact(text, names=names).text == redacted


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("Thanks!\nBest regards,\nJane Doe\nCEO", "Thanks!\nBest regards,\n[NAME]\nCEO"),
        ("З повагою,\nОлена Коваль", "З повагою,\n[NAME]"),
        ("С уважением,\nИван", "С уважением,\n[NAME]"),
        ("Mit freundlichen Grüßen\nHans Meier", "Mit freundlichen Grüßen\n[NAME]"),
        ("It works. Cheers, Tom", "It works. Cheers, [NAME]"),
        ("From: Jane Doe <jane@x.com>", "From: [NAME] <[EMAIL]>"),
        ("Від: Олена Коваль", "Від: [NAME]"),
        ("my name is Marta Kruk and", "my name is [NAME] and"),
        ("мене звати Марта", "мене звати [NAME]"),
        ("Best regards,\nThe Support Team", "Best regards,\nThe Support Team"),
        ("Von: support", "Von: support"),
        ("my name is missing", "my name is missing"),
        ("From: 10:00", "From: 10:00"),
    ],
)
def test_names_that_sign(text: str, redacted: str) -> None:
    """Signatures, sender lines and introductions name a person; teams and words do not."""
    assert REDACTOR.redact(text).text == redacted


def test_no_other_names_are_promised() -> None:
    """A name that nobody told is not guessed: the product says so."""
    assert REDACTOR.redact("Yesterday Jane Doe called.").spans == ()
