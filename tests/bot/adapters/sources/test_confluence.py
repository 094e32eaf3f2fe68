"""Claims of `bot.adapters.sources.confluence`: pages with their readers, over both interfaces."""

from typing import Any

import pytest

from retrieval.documents import Problem
from tests.bot.adapters.sources.reading import documents, read, reasons
from tests.peers.knowledge import KnowledgePeer, restricted


def page(number: int, *, parents: tuple[int, ...] = (), held: dict[str, Any] | None = None) -> dict[str, Any]:
    """Make a page as both interfaces tell it."""
    return {
        "id": str(number),
        "title": f"Page {number}",
        "parentId": str(parents[-1]) if parents else None,
        "ancestors": [{"id": str(each)} for each in parents],
        "body": {"storage": {"value": f"<p>Text {number}.</p>"}},
        "version": {"createdAt": "2026-01-02T00:00:00Z", "when": "2026-01-02T00:00:00Z", "by": {"displayName": "Ann"}},
        "restrictions": {"read": held if held is not None else restricted()},
        "_links": {"webui": f"/spaces/SUP/pages/{number}"},
    }


def wiki() -> KnowledgePeer:
    """Make a wiki: an open page, a restricted one, pages below it, and two restrictions that share nobody."""
    held = {
        "2": restricted(groups=("leads",), users=("u-1",)),
        "4": restricted(groups=("leads", "billing")),
        "5": restricted(groups=("press",)),
    }
    shape = [(1, ()), (2, (1,)), (3, (1, 2)), (4, (1, 2)), (5, (1, 2)), (6, ())]
    return KnowledgePeer(
        pages=[page(n, parents=parents, held=held.get(str(n))) for n, parents in shape],
        restrictions={str(n): held.get(str(n), restricted()) for n, _ in shape},
    )


@pytest.mark.parametrize("api", ["v1", "v2"])
async def test_every_restriction_on_the_way_down_holds(api: str) -> None:
    """Internal without one; of two levels those whom both let in; of two that share nobody a label that nobody has."""
    async with wiki() as peer:
        found = await read(peer, "confluence", f"/wiki?api={api}&space=SUP")
    labels = {name: document.visibility for name, document in documents(found).items()}
    assert labels == {
        "confluence-1": ("internal",),
        "confluence-2": ("confluence-group-leads", "confluence-user-u-1"),
        "confluence-3": ("confluence-group-leads", "confluence-user-u-1"),
        "confluence-4": ("confluence-group-leads",),
        "confluence-5": ("confluence-restricted-5",),
        "confluence-6": ("internal",),
    }
    first = documents(found)["confluence-1"]
    assert (first.title, first.text, first.updated_at[:4]) == ("Page 1", "Text 1.", "2026")
    assert first.url == "https://wiki.desk.example/wiki/spaces/SUP/pages/1"
    assert not found.is_incomplete


async def test_a_page_of_unknown_readers_is_not_indexed() -> None:
    """It is named, and what is known of it stays."""
    async with wiki() as peer:
        del peer.restrictions["2"]
        new = await read(peer, "confluence", "/wiki?api=v2")
        del peer.restrictions["6"], peer.pages[5]["restrictions"]
        old = await read(peer, "confluence", "/wiki?api=v1")
    assert sorted(documents(new)) == ["confluence-1", "confluence-6"]
    assert "confluence-3: who may read it cannot be told" in reasons(new)
    assert "confluence-3" in [item.document for item in new.items if isinstance(item, Problem)]
    assert not new.is_incomplete
    assert "confluence-6" not in documents(old)


@pytest.mark.parametrize("api", ["v1", "v2"])
async def test_what_breaks_off_is_incomplete(api: str) -> None:
    """The pages before it are read where their readers are known."""
    async with wiki() as peer:
        peer.fails_after = 1
        found = await read(peer, "confluence", f"/wiki?api={api}")
    assert found.is_incomplete
    assert "broke off" in reasons(found)
    assert len(documents(found)) == (2 if api == "v1" else 0)


async def test_a_misspelt_space_is_no_empty_one() -> None:
    """It is named, and nothing of it is taken for deleted."""
    async with wiki() as peer:
        found = await read(peer, "confluence", "/wiki?api=v2&space=SUP,NONE")
    assert "knows no space NONE" in reasons(found)
    assert found.is_incomplete


async def test_a_public_wiki_is_said_to_be_public() -> None:
    """By the operator; restricted pages stay restricted."""
    async with wiki() as peer:
        found = documents(await read(peer, "confluence", "/wiki?api=v1&visibility=public"))
    assert found["confluence-1"].visibility == ("public",)
    assert "public" not in found["confluence-2"].visibility
