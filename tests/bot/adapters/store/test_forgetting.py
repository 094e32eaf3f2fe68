"""Forgetting in Redis on real servers: nothing of the subject stays in keys or in the append-only file, others stay."""

from dataclasses import dataclass, replace

import pytest

from bot.adapters.store.client import RedisLink
from bot.adapters.store.forgetting import RedisForgetting
from bot.adapters.store.history import RedisThreadStore
from bot.adapters.store.keys import Keyspace
from bot.adapters.store.limits import Bound, Bounds, RedisLimits
from bot.adapters.store.pseudonyms import Pseudonyms
from bot.adapters.store.server_files import rewrite_files
from bot.adapters.work.queue import RedisWorkQueue
from bot.lead.forgetting import Forgotten, SubjectKind
from bot.lead.receipts import receipt_of
from bot.messages import AcceptedMessage, MessageId, Platform, ThreadRef, Turn
from bot.questions.message_json import message_to_json
from bot.questions.turns import turn_of
from retrieval.redaction import RedactedText
from tests.redis_servers import RedisServer
from tests.sample_messages import answer

ANA, BEN = "U0ANALIMA", "U0BENKOW"
SECRET = "zebulon qwertzuiop"


@dataclass(slots=True)
class Desk:
    """Everything that a conversation leaves in Redis."""

    link: RedisLink
    keys: Keyspace

    @property
    def people(self) -> Pseudonyms:
        return Pseudonyms(self.link, self.keys)

    @property
    def queue(self) -> RedisWorkQueue:
        return RedisWorkQueue(self.link, self.keys)

    @property
    def threads(self) -> RedisThreadStore:
        return RedisThreadStore(self.link, self.keys)

    @property
    def forgetting(self) -> RedisForgetting:
        return RedisForgetting(self.link, self.keys, self.people)

    async def asked(self, message: AcceptedMessage, *, cited: str = "kb-101") -> None:
        """Leave what a question leaves that was counted, answered, posted and remembered."""
        limits = RedisLimits(self.link, self.keys, self.people, Bounds(Bound(9), Bound(9)))
        await limits.judge(message)
        await self.queue.enqueue(message, claims=(f"msg:{message.message_id}",))
        said = answer(f"about {message.text}")
        said = replace(said, citations=tuple(replace(c, id=cited) for c in said.citations))
        asker = await self.people.of(message.user_id)
        turn = turn_of(message, said, asker=asker)
        assert turn is not None
        receipt = receipt_of(message, said, post_id="17.5 17.6", asker=asker)
        await self.queue.mark_posted(message.message_id, message.thread, post_id="17.5", turn=turn, receipt=receipt)
        await self.threads.remember(message.thread, turn, message_id=message.message_id)
        dead = self.keys.of_thread(message.thread, "dead")
        await self.link.execute("XADD", dead, "*", "message", message_to_json(message), "reason", "test")
        await self.link.execute("EXPIRE", dead, 1000)

    async def forget(self, kind: SubjectKind, subject_id: str) -> Forgotten:
        """Forget, and have the files rewritten."""
        forgotten = await self.forgetting.forget(await self.forgetting.subject(kind, subject_id))
        await self.forgetting.drop_receipts(forgotten.receipts)
        assert await rewrite_files(self.link) == "rewritten"
        return forgotten

    async def turns(self, message: AcceptedMessage) -> list[str]:
        """Give the questions that a thread still knows."""
        return [turn.question for turn in await self.threads.turns(message.thread)]


@pytest.fixture
async def desk(own_redis_link: RedisLink) -> Desk:
    """Give an empty Redis of its own."""
    return Desk(own_redis_link, Keyspace())


def question(text: str, user: str, thread_id: str, number: int, tenant: str = "T1") -> AcceptedMessage:
    """Ask in a thread."""
    return AcceptedMessage(
        message_id=MessageId(f"slack:{tenant}:C1:17{number:02d}.1"),
        thread=ThreadRef(Platform.SLACK, tenant, "C1", thread_id),
        user_id=user,
        text=RedactedText.stored(text),
        received_at=1_700_000_000.0 + number,
    )


OWN = question(f"where is the {SECRET}", ANA, "1700000001.000100", 1)
SHARED_OWN = question(f"and my {SECRET}", ANA, "1700000002.000100", 2)
SHARED_OTHER = question("how do refunds work", BEN, "1700000002.000100", 3)
ELSEWHERE = question("is sync down", BEN, "1700000003.000100", 4, tenant="T2")
ALL = (OWN, SHARED_OWN, SHARED_OTHER, ELSEWHERE)


async def test_a_person(desk: Desk, own_redis_server: RedisServer) -> None:
    """The person's questions leave history, queue, dead letters, posted turns, counts and file; a shared thread keeps the rest."""
    for message in ALL:
        await desk.asked(message)
    pseudonym = await desk.people.of(ANA)
    assert SECRET.encode() in own_redis_server.written()
    forgotten = await desk.forget(SubjectKind.USER, ANA)
    assert forgotten.counts == {"turns": 2, "posted": 2, "work": 2, "dead": 2, "counts": 1, "claims": 2}
    assert {r.message_id for r in forgotten.receipts} == {OWN.message_id, SHARED_OWN.message_id}
    written = own_redis_server.written()
    assert SECRET.encode() not in written
    assert ANA.encode() not in written
    assert b"how do refunds work" in written
    assert await desk.turns(SHARED_OTHER) == [SHARED_OTHER.text]
    kept = [str(key) for key in await desk.link.execute("KEYS", f"*{pseudonym}*")]
    assert all(":gone:" in key for key in kept)


