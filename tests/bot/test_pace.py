"""Questions begin and go on one in a turn of the event loop, so that what comes in is served between them."""

import asyncio
import time
from collections import Counter
from dataclasses import dataclass, field, replace

from bot.messages import Answer, Outcome
from bot.pace import Pace
from bot.pipeline import Pipeline
from bot.ports import AnswerRequest, ModelAnswer
from retrieval.passages import SourceText
from tests.bot.flow_kit import RESET, message, ports
from tests.fakes import FakePassageSource, ScriptedModel

MANY = 30


async def test_questions_begin_one_in_a_turn_of_the_loop() -> None:
    """Of ten that are ready at once, none begins in the same turn of the loop as another."""
    pace, turn, begun = Pace(), 0, list[int]()

    async def begin() -> None:
        await pace.turn()
        begun.append(turn)

    tasks = [asyncio.create_task(begin()) for _ in range(10)]
    while len(begun) < 10:
        turn += 1
        await asyncio.sleep(0)
    await asyncio.gather(*tasks)
    assert len(set(begun)) == 10


async def test_a_late_loop_begins_no_question_for_a_while() -> None:
    """While each turn takes longer than is allowed nothing begins, but only for so long."""
    pace, is_busy = Pace(late_s=0.005, longest_s=0.2), True

    async def hold() -> None:
        while is_busy:
            time.sleep(0.01)  # noqa: ASYNC251 - what is tested is a loop that is held
            await asyncio.sleep(0)

    holding = asyncio.create_task(hold())
    await asyncio.sleep(0)
    began = time.monotonic()
    await pace.turn()
    waited_s = time.monotonic() - began
    is_busy = False
    await holding
    assert waited_s >= 0.2


@dataclass(slots=True)
class Turns:
    """Counts the turns of the loop, and what happened in each."""

    now: int = 0
    happened: Counter[int] = field(default_factory=Counter)

    async def count(self) -> None:
        """Count for ever."""
        while True:
            self.now += 1
            await asyncio.sleep(0)


async def test_what_has_begun_goes_before_what_begins() -> None:
    """While answers wait for their checks no question begins, though its turn is there."""
    pace, order = Pace(), list[str]()

    async def one(name: str) -> None:
        await (pace.turn() if name == "begin" else pace.go_on())
        order.append(name)

    tasks = [asyncio.create_task(one(name)) for name in ("on", "begin", "on", "on", "on")]
    await asyncio.gather(*tasks)
    assert order == ["on", "on", "on", "on", "begin"]


async def test_the_checks_of_replies_that_come_together_leave_room_between_them() -> None:
    """Of thirty model replies in one turn of the loop, no two are checked in the same turn; without a pace all are."""
    assert await _most_in_a_turn(Pace()) == 1
    assert await _most_in_a_turn(None) > 1


async def _most_in_a_turn(pace: Pace | None) -> int:
    turns, come = Turns(), asyncio.Event()

    class Watched(FakePassageSource):
        async def document(self, document_id: str, *, audience: frozenset[str]) -> SourceText | None:
            turns.happened[turns.now] += 1  # the first thing that a check asks for
            return await super().document(document_id, audience=audience)

    class Late(ScriptedModel):
        waiting = 0

        async def answer(self, request: AnswerRequest) -> ModelAnswer:
            Late.waiting += 1
            await come.wait()
            return await super().answer(request)

    given = ports(Watched(RESET), model=Late())
    pipeline = Pipeline(replace(given, go_on=pace.go_on) if pace else given)
    asked = [message("How do I reset the console password?", number=n) for n in range(MANY)]
    asking = [asyncio.create_task(pipeline.respond(one)) for one in asked]
    async with asyncio.timeout(20):
        while Late.waiting < MANY:  # noqa: ASYNC110 - the model sets no event
            await asyncio.sleep(0.01)
    counting = asyncio.create_task(turns.count())
    come.set()
    answers: list[Answer] = await asyncio.gather(*asking)
    counting.cancel()
    assert {answer.outcome for answer in answers} == {Outcome.ANSWERED}
    return max(turns.happened.values())
