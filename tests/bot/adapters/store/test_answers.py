"""Kept answers and votes in a real Redis: whole, bounded in time, and gone when somebody or something is forgotten."""

from dataclasses import replace

import pytest

from bot.adapters.store.answers import RedisAnswers, RedisFeedback, fields_of, read_rated
from bot.adapters.store.client import RedisLink
from bot.adapters.store.forgetting import RedisForgetting
from bot.adapters.store.keys import Keyspace
from bot.adapters.store.pseudonyms import Pseudonyms
from bot.answers.kept_answers import KeptAnswer, kept_answer
from bot.lead.feedback import Verdict, Vote
from bot.lead.forgetting import SubjectKind
from bot.messages import Hit, MessageId, Notice, NoticeKind, Provenance, Told, Triage, Usage
from retrieval.passages import GateScore, GateVerdict
from retrieval.redaction import RedactedText
from tests.sample_messages import answer, message, thread, turn

sealed = RedactedText.stored
ANA, BEN = "U0ANALIMA", "U0BENKOW"
NOW = 1_900_000_000.0


def kept(name: str = "slack:T1:C1:17.1", *, asker: str = "", question: str = "why?") -> KeptAnswer:
    """Make a kept answer with something in every field."""
    hit = Hit("kb-101", "kb-101#0", sealed("Reset"), 1.5, 0.8, 0.5, 0.9, used=True)
    said = replace(
        answer(),
        citations=answer().citations[:1],
        notices=(Notice(NoticeKind.STALE, ("kb-101",), sealed("old")),),
        queries=(sealed("why"), sealed("warum")),
        hits=(hit, replace(hit, id="kb-102", used=False)),
        nearest=(replace(hit, id="kb-102", used=False),),
        triage=Triage("billing", 0.8, ("t-1",), sealed("Refund."), ("t-1", "t-2")),
        gate=GateScore(GateVerdict.ANSWER, 0.9),
        provenance=Provenance("i1", "c1", "m", "p", "b"),
        usage=Usage(1, 2, 3, 4, 0.5),
        thread_cost_usd=0.75,
        timings_ms=(("total", 12.0),),
        cut=0.5,
        uncertain_cut=0.3,
    )
    asked = replace(message(name, received_at=NOW), text=sealed(question))
    told = Told(sealed(question), tuple(turn(f"q{n}") for n in range(6)))
    return kept_answer(asked, replace(said, told=told), asker=asker)


@pytest.fixture
def answers(redis_link: RedisLink, redis_keys: Keyspace) -> RedisAnswers:
    """Give a store with keys of its own."""
    return RedisAnswers(redis_link, redis_keys, ttl_s=1_000)


@pytest.fixture
def people(redis_link: RedisLink, redis_keys: Keyspace) -> Pseudonyms:
    """Give the names of the same keys."""
    return Pseudonyms(redis_link, redis_keys)


@pytest.fixture
def feedback(redis_link: RedisLink, redis_keys: Keyspace, people: Pseudonyms) -> RedisFeedback:
    """Give votes with the same keys."""
    return RedisFeedback(redis_link, redis_keys, people, ttl_s=1_000)


async def test_an_answer_comes_back_whole(answers: RedisAnswers) -> None:
    """Every field is as it was, but for who asked and where to reply; only the last four questions before it stay."""
    one = kept()
    await answers.keep(one)
    assert await answers.find(thread(), one.message.message_id) == one
    assert (one.message.user_id, one.message.routing, one.earlier) == ("", (), ("q2", "q3", "q4", "q5"))


async def test_unknown_and_foreign_answers_are_none(answers: RedisAnswers, redis_link: RedisLink) -> None:
    """What never was, and what another version wrote, is no answer."""
    one = kept()
    assert await answers.find(thread(), one.message.message_id) is None
    await answers.keep(one)
    name = answers._keys.of_thread(thread(), "answer", one.message.message_id)
    for text in ('{"v":99}', "[]", "no json", '{"v":1,"cuts":[1,2],"message":"x","answer":{}}'):
        await redis_link.execute("SET", name, text, "EX", 100)
        assert await answers.find(thread(), one.message.message_id) is None


async def test_everything_has_an_end(answers: RedisAnswers, feedback: RedisFeedback, redis_link: RedisLink) -> None:
    """Both keys expire."""
    one = kept("slack:T1:C1:17.2")
    await answers.keep(one)
    await feedback.vote(one, ANA, Vote(Verdict.USEFUL, NOW))
    keys = [answers._keys.of_thread(thread(), kind, "slack:T1:C1:17.2") for kind in ("answer", "feedback")]
    assert all([0 < await redis_link.execute("TTL", key) <= 1_000 for key in keys])


