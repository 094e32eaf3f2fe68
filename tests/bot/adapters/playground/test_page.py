"""The page in a real browser: ask, follow up in the thread, open a source, see why."""

import shutil
from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Page, async_playwright

from tests.bot.adapters.playground.test_routes import playground
from tests.skips import require_or_skip

pytestmark = pytest.mark.chromium
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@pytest.fixture
async def page() -> AsyncIterator[Page]:
    """Open the playground in Chromium; an error on its console fails the test."""
    executable = shutil.which("chromium")
    require_or_skip(executable is not None, "Debian's chromium is not installed")
    faults: list[str] = []
    async with playground() as client, async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=executable, headless=True, args=FLAGS)
        opened = await browser.new_page()
        # An aborted request is logged by the browser itself; one test aborts one.
        opened.on(
            "console", lambda m: faults.append(m.text) if m.type == "error" and "ERR_FAILED" not in m.text else None
        )
        opened.on("pageerror", lambda error: faults.append(str(error)))
        await opened.goto(str(client.base_url))
        yield opened
        await browser.close()
    assert faults == []


async def test_a_question_opens_a_thread_with_a_cited_answer(page: Page) -> None:
    """Typing and Enter gives the answer below the question, with its source as a link."""
    await page.fill("#question", "How do I reset a PIN?")
    await page.press("#question", "Enter")
    reply = page.locator(".reply").first
    await reply.wait_for()
    assert await page.locator(".thread").count() == 1
    assert "How do I reset a PIN?" in await reply.locator(".text").inner_text()
    assert await reply.locator(".sources a").get_attribute("href") == "/playground/sources/kb-101%2F%C3%A4"


async def test_a_follow_up_stays_in_its_thread(page: Page) -> None:
    """The thread's own box answers below the first reply, a new message opens a second thread."""
    await page.fill("#question", "first")
    await page.press("#question", "Enter")
    await page.locator(".reply-form textarea").fill("and on Android?")
    await page.locator(".reply-form button").click()
    await page.locator(".thread .reply").nth(1).wait_for()
    await page.locator(".example, #question").first.fill("second")
    await page.press("#question", "Enter")
    await page.locator(".thread").nth(1).locator(".reply").wait_for()
    assert await page.locator(".thread").nth(0).locator(".reply").count() == 2


async def test_an_example_asks_itself(page: Page) -> None:
    """A newcomer clicks the first example."""
    await page.locator(".example").first.click()
    await page.locator(".reply").wait_for()
    assert await page.locator("#empty").count() == 0


async def test_why_this_answer_opens(page: Page) -> None:
    """The reasons are folded away, and open on a click."""
    await page.fill("#question", "x")
    await page.press("#question", "Enter")
    await page.locator(".why summary").click()
    shown = await page.locator(".why").inner_text()
    for part in ("as rewritten", "0.861", "answered from 0.50", "0.97"):
        assert part in shown


async def test_a_source_opens_in_its_own_page(page: Page) -> None:
    """The cited id leads to the text of the source."""
    await page.fill("#question", "x")
    await page.press("#question", "Enter")
    async with page.expect_popup() as opening:
        await page.locator(".sources a").click()
    source = await opening.value
    await source.locator("main > h1").wait_for()
    assert "menu" in await source.locator(".text").inner_text()


async def test_planted_markup_does_not_run(page: Page) -> None:
    """Markup in a question and in a title is text in the page."""
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    await page.fill("#question", "<img src=x onerror=alert(1)>")
    await page.press("#question", "Enter")
    await page.locator(".reply").wait_for()
    assert dialogs == []
    assert await page.locator(".reply img, .message img").count() == 0


async def test_a_failed_send_gives_the_question_back(page: Page) -> None:
    """When the bot is away the words are back in the box and the page says so."""
    await page.route("**/playground/ask", lambda route: route.abort())
    await page.fill("#question", "keep me")
    await page.press("#question", "Enter")
    await page.locator(".pending", has_text="out of reach").wait_for()
    assert await page.input_value("#question") == "keep me"
