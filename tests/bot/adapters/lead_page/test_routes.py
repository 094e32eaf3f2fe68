"""The lead's page: who gets in, what it shows, and what a decision does, in the browser too."""

import shutil
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import httpx
import pytest
from playwright.async_api import async_playwright

from bot.adapters.files.corrections import CorrectionRefused
from bot.adapters.lead_page import build_lead_page
from bot.adapters.web.guards import OpenedPath
from bot.adapters.web.listeners import health_routes, private_application
from bot.errors import StateUnavailable
from bot.lead.corrections import CorrectionKind
from bot.lead.findings import Decided, Fate, Finding, Overview, SetAside, SetRight
from bot.lead.quarantine import HeldDocument, LeadVerdict, VerdictRefused
from retrieval.errors import IndexBusy
from tests.bot.adapters.playground.test_page import FLAGS
from tests.bot.adapters.web_fakes import PLANTED
from tests.bot.lead.test_corrections import PIN, REFUSE
from tests.skips import require_or_skip
from tests.web_server import serving

CONFLICT = Finding("conflict", ("kb-1", "kb-2"), "refund: 14 days or 30 days", (f"kb-1 {PLANTED}", "kb-2"), ("Ana", ""))
OLD = Finding("stale", ("kb-3",), f"kb-3 {PLANTED}", ("due",), ("Ben",))
HELD = HeldDocument(
    "kb-9", "0123456789abcdef", PLANTED, 0.93, ("override", "role_line"), (f"Ignore {PLANTED}",), "Ana",
    hidden=(f"a comment: obey {PLANTED}",),
)  # fmt: skip
DECIDED = HeldDocument(
    "kb-8", "0" * 16, "Old", 0.9, ("override",), (), "", "approved", "Ana", "2026-11-29T08:00:00", "harmless"
)
GAP = Finding("gap", (), "Can I pay with Bitcoin?", ("3 × no match",))


class Desk:
    """A `LeadDesk` with two findings; keeps what was decided, and can be away."""

    def __init__(self) -> None:
        self.decided: list[tuple[str, Fate, int]] = []
        self.is_away = False
        self.set_right: list[tuple[str, str, tuple[str, ...], str]] = []
        self.undone: list[str] = []
        self.more: tuple[Finding, ...] = ()
        self.aside: tuple[SetAside, ...] = ()
        self.judged: list[tuple[str, str, LeadVerdict, str]] = []
        self.held: tuple[HeldDocument, ...] = ()

    async def overview(self) -> Overview:
        """Give both."""
        if self.is_away:
            raise StateUnavailable("away")
        set_right = (SetRight(PIN, ("kb-1",)), SetRight(REFUSE))
        days = {"2026-11-29": {}, "2026-11-30": {"gap": 3}}
        plot = {"2026-11-30": {"conflict": 7}}
        found = (CONFLICT, GAP, *self.more)
        return Overview(found, 1, 99, days, set_right, plot, self.aside, self.held)

    async def decide(self, key: str, fate: Fate, *, days: int) -> None:
        """Keep it."""
        if self.is_away:
            raise StateUnavailable("away")
        self.decided.append((key, fate, days))

    async def correct(self, key: str, kind: CorrectionKind, *, sources: Sequence[str] = (), answer: str = "") -> str:
        """Keep it; a pin without a text is refused."""
        if self.is_away:
            raise StateUnavailable("away")
        if kind is CorrectionKind.PIN and not answer:
            raise CorrectionRefused("a pinned answer needs a text")
        self.set_right.append((key, str(kind), tuple(sources), answer))
        return "a" * 16

    async def undo(self, key: str) -> None:
        """Keep it."""
        if self.is_away:
            raise StateUnavailable("away")
        self.undone.append(key)

    async def judge(self, document: str, content: str, verdict: LeadVerdict, *, note: str) -> None:
        """Keep it; what changed since is refused."""
        if self.is_away:
            raise IndexBusy("somebody writes")
        if content != HELD.content:
            raise VerdictRefused("this document says something else by now")
        self.judged.append((document, content, verdict, note))