async def test_a_person_has_one_vote_and_keeps_the_reason(feedback: RedisFeedback, people: Pseudonyms) -> None:
    """The newest verdict counts; the same verdict without a reason leaves the reason, another one drops it."""
    one = kept("slack:T1:C1:17.3")
    for vote in (Vote(Verdict.NOT_USEFUL, 1.0, sealed("old")), Vote(Verdict.NOT_USEFUL, 2.0)):
        await feedback.vote(one, ANA, vote)
    (rated,) = [r async for r in feedback.all()]
    assert rated.votes == {await people.of(ANA): Vote(Verdict.NOT_USEFUL, 1.0, sealed("old"))}
    await feedback.vote(one, ANA, Vote(Verdict.USEFUL, 3.0))
    (rated,) = [r async for r in feedback.all()]
    assert list(rated.votes.values()) == [Vote(Verdict.USEFUL, 3.0)]
    assert (rated.turn.question, rated.turn.answer, rated.thread) == ("why?", "", thread())
    await feedback.withdraw(one, ANA)
    assert [r async for r in feedback.all()] == []


def test_votes_of_another_version_are_left_out() -> None:
    """A row that cannot be read is no vote, whatever shape it comes in."""
    assert read_rated("m", {}) is None
    assert read_rated("m", {"thread": "slack/T/C/1", "turn": "{}"}) is None
    assert read_rated("m", {"thread": "nowhere/T/C/1", "turn": "{}"}) is None
    assert fields_of(["a", "1", "b", "2"]) == fields_of({"a": "1", "b": "2"}) == {"a": "1", "b": "2"}


@pytest.mark.parametrize(
    ("kind", "subject"),
    [
        (SubjectKind.USER, ANA),
        (SubjectKind.THREAD, "1700000000.000100"),
        (SubjectKind.PLACE, "slack/T1"),
        (SubjectKind.DOCUMENT, "kb-101"),
    ],
)
async def test_forgetting_takes_answers_and_votes(
    kind: SubjectKind, subject: str, answers: RedisAnswers, feedback: RedisFeedback, redis_link: RedisLink
) -> None:
    """A person, a thread, a place or a source takes the answers with it and everybody's votes on them; and they stay away."""
    names = Pseudonyms(redis_link, answers._keys)
    one = kept("slack:T1:C1:17.4", asker=await names.of(ANA))
    await answers.keep(one)
    await feedback.vote(one, BEN, Vote(Verdict.USEFUL, NOW))
    forgetting = RedisForgetting(redis_link, answers._keys, names)
    found = await forgetting.forget(await forgetting.subject(kind, subject))
    assert (found.counts["answers"], found.counts["feedback"]) == (1, 1)
    old = replace(one, message=replace(one.message, received_at=1.0))
    await answers.keep(old)
    await feedback.vote(old, BEN, Vote(Verdict.USEFUL, NOW))
    assert await answers.find(thread(), one.message.message_id) is None
    assert [r async for r in feedback.all()] == []


async def test_a_voter_takes_only_the_own_vote(
    answers: RedisAnswers, feedback: RedisFeedback, people: Pseudonyms, redis_link: RedisLink
) -> None:
    """Who is forgotten takes the own vote, and a reason that names them; others' votes and the answer stay."""
    one = kept("slack:T1:C1:17.5")
    await answers.keep(one)
    for user, reason in ((ANA, ""), (BEN, f"ask {ANA} instead"), ("U0CARLA", "fine")):
        await feedback.vote(one, user, Vote(Verdict.USEFUL, NOW, sealed(reason)))
    forgetting = RedisForgetting(redis_link, answers._keys, people)
    found = await forgetting.forget(await forgetting.subject(SubjectKind.USER, ANA))
    assert found.counts == {"feedback": 2}
    (rated,) = [r async for r in feedback.all()]
    assert [vote.reason for vote in rated.votes.values()] == ["fine"]
    assert await answers.find(thread(), one.message.message_id) == one


async def test_a_deleted_question_takes_its_answer(
    answers: RedisAnswers, feedback: RedisFeedback, people: Pseudonyms, redis_link: RedisLink
) -> None:
    """When the message is deleted on the platform, its answer and votes go too."""
    one = kept("slack:T1:C1:17.6")
    await answers.keep(one)
    await feedback.vote(one, ANA, Vote(Verdict.USEFUL, NOW))
    await RedisForgetting(redis_link, answers._keys, people).withdraw(MessageId("slack:T1:C1:17.6"), thread())
    assert await answers.find(thread(), one.message.message_id) is None
    assert [r async for r in feedback.all()] == []
