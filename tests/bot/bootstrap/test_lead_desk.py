"""The lead's desk over a real index and a real Redis: what it finds, and that decisions hide it and can be undone."""

from dataclasses import replace
from pathlib import Path

import pytest

from bot.adapters.files.corrections import CorrectionFile, CorrectionRefused
from bot.adapters.files.decisions import DecisionFile
from bot.adapters.files.history import HistoryFile
from bot.adapters.store.client import RedisLink
from bot.adapters.store.gaps import RedisGaps
from bot.adapters.store.keys import Keyspace
from bot.adapters.web.lead_access import NOTE_LINK_TTL_S, RedisLeadDoor
from bot.audit import AuditValue
from bot.bootstrap.corrections import CorrectionDesk
from bot.bootstrap.lead_desk import IndexLeadDesk
from bot.bootstrap.parts import State, open_state
from bot.lead.corrections import CorrectionKind
from bot.lead.findings import DAY_S, Decided, Fate
from bot.lead.gaps import Gap, GapReason
from bot.messages import MessageId
from config.settings import load_settings
from retrieval.index import Update, keep_unresolved
from retrieval.redaction import RedactedText, Redactor
from tests.fakes import FixedClock
from tests.redis_servers import RedisServer
from tests.retrieval.indexes import article, build
from tests.sample_messages import thread

pytestmark = pytest.mark.parametrize("own_redis_server", ["valkey"], indirect=True)
NOW = 1_796_000_000.0  # 2026-11-30
BASE = (
    article("kb-1", "The refund window is 14 days from the date of the invoice.", title="Refunds", owner="Ana"),
    article("kb-2", "The refund window is 30 days from the date of the invoice.", title="Refund window", owner="Ben"),
    article("kb-3", "Visitors park behind the gate.", title="Parking", review_by="2026-01-01", owner="Ana"),
)


class Trail:
    """Keeps the rows."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, AuditValue]] = []

    def write(self, event: str, **fields: AuditValue) -> None:
        """Keep one."""
        self.rows.append((event, fields.get("fate")))


def _desk(folder: Path, state: State, trail: Trail, clock: FixedClock) -> IndexLeadDesk:
    history = HistoryFile(folder / "history.json")
    return IndexLeadDesk(folder / "index", state, DecisionFile(folder / "findings.json"), trail, clock, history=history)


async def test_findings_and_decisions(
    own_redis_server: RedisServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A contradiction, a stale page and a question; resolved is hidden, snoozed until its day, and undone is shown again."""
    monkeypatch.setenv("REDIS_URL", own_redis_server.url)
    build(tmp_path, BASE)
    keep_unresolved(tmp_path / "index", ("t-9",), update=Update(), indexed=())
    trail, clock = Trail(), FixedClock(NOW)
    async with open_state(load_settings(None).server, tmp_path) as state:
        asked = RedactedText.stored("Can I pay with Bitcoin?")
        gap = Gap(MessageId("m1"), thread(), asked, asked, "en", GapReason.NO_MATCH, NOW - 60)
        await RedisGaps(state.link, state.keys).note(gap)
        await RedisGaps(state.link, state.keys).note(
            replace(gap, message_id=MessageId("m2"), reason=GapReason.THUMBS_DOWN, cited=("kb-1",))
        )
        desk = _desk(tmp_path, state, trail, clock)
        seen = await desk.overview()
        assert {one.kind for one in seen.findings} >= {"conflict", "stale", "gap", "thumbs_down"}
        (conflict,) = seen.of("conflict")
        assert set(conflict.ids) == {"kb-1", "kb-2"}
        assert {side.split("\n")[0].removesuffix(" · preferred") for side in conflict.details[:2]} == {
            "kb-1 · Refunds",
            "kb-2 · Refund window",
        }
        assert dict(seen.owners)["Ana"] >= 2
        assert seen.by_day["2026-11-30"] == {"gap": 1, "thumbs_down": 1}
        assert seen.open_by_day["2026-11-30"] == {
            "conflict": 1,
            "stale": 1,
            "gap": 1,
            "thumbs_down": 1,
            "unresolved": 1,
        }
        assert len(seen.open_by_day) == 30
        await desk.decide(conflict.key, Fate.SNOOZED, days=14)
        seen = await desk.overview()
        assert not seen.of("conflict")
        assert [(one.finding, one.told) for one in seen.set_aside] == [(conflict, "snoozed until 2026-12-14")]
        clock.time += 15 * DAY_S
        assert (await desk.overview()).of("conflict")
        assert not (await desk.overview()).set_aside
        await desk.decide(conflict.key, Fate.VARIANT, days=14)
        assert not (await _desk(tmp_path, state, trail, clock).overview()).of("conflict")
        await desk.decide(conflict.key, Fate.OPEN, days=14)
        assert (await desk.overview()).of("conflict")
    assert trail.rows == [("finding_decided", "snoozed"), ("finding_decided", "variant"), ("finding_decided", "open")]


