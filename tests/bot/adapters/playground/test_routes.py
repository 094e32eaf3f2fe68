"""The playground's routes: escaped pages, sources by audience, a key once a platform is served."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest

from bot.adapters.playground import Channel, PlaygroundAccess, build_playground
from bot.adapters.web.listeners import private_application
from bot.messages import Platform
from bot.questions.accepting import local_thread
from retrieval.redaction import Redactor
from tests.bot.adapters.web_fakes import PLANTED, EchoFlow, TwoSources
from tests.fakes import FixedClock
from tests.web_server import serving

CHANNEL = Channel(("How do I reset a PIN?",), 99, "extractive")


@asynccontextmanager
async def playground(
    key: str = "", labels: frozenset[str] = frozenset({"public", "internal"})
) -> AsyncIterator[httpx.AsyncClient]:
    """Serve the playground."""
    access = PlaygroundAccess(key, labels)
    router = build_playground(
        EchoFlow().answer, TwoSources(), access=access, channel=CHANNEL, redactor=Redactor(), clock=FixedClock(1.0)
    )
    async with serving(private_application([router])) as client:
        yield client


async def test_a_reply_is_escaped_and_shows_why() -> None:
    """Planted markup stays text; ids, scores, gate, cut, cost and timings are there."""
    async with playground() as client:
        response = await client.post("playground/ask", json={"question": f"x {PLANTED}", "thread": "t-1"})
    page = response.text
    assert response.status_code == 200
    assert PLANTED not in page
    for part in (
        "kb-101%2F%C3%A4",
        "7.25",
        "0.861",
        "0.97",
        "answered from 0.50",
        "0.0125 USD",
        "gate 1 ms",
        "billing",
    ):
        assert part in page


async def test_its_threads_are_its_own() -> None:
    """No thread that the HTTP API can name is one of the playground's."""
    flow = EchoFlow()
    access = PlaygroundAccess("", frozenset({"public"}))
    router = build_playground(
        flow.answer, TwoSources(), access=access, channel=CHANNEL, redactor=Redactor(), clock=FixedClock(1.0)
    )
    async with serving(private_application([router])) as client:
        await client.post("playground/ask", json={"question": "x", "thread": "t-1"})
    used = flow.messages[0].thread
    assert used.key not in {local_thread(Platform.HTTP, name).key for name in ("t-1", "playground-t-1")}
    assert used.channel_id != local_thread(Platform.HTTP, "x").channel_id


async def test_nothing_found_names_the_nearest() -> None:
    """The closest sources are links, not citations."""
    async with playground() as client:
        page = (await client.post("playground/ask", json={"question": "nothing", "thread": "t"})).text
    assert 'data-outcome="no_match"' in page
    assert "kb-140" in page
    assert "sources" not in page.split("why")[0].replace("/playground/sources/", "")


@pytest.mark.parametrize(
    "body", [{"question": "", "thread": "t"}, {"question": "x", "thread": "../x"}, {"question": "x"}]
)
async def test_a_question_of_the_wrong_form_is_named(body: dict[str, str]) -> None:
    """The page's own form is checked too."""
    async with playground() as client:
        assert (await client.post("playground/ask", json=body)).status_code == 422


async def test_a_source_page_shows_text_without_its_markup_or_images() -> None:
    """Markdown is shown; scripts, images and links of the text are not."""
    async with playground() as client:
        page = (await client.get("playground/sources/kb-101%2F%C3%A4")).text
    assert "<strong>menu</strong>" in page
    assert PLANTED not in page
    assert "<img" not in page


@pytest.mark.parametrize(("labels", "status"), [({"public"}, 404), ({"internal"}, 200)])
async def test_a_source_is_shown_to_its_audience_only(labels: set[str], status: int) -> None:
    """An internal ticket is no source for the public, and does not say that it exists."""
    async with playground(labels=frozenset(labels)) as client:
        assert (await client.get("playground/sources/t-1")).status_code == status


async def test_assets_are_a_closed_list() -> None:
    """Only the page's own files are served."""
    async with playground() as client:
        assert (await client.get("playground/playground.css")).headers["content-type"].startswith("text/css")
        for name in ("page.html", "..%2Froutes.py", "routes.py"):
            assert (await client.get(f"playground/{name}")).status_code == 404


async def test_with_a_key_the_page_opens_by_its_link_only() -> None:
    """Once a platform is served, strangers on the machine get 401; the link sets a cookie that opens everything."""
    async with playground("a-key") as client:
        for path in ("", "?key=wrong", "playground/sources/t-1"):
            assert (await client.get(path)).status_code == 401
        assert (await client.post("playground/ask", json={"question": "x", "thread": "t"})).status_code == 401
        opened = await client.get("?key=a-key")
        assert opened.status_code == 303
        assert "httponly" in opened.headers["set-cookie"].lower()
        assert (await client.get("")).status_code == 200