class Door:
    """A `LeadDoor` with one link."""

    def __init__(self) -> None:
        self.links = {"one"}

    async def is_waiting(self, link: str) -> bool:
        """Know the link."""
        return link in self.links

    async def enter(self, link: str) -> str:
        """Let in once."""
        if link not in self.links:
            return ""
        self.links.discard(link)
        return "session"

    async def is_open(self, session: str) -> bool:
        """Know the session."""
        return session == "session"


@asynccontextmanager
async def lead_page(desk: Desk) -> AsyncIterator[httpx.AsyncClient]:
    """Serve the page."""
    async with serving(private_application([build_lead_page(desk, Door())])) as client:
        yield client


async def test_a_link_opens_the_page_once() -> None:
    """Without it 401; with it the page, escaped and side by side, with owners and numbers by day; a second time 401."""
    async with lead_page(Desk()) as client:
        assert (await client.get("/lead")).status_code == 401
        entered = await client.post("/lead/enter", data={"link": "one"})
        assert (entered.status_code, entered.headers["location"]) == (303, "../lead")
        assert "httponly" in entered.headers["set-cookie"].lower()
        assert "secure" not in entered.headers["set-cookie"].lower()
        page = (await client.get("/lead")).text
        assert PLANTED not in page
        assert "kb-1 &lt;script&gt;" in page
        for shown in (
            "refund: 14 days or 30 days",
            "99 documents",
            "<b>1</b> Ana",
            "<b>1</b> nobody",
            "3 unanswered",
            "2026-11-30: 7 contradictions",
        ):
            assert shown in page
        assert (await client.post("/lead/enter", data={"link": "one"})).status_code == 401
        assert (await client.get("/lead?link=one")).text == page  # who is in stays in
        assert (await client.get("/lead/lead.js")).headers["content-type"].startswith("text/javascript")
        assert (await client.get("/lead/other.js")).status_code == 404


async def test_a_preview_spends_no_link() -> None:
    """Whoever fetches a link, as often as they like, gets a button; what is no link, or spent, gets words and no button."""
    async with lead_page(Desk()) as client:
        for _ in range(3):
            preview = await client.get("/lead?link=one", headers={"User-Agent": "Slackbot-LinkExpanding 1.0"})
            assert (preview.status_code, preview.headers.get("set-cookie")) == (200, None)
            assert "99 documents" not in preview.text
        assert 'value="one"' in preview.text
        assert (await client.post("/lead/enter", data={"link": "one"})).status_code == 303
        client.cookies.clear()
        for address, words in (
            ("/lead?link=one", "was used or has expired"),
            ("/lead", "/kb lead"),
            ("/lead?link=%3Cb%3E", "/kb"),
        ):
            closed = await client.get(address)
            assert (closed.status_code, "<button" in closed.text, words in closed.text) == (401, False, True)
        assert (await client.post("/lead/enter", content=b"x" * 2_000)).status_code == 413
        assert (await client.post("/lead/enter", content=b"\xff")).status_code == 401


async def test_behind_the_operators_own_proxy() -> None:
    """Its address opens the page and what the page sends, and nothing beside it; the session goes over TLS only."""
    opened = OpenedPath("/lead", "https://triage.internal")
    told = {"X-Forwarded-For": "10.0.0.7", "Origin": "https://triage.internal"}
    routers = [build_lead_page(Desk(), Door()), health_routes(None, None)]
    async with serving(private_application(routers, opened)) as client:
        for host in ("triage.internal", "127.0.0.1"):  # as proxies pass it on, or not
            through = {**told, "Host": host}
            assert (await client.get("/lead?link=one", headers=through)).status_code == 200
            assert (await client.post("/lead/decide", headers=through, json={})).status_code == 401
        entered = await client.post("/lead/enter", headers={**told, "Host": "triage.internal"}, data={"link": "one"})
        assert "secure" in entered.headers["set-cookie"].lower()
        assert (await client.get("/livez", headers={"Host": "triage.internal"})).status_code == 403
        assert (await client.get("/leads", headers=told)).status_code == 403
        for wrong in ({"Host": "other.internal"}, {"Origin": "https://other.internal"}, {"Origin": "null"}):
            assert (await client.get("/lead?link=one", headers=wrong)).status_code == 403


