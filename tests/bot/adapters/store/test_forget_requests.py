"""Places that the bot was removed from are forgotten by whichever process looks first."""

import asyncio
from dataclasses import replace
from pathlib import Path

from structlog.testing import capture_logs

from bot.adapters.files.corrections import CorrectionFile
from bot.adapters.store.client import RedisLink
from bot.adapters.store.forget_requests import ForgetRequests
from bot.adapters.store.forgetting import RedisForgetting
from bot.adapters.store.history import RedisThreadStore
from bot.adapters.store.keys import Keyspace
from bot.adapters.store.pseudonyms import Pseudonyms
from bot.lead.forgetting import SubjectKind
from bot.messages import MessageId, Platform
from bot.ports import Place
from tests.bot.lead.test_corrections import HIDE, PIN, REFUSE
from tests.bot.test_audit import Trail
from tests.sample_messages import thread, turn


async def test_a_place_is_forgotten_once_by_many(own_redis_link: RedisLink) -> None:
    """Noted twice and looked at by three processes at once: the history is gone, the list empty, memory told to forget."""
    keys, trail, emptied = Keyspace(), Trail(), []
    threads = RedisThreadStore(own_redis_link, keys)
    await threads.remember(thread(), turn(), message_id=MessageId("m1"))
    forgetting = RedisForgetting(own_redis_link, keys, Pseudonyms(own_redis_link, keys))
    processes = [ForgetRequests(own_redis_link, keys, forgetting, trail) for _ in range(3)]
    await processes[0].look(lambda: emptied.append("too early"))
    for _ in range(2):
        await processes[0].leave(Place(Platform.SLACK, "T1"))
    assert 0 < int(await own_redis_link.execute("TTL", keys.of_all("forget-requests"))) <= 30 * 86_400
    await asyncio.gather(*(process.look(lambda: emptied.append("now")) for process in processes))
    assert await threads.turns(thread()) == ()
    assert await own_redis_link.execute("EXISTS", keys.of_all("forget-requests")) == 0
    assert emptied == ["now"]
    assert {(row["event"], row["subject"]) for row in trail.rows} == {("forgotten", "slack/T1")}


async def test_the_service_goes_on_without_redis() -> None:
    """A Redis that is away is looked for again; the service ends when it is told to."""
    link, keys = RedisLink("redis://127.0.0.1:1/0"), Keyspace()
    forgetting = RedisForgetting(link, keys, Pseudonyms(link, keys))
    service = asyncio.create_task(ForgetRequests(link, keys, forgetting, Trail()).serve())
    await asyncio.sleep(0.2)
    assert not service.done()
    service.cancel()
    await asyncio.gather(service, return_exceptions=True)
    await link.close()


async def test_an_outage_is_logged_once_and_a_slow_start_not_at_all() -> None:
    """One missed look says nothing; the second is a warning, those after it are none."""
    link, keys = RedisLink("redis://127.0.0.1:1/0"), Keyspace()
    service = ForgetRequests(link, keys, RedisForgetting(link, keys, Pseudonyms(link, keys)), Trail())
    with capture_logs() as lines:
        for misses in (0, 1, 1, 1):
            await service.try_look()
            assert len(lines) == misses
    await link.close()


async def test_a_deletion_is_written_down(own_redis_link: RedisLink) -> None:
    """The turn is gone and the audit log names the message, not its text."""
    keys, trail = Keyspace(), Trail()
    threads = RedisThreadStore(own_redis_link, keys)
    await threads.remember(thread(), turn(), message_id=MessageId("m1"))
    forgetting = RedisForgetting(own_redis_link, keys, Pseudonyms(own_redis_link, keys))
    await ForgetRequests(own_redis_link, keys, forgetting, trail).withdraw(MessageId("m1"), thread())
    assert await threads.turns(thread()) == ()
    assert trail.rows == [{"event": "withdrawn", "tenant": "T1", "channel": "C1", "message": "m1"}]
    assert (await forgetting.subject(SubjectKind.THREAD, "x")).pseudonym == ""


async def test_what_was_set_right_goes_too(own_redis_link: RedisLink, tmp_path: Path) -> None:
    """With the deleted message that it was made for, and with its place; another's stays."""
    keys, trail = Keyspace(), Trail()
    file = CorrectionFile(tmp_path / "corrections.json")
    first = replace(PIN, thread=thread().key, message_id="m1")
    second = replace(HIDE, thread=thread().key, message_id="m2")
    for one in (first, second, REFUSE):
        file.keep(one)
    forgetting = RedisForgetting(own_redis_link, keys, Pseudonyms(own_redis_link, keys))
    requests = ForgetRequests(own_redis_link, keys, forgetting, trail, corrections=file)
    await requests.withdraw(MessageId("m1"), thread())
    assert set(file.all()) == {second, REFUSE}
    await requests.leave(Place(Platform.SLACK, "T1"))
    await requests.look()
    assert file.all() == (REFUSE,)
