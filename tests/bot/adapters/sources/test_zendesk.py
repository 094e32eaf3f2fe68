"""Claims of `bot.adapters.sources.zendesk`: everything is read once, nothing private, and a fault is never a deletion."""

import pytest

from bot.errors import SourceRefused
from tests.bot.adapters.sources.reading import article, desk, documents, read, reasons, ticket
from tests.peers.knowledge import TOKEN


async def test_articles_and_tickets_are_read_over_changing_pages() -> None:
    """Each once, whatever the sizes of the pages; queue, people, address and language come along."""
    async with desk() as peer:
        found = await read(peer, "zendesk")
    by_id = documents(found)
    assert len(by_id) == len(found.items) == 9
    first = by_id["zendesk-ticket-1"]
    assert (first.question, first.resolution) == ("Question 1\n\nSomebody unknown.", "Resolution 1")
    assert (first.queue, first.people, first.visibility) == ("billing", ("Ann Lee", "Pat Doe"), ("internal",))
    assert by_id["zendesk-article-3"].url == "https://help.desk.example/3"
    assert by_id["zendesk-article-3"].visibility == ("public",)
    assert "private note" not in repr(found)
    assert (found.cursor, found.prefix) == ("c/4", "")


async def test_limits_and_broken_answers_are_waited_out() -> None:
    """429 with Retry-After, 500, 503 and half an answer cost tries, and nothing of the content."""
    async with desk() as peer:
        peer.faults.extend(["429", "500", "cut", "503"])
        found = await read(peer, "zendesk")
    assert len(documents(found)) == 9
    assert not found.is_incomplete


@pytest.mark.parametrize("answered", [0, 1, 2, 4, 6, 9])
async def test_a_source_that_fails_in_the_middle_is_incomplete(answered: int) -> None:
    """Wherever it breaks off: what was read is there, it is said, and neither the cursor nor a deletion is told."""
    async with desk() as peer:
        peer.fails_after = answered
        found = await read(peer, "zendesk")
    assert found.is_incomplete
    assert "broke off: the source answered 500 after 6 tries" in reasons(found)
    assert (found.cursor, found.gone) == ("", frozenset())


async def test_a_later_load_reads_what_changed() -> None:
    """From the cursor on; a deleted and a reopened ticket are gone, an open one is told; articles are all read again."""
    async with desk() as peer:
        cursor = (await read(peer, "zendesk")).cursor
        peer.tickets += [ticket(2, status="deleted"), ticket(3, status="open"), ticket(9, status="pending"), ticket(4)]
        peer.asked.clear()
        found = await read(peer, "zendesk", cursor=cursor)
    assert sorted(documents(found)) == [f"zendesk-article-{n}" for n in range(1, 6)] + ["zendesk-ticket-4"]
    assert found.gone >= {"zendesk-ticket-2", "zendesk-ticket-3"}
    assert "zendesk-ticket-4" not in found.gone
    assert (found.prefix, found.cursor) == ("zendesk-ticket-", "c/8")
    assert "'zendesk-ticket-9' is pending, not resolved" in reasons(found)
    assert not any("/tickets/1/" in path for path in peer.asked)


async def test_segments_become_labels() -> None:
    """Staff is internal; a narrowed segment is a label of its own; the operator may name it otherwise."""
    segments = [None, 12, 13, 14]
    async with desk(tickets=0, articles=0) as peer:
        peer.articles = [article(n, user_segment_id=segment) for n, segment in enumerate(segments, start=1)]
        found = documents(await read(peer, "zendesk", "/articles"))
        named = documents(await read(peer, "zendesk", "/articles", labels={"zendesk-segment-14": ("leads",)}))
        peer.is_listing_segments = False
        unknown = documents(await read(peer, "zendesk", "/articles"))
    labels = ["public", "internal", "zendesk-segment-13", "zendesk-segment-14"]
    assert [found[f"zendesk-article-{n}"].visibility for n in range(1, 5)] == [(label,) for label in labels]
    assert named["zendesk-article-4"].visibility == ("leads",)
    assert unknown["zendesk-article-2"].visibility == ("zendesk-segment-12",)


async def test_translations_have_ids_of_their_own() -> None:
    """The first locale keeps the plain id."""
    async with desk(tickets=0, articles=1) as peer:
        found = documents(await read(peer, "zendesk", "/articles?locale=en-us,uk"))
    assert sorted(found) == ["zendesk-article-1", "zendesk-article-1-uk"]


async def test_the_product_is_a_field_of_the_desk() -> None:
    """Named by its id in the address."""
    async with desk(tickets=1) as peer:
        peer.tickets[0]["custom_fields"] = [{"id": 77, "value": "till"}]
        found = documents(await read(peer, "zendesk", "/tickets?product_field=77"))
    assert found["zendesk-ticket-1"].product == "till"


async def test_a_link_to_another_host_is_not_followed() -> None:
    """It would carry the token there."""
    async with desk() as peer:
        peer.next_host = "http://localhost:9"
        with pytest.raises(SourceRefused, match="link to another host"):
            await read(peer, "zendesk", "/articles")


async def test_refused_credentials_are_said_without_them() -> None:
    """No word of the token in what is told; none at all is said before anything is asked."""
    async with desk() as peer:
        found = await read(peer, "zendesk", zendesk_email="other@desk.example")
        with pytest.raises(SourceRefused, match="ZENDESK_EMAIL and ZENDESK_API_TOKEN"):
            await read(peer, "zendesk", zendesk_token=None)
        with pytest.raises(SourceRefused, match="/articles and /tickets"):
            await read(peer, "zendesk", "/users")
    assert "refuses the credentials (401)" in reasons(found)
    assert TOKEN not in repr(found)
    assert found.is_incomplete