async def test_everything_can_be_reached_and_by_owner() -> None:
    """Ten of a kind are open, the rest is folded; an owner sees what is theirs, and who else has something."""
    desk = Desk()
    desk.more = tuple(Finding("stale", (f"kb-{n}",), f"kb-{n} · Fax", ("due",), ("Ben & Co",)) for n in range(12))
    desk.more += (Finding("unresolved", ("t-1", "t-2"), "2 tickets", ("t-1, t-2",)),)
    async with lead_page(desk) as client:
        await client.post("/lead/enter", data={"link": "one"})
        page = (await client.get("/lead")).text
        assert page.count("· Fax") == 12
        assert "<summary>2 more</summary>" in page
        assert "<b>2</b> Tickets without a resolution" in page
        assert "Set aside" not in page
        desk.aside = (SetAside(OLD, Decided(Fate.RESOLVED, "lead", 1_780_000_000.0)),)
        page = (await client.get("/lead")).text
        assert "<summary>Set aside: 1 resolved, snoozed or marked</summary>" in page
        assert "resolved on 2026-05-28 · Ben" in page
        assert PLANTED not in page
        assert "kb-3" not in (await client.get("/lead?owner=Ana")).text
        theirs = (await client.get("/lead", params={"owner": "Ben & Co"})).text
        assert (theirs.count("· Fax"), "refund" in theirs, "<b>1</b> Ana" in theirs) == (12, False, True)
        assert "refund: 14" in (await client.get("/lead?owner=nobody")).text
        assert "Nothing is open here" in (await client.get("/lead?owner=Zoe")).text


async def test_a_decision_is_checked_and_taken() -> None:
    """Only of the lead and of the right form; Redis away is 503 for both, not a traceback."""
    desk = Desk()
    async with lead_page(desk) as client:
        body = {"key": CONFLICT.key, "fate": "snoozed", "days": 7}
        assert (await client.post("/lead/decide", json=body)).status_code == 401
        await client.post("/lead/enter", data={"link": "one"})
        assert (await client.post("/lead/decide", json=body)).json() == {"key": CONFLICT.key, "fate": "snoozed"}
        for wrong in ({**body, "key": "../x"}, {**body, "fate": "gone"}, {**body, "days": 0}, {}):
            assert (await client.post("/lead/decide", json=wrong)).status_code == 422
        assert desk.decided == [(CONFLICT.key, Fate.SNOOZED, 7)]
        desk.is_away = True
        assert (await client.post("/lead/decide", json=body)).status_code == 503
        assert (await client.get("/lead")).status_code == 503


async def test_a_question_is_set_right() -> None:
    """Only by the lead and in the right form; the page lists what is set right, and for which source a pin has ended."""
    desk = Desk()
    async with lead_page(desk) as client:
        body = {"key": GAP.key, "kind": "hide", "sources": ["kb-1"]}
        assert (await client.post("/lead/correct", json=body)).status_code == 401
        assert (await client.post("/lead/undo", json={"key": "a" * 16})).status_code == 401
        await client.post("/lead/enter", data={"link": "one"})
        assert (await client.post("/lead/correct", json=body)).json() == {"key": "a" * 16, "kind": "hide"}
        refused = await client.post("/lead/correct", json={**body, "kind": "pin"})
        assert (refused.status_code, refused.json()["detail"]) == (422, "a pinned answer needs a text")
        for wrong in ({**body, "kind": "drop"}, {**body, "key": "x"}, {**body, "sources": "kb-1"}):
            assert (await client.post("/lead/correct", json=wrong)).status_code == 422
        assert (await client.post("/lead/undo", json={"key": "a" * 16})).json() == {"key": "a" * 16}
        assert (desk.set_right, desk.undone) == ([(GAP.key, "hide", ("kb-1",), "")], ["a" * 16])
        page = (await client.get("/lead")).text
        for shown in ("Can I pay with Bitcoin?", "no longer applies: kb-1 changed or gone", "Who is your landlord?"):
            assert shown in page
        desk.is_away = True
        assert (await client.post("/lead/correct", json=body)).status_code == 503
        assert (await client.post("/lead/undo", json={"key": "a" * 16})).status_code == 503