async def test_a_thread(desk: Desk, own_redis_server: RedisServer) -> None:
    """A thread by the id of its root leaves no key that names it but the mark; its messages' claims and posts go too."""
    for message in ALL:
        await desk.asked(message)
    forgotten = await desk.forget(SubjectKind.THREAD, "1700000002.000100")
    assert forgotten.counts["turns"] == 2
    assert len(forgotten.receipts) == 2
    names = [str(key) for key in await desk.link.execute("KEYS", "*")]
    assert all(":gone:" in n for n in names if "1700000002" in n or SHARED_OTHER.message_id in n)
    assert b"how do refunds work" not in own_redis_server.written()
    assert await desk.turns(OWN) == [OWN.text]
    assert (await desk.forget(SubjectKind.THREAD, OWN.thread.key)).counts["turns"] == 1


async def test_a_document(desk: Desk, own_redis_server: RedisServer) -> None:
    """Turns that cite it or name it go; an id that only begins like it is another document."""
    await desk.asked(OWN, cited="kb-secret")
    await desk.asked(SHARED_OTHER, cited="kb-secret-2")
    named = question("what does kb-secret say", BEN, "1700000003.000100", 5)
    await desk.asked(named)
    forgotten = await desk.forget(SubjectKind.DOCUMENT, "kb-secret")
    assert (forgotten.counts["turns"], forgotten.counts["posted"]) == (2, 2)
    assert [r.message_id for r in forgotten.receipts] == [OWN.message_id]
    assert await desk.turns(SHARED_OTHER) == [SHARED_OTHER.text]
    assert f"about where is the {SECRET}".encode() not in own_redis_server.written()


async def test_a_workspace(desk: Desk, own_redis_server: RedisServer) -> None:
    """Everything of a workspace goes, counts of its channels included; another workspace with the same channel id stays."""
    for message in ALL:
        await desk.asked(message)
    await desk.forget(SubjectKind.PLACE, "slack/T1")
    names = [str(key) for key in await desk.link.execute("KEYS", "*")]
    assert all(":gone:" in name for name in names if "T1" in name)
    assert any("T2" in name and ":turns:" in name for name in names)
    assert SECRET.encode() not in own_redis_server.written()


@pytest.mark.parametrize("kind", [SubjectKind.USER, SubjectKind.THREAD, SubjectKind.PLACE])
async def test_what_was_in_work_leaves_nothing(desk: Desk, kind: SubjectKind) -> None:
    """An answer that comes after the forgetting is neither posted nor remembered; a question asked later is."""
    named = {SubjectKind.USER: ANA, SubjectKind.THREAD: OWN.thread.thread_id, SubjectKind.PLACE: "slack/T1"}
    await desk.forget(kind, named[kind])
    asker = await desk.people.of(ANA)
    later = replace(OWN, message_id=MessageId("slack:T1:C1:99.1"), received_at=4e9)
    assert [await desk.queue.is_withdrawn(m, asker=asker) for m in (OWN, later)] == [True, False]
    assert not await desk.queue.is_withdrawn(ELSEWHERE, asker=await desk.people.of(BEN))
    for message in (OWN, later):
        turn = turn_of(message, answer(), asker=asker)
        assert turn is not None
        await desk.queue.mark_posted(message.message_id, message.thread, post_id="1", turn=turn)
        await desk.threads.remember(message.thread, turn, message_id=message.message_id)
    assert [turn.asked_at for turn in await desk.threads.turns(OWN.thread)] == [4e9]
    assert await desk.queue.posted_turn(OWN.message_id, OWN.thread) is None
    assert await desk.queue.posted_turn(later.message_id, later.thread) is not None


async def test_an_answer_from_a_forgotten_document_is_not_remembered(desk: Desk) -> None:
    """It was worded before the index was made anew."""
    await desk.forget(SubjectKind.DOCUMENT, "kb-101")
    turn = turn_of(OWN, answer())
    assert isinstance(turn, Turn)
    await desk.threads.remember(OWN.thread, turn, message_id=OWN.message_id)
    assert await desk.turns(OWN) == []


async def test_a_deleted_message(desk: Desk) -> None:
    """Its turn leaves history and mark, others of the thread stay; still in the queue, it counts as withdrawn whenever it was asked."""
    for message in ALL:
        await desk.asked(message)
    await desk.forgetting.withdraw(SHARED_OWN.message_id, SHARED_OWN.thread)
    assert await desk.turns(SHARED_OTHER) == [SHARED_OTHER.text]
    assert await desk.queue.posted_turn(SHARED_OWN.message_id, SHARED_OWN.thread) is None
    assert await desk.queue.is_withdrawn(replace(SHARED_OWN, received_at=4e9), asker="")
    assert not await desk.queue.is_withdrawn(SHARED_OTHER, asker="")


async def test_every_key_of_it_expires(desk: Desk) -> None:
    """Marks and counters have a lifetime like everything else."""
    for message in ALL:
        await desk.asked(message)
    await desk.forget(SubjectKind.USER, ANA)
    for key in await desk.link.execute("KEYS", "*"):
        assert 0 < int(await desk.link.execute("TTL", key)) <= 30 * 86_400, key


async def test_a_server_without_files_has_nothing_to_rewrite(desk: Desk) -> None:
    """No append-only file, no snapshots: said so."""
    await desk.link.execute("CONFIG", "SET", "appendonly", "no")
    assert await rewrite_files(desk.link) == "none"


async def test_snapshots_are_written_anew(desk: Desk, own_redis_server: RedisServer) -> None:
    """A server with snapshots writes a new one."""
    await desk.asked(OWN)
    await desk.link.execute("SAVE")
    await desk.link.execute("CONFIG", "SET", "save", "3600 1")
    await desk.forget(SubjectKind.USER, ANA)
    assert SECRET.encode() not in own_redis_server.snapshot()
