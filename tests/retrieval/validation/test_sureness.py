"""How sure a contradiction is, in words."""

from datetime import date

from retrieval.documents import Document
from retrieval.validation import validate
from retrieval.validation.grouping import Conflict


def _conflict(*texts: tuple[str, str, str]) -> Conflict:
    documents = [
        Document(id=f"kb-{n}", title=title, text=text, lang=lang) for n, (lang, title, text) in enumerate(texts)
    ]
    (found,) = validate(documents, today=date(2026, 11, 30)).conflicts
    return found


def test_two_versions_of_one_sentence_are_likely() -> None:
    """Nearly all that both say is the same."""
    found = _conflict(
        ("en", "Claims", "Claims for lost parcels must be filed within 30 days."),
        ("en", "Lost parcels", "Claims for lost parcels must be filed within 60 days."),
    )
    assert found.subject == "Claims lost parcels filed"
    assert (found.likelihood, found.why) == ("likely", "the sentences say nearly the same but for this")


def test_what_speaks_against_it_is_named() -> None:
    """Two languages, a single case, a name in one of them, and a yes beside a no."""
    found = _conflict(
        ("en", "Bremen", "The workshop in Bremen was open from 8:00 to 18:00."),
        ("de", "Werkstatt", "Die Werkstatt in Bremen ist von 9:00 bis 17:00 geöffnet."),
    )
    assert found.likelihood == "possible"
    assert "they are in two languages" in found.why
    assert "one may tell a single case" in found.why
    denied = _conflict(
        ("en", "Laptop abroad", "You may take the laptop abroad within the EU."),
        ("en", "Laptop to Spain", "You may not take the laptop abroad to Spain."),
    )
    assert "a yes and a no may be said of two things" in denied.why
    assert "one names what it holds for and the other does not, or not the same" in denied.why