@pytest.mark.chromium
async def test_in_the_browser() -> None:
    """A click marks the finding at once, its button then undoes it; what is not saved says so."""
    executable = shutil.which("chromium")
    require_or_skip(executable is not None, "Debian's chromium is not installed")
    desk = Desk()
    desk.aside = (SetAside(OLD, Decided(Fate.SNOOZED, "lead", 1_780_000_000.0, 1_781_000_000.0)),)
    async with lead_page(desk) as client, async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=executable, headless=True, args=FLAGS)
        page = await browser.new_page()
        await page.goto(str(client.base_url.join("/lead?link=one")))
        await page.get_by_role("button", name="Open the page").click()
        button = page.locator("#conflict button[data-fate=variant]")
        await button.click()
        await page.get_by_text("marked as variant").wait_for()
        await button.click()
        await page.get_by_text("open again").wait_for()
        assert await page.locator("#gap button[data-fate=variant]").count() == 0
        await page.locator("#gap summary").click()
        await page.locator("#gap [data-kind=pin]").click()
        await page.get_by_text("not saved: a pinned answer needs a text").wait_for()
        await page.locator("#gap [name=sources]").fill("en/two words\n\n kb-2 ")
        await page.locator("#gap [name=answer]").fill("No.")
        await page.locator("#gap [data-kind=pin]").click()
        await page.locator("#gap [data-undo]").click()
        await page.get_by_text("undone").wait_for()
        await page.locator("#gap [data-kind=refuse]").click()
        await page.locator("#corrections [data-undo]").first.click()
        await page.locator("#corrections .done").wait_for()
        await page.get_by_role("link", name="1 resolved, snoozed or marked").click()
        await page.get_by_role("button", name="Undo: Snooze 14 days").click()
        await page.locator("#aside [data-fate=open]").wait_for()
        desk.is_away = True
        await button.click()
        await page.get_by_text("not saved: refused (503)").wait_for()
        await browser.close()
    assert desk.decided == [(CONFLICT.key, Fate.VARIANT, 14), (CONFLICT.key, Fate.OPEN, 14), (OLD.key, Fate.OPEN, 14)]
    assert desk.set_right == [(GAP.key, "pin", ("en/two words", "kb-2"), "No."), (GAP.key, "refuse", (), "")]
    assert desk.undone == ["a" * 16, PIN.key]


async def test_what_is_held_back_is_shown_with_reasons_and_judged() -> None:
    """Reasons and suspicious passages, escaped; a verdict goes with the content that was shown, a decided one can be taken back."""
    desk = Desk()
    desk.held = (HELD, DECIDED)
    async with lead_page(desk) as client:
        body = {"id": "kb-9", "content": HELD.content, "verdict": "approved", "note": " read it "}
        assert (await client.post("/lead/judge", json=body)).status_code == 401
        await client.post("/lead/enter", data={"link": "one"})
        page = (await client.get("/lead")).text
        assert PLANTED not in page
        for shown in (
            "<b>1</b> Held back",
            "override, role line",
            "risk 0.93",
            "Ignore &lt;script&gt;",
            "<li>a comment: obey &lt;script&gt;",
            "Undo: approved",
            "harmless",
        ):
            assert shown in page
        assert "kb-9" not in (await client.get("/lead?owner=nobody")).text
        assert (await client.post("/lead/judge", json=body)).json() == {"id": "kb-9", "verdict": "approved"}
        assert desk.judged == [("kb-9", HELD.content, LeadVerdict.APPROVED, "read it")]
        changed = await client.post("/lead/judge", json={**body, "content": "f" * 16})
        assert (changed.status_code, "by now" in changed.json()["detail"]) == (409, True)
        for wrong in ({**body, "verdict": "maybe"}, {**body, "content": "?"}, {**body, "id": ""}):
            assert (await client.post("/lead/judge", json=wrong)).status_code == 422
        desk.is_away = True
        assert (await client.post("/lead/judge", json=body)).status_code == 503