async def test_links_open_once(own_redis_link: RedisLink) -> None:
    """A link gives one session, which holds; neither lies in Redis as it is, and both expire."""
    door = RedisLeadDoor(own_redis_link, Keyspace())
    link = await door.make_link(NOTE_LINK_TTL_S)
    assert await door.is_waiting(link)
    assert await door.is_waiting(link)
    (waiting,) = await own_redis_link.execute("KEYS", "*lead-link*")
    assert 2 * DAY_S < await own_redis_link.execute("TTL", waiting) <= 3 * DAY_S
    session = await door.enter(link)
    assert session
    assert await door.is_open(session)
    assert not await door.enter(link)
    assert not await door.is_waiting(link)
    assert not await door.is_waiting("")
    assert not await door.enter("")
    assert not await door.is_open("x")
    keys = await own_redis_link.execute("KEYS", "*lead-*")
    assert len(keys) == 1
    assert session not in keys[0]
    assert await own_redis_link.execute("TTL", keys[0]) > 0


def test_a_file_that_is_not_ours_holds_nothing(own_redis_server: RedisServer, tmp_path: Path) -> None:
    """It is read as empty, and the next decision writes it anew."""
    assert own_redis_server.url
    file = DecisionFile(tmp_path / "findings.json")
    (tmp_path / "findings.json").write_text("[1]")
    assert file.read() == {}
    file.decide("0" * 16, Decided(Fate.RESOLVED, "lead", 1.0))
    assert file.read().keys() == {"0" * 16}


async def test_a_complaint_is_set_right(
    own_redis_server: RedisServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the finding of a question: kept with whose it was, ended by a change of its source, undone, each written down."""
    monkeypatch.setenv("REDIS_URL", own_redis_server.url)
    build(tmp_path, BASE)
    trail = Trail()
    async with open_state(load_settings(None).server, tmp_path) as state:
        asked = RedactedText.stored("Can I pay with Bitcoin?")
        gap = Gap(MessageId("m1"), thread(), asked, asked, "en", GapReason.NO_MATCH, NOW - 60, asker="p1")
        await RedisGaps(state.link, state.keys).note(gap)
        desk = replace_corrections(_desk(tmp_path, state, trail, FixedClock(NOW)), tmp_path)
        (finding,) = (await desk.overview()).of("gap")
        with pytest.raises(CorrectionRefused, match="not kept any more"):
            await desk.correct("0" * 16, CorrectionKind.REFUSE)
        with pytest.raises(CorrectionRefused, match="not in the index: kb-9"):
            await desk.correct(finding.key, CorrectionKind.HIDE, sources=("kb-9",))
        key = await desk.correct(finding.key, CorrectionKind.PIN, sources=("kb-1",), answer="No, by card.")
        assert not (await desk.overview()).of("gap")  # what is set right is not asked for any more
        (shown,) = (await desk.overview()).corrections
        assert (shown.correction.asker, shown.correction.message_id, shown.lapsed) == ("p1", "m1", ())
        build(tmp_path, (replace(BASE[0], text="The refund window is 10 days."), *BASE[1:]))
        (shown,) = (await desk.overview()).corrections
        assert shown.lapsed == ("kb-1",)
        await desk.undo(key)
        assert (await desk.overview()).corrections == ()
        assert (await desk.overview()).of("gap")
        bare = _desk(tmp_path, state, trail, FixedClock(NOW))
        await bare.undo(key)
        with pytest.raises(CorrectionRefused, match="not kept here"):
            await bare.correct(finding.key, CorrectionKind.REFUSE)
    assert [event for event, _ in trail.rows] == ["corrected", "correction_undone"]


def replace_corrections(desk: IndexLeadDesk, folder: Path) -> IndexLeadDesk:
    """Give the desk a file of corrections."""
    file = CorrectionFile(folder / "corrections.json")
    desk.corrections = CorrectionDesk(file, Redactor(), desk.trail, desk.clock)
    return desk
