"""Which addresses are published contacts, and where they stay."""

import pytest

from retrieval.documents import Document
from retrieval.index.intake import prepare
from retrieval.redaction import Redactor, contact_domains

STAYS = "Mail support@acme.com, ping 10.1.2.3 or 203.0.113.7, open http://127.0.0.1:8080 and [2001:db8::1]."


@pytest.mark.parametrize(
    ("address", "domains"),
    [
        ("https://help.acme.com/reset?x=1", ("acme.com",)),
        ("https://acme.com", ("acme.com",)),
        ("help.acme.com:8443", ("acme.com",)),
        ("https://docs.eu.acme.com/", ("eu.acme.com",)),
        ("https://acme.zendesk.com/hc/1", ("acme.zendesk.com",)),
        ("https://support.zendesk.com/", ()),
        ("https://help.co.uk/", ()),
        ("https://help.acme.co.uk/", ("acme.co.uk",)),
        ("https://www.gmail.com/", ()),
        ("https://docs.github.io/", ()),
        ("http://localhost:8080/", ()),
        ("http://10.1.2.3/", ()),
        ("http://[::1", ()),
        ("", ()),
        (None, ()),
    ],
)
def test_contact_domains(address: str | None, domains: tuple[str, ...]) -> None:
    """The host without the name of a kind of site; endings, mail services and shared hosts are nobody's own."""
    assert contact_domains([address]) == domains


def _prepared(kind: str, url: str | None, redactor: Redactor) -> str:
    return prepare(Document("d1", title="t", text=STAYS, kind=kind, url=url), redactor).document.text


def test_contacts_stay_in_articles_alone() -> None:
    """By the setting or by the page's own host; in a ticket the same address is a person's. Nobody's IPs always stay."""
    assert _prepared("article", None, Redactor(own_domains=["acme.com"])) == STAYS
    assert _prepared("article", "https://help.acme.com/x", Redactor()) == STAYS
    hidden = STAYS.replace("support@acme.com", "[EMAIL]")
    assert _prepared("article", "https://help.other.com/x", Redactor()) == hidden
    assert _prepared("article", None, Redactor()) == hidden
    assert _prepared("ticket", "https://help.acme.com/x", Redactor(own_domains=["acme.com"])) == hidden


def test_answers_leave_what_the_articles_have() -> None:
    """The redactor of answers knows the pages' domains beside its own; the one of questions does not change."""
    redactor = Redactor(own_domains=["acme.com"], key=b"k")
    answers = redactor.beside(["acme.eu"])
    assert answers.redact("a@acme.com b@acme.eu c@acme.org").text == "a@acme.com b@acme.eu [EMAIL]"
    assert redactor.redact("b@acme.eu").text == "[EMAIL]"
    assert "[EMAIL#" in answers.marked("a@acme.com", thread="t")
