"""The day's budget around the model: paid in advance, settled afterwards, quotes when it is spent."""

import pytest

from bot.budget import BudgetedModel, CallPrices
from bot.errors import BudgetSpent, ChatModelOutputInvalid, ChatModelUnavailable, StateUnavailable
from bot.messages import DraftSentence, Mode, NoticeKind, SentenceRef, Usage
from bot.ports import AnswerRequest, ModelAnswer, ModelRewrite
from tests.bot.flow_kit import RESET, ask, text
from tests.fakes import ScriptedModel

PRICE = {"input": 5.0, "output": 25.0}
PRICES = CallPrices(PRICE, PRICE, 900)
USAGE = Usage(calls=1, cost_usd=0.01)
SAID = ModelAnswer(
    (DraftSentence(text("Open the console and choose Forgot password."), (SentenceRef(0, 0),)),), USAGE, "m", "p"
)
ALONE = ModelRewrite(text("reset the password"), (), False, USAGE)
QUESTION = "How do I reset my password?"


class Purse:
    """A `Budget` in memory; `is_away` fails every call."""

    def __init__(self, usd: float = 1.0, *, is_away: bool = False) -> None:
        self.left = usd
        self.reserved: list[float] = []
        self.is_away = is_away

    async def reserve(self, usd: float) -> bool:
        """Take."""
        if self.is_away:
            raise StateUnavailable("away")
        self.reserved.append(usd)
        if usd > self.left:
            return False
        self.left -= usd
        return True

    async def settle(self, *, reserved: float, spent: float) -> None:
        """Give back."""
        if self.is_away:
            raise StateUnavailable("away")
        self.left += reserved - spent


def request(question: str = QUESTION) -> AnswerRequest:
    """Ask with one source."""
    return AnswerRequest(text(question), "en", (), (RESET,), 5.0)


async def test_a_call_costs_what_it_used() -> None:
    """The most is taken before the call, and what it did not use is given back."""
    purse = Purse()
    await BudgetedModel(ScriptedModel(SAID), purse, PRICES).answer(request())
    assert purse.reserved[0] > USAGE.cost_usd
    assert purse.left == pytest.approx(0.99)


async def test_the_reservation_grows_with_what_is_sent() -> None:
    """A longer question, in any script, reserves more; 900 tokens of answer are always in it."""
    purse = Purse(100.0)
    model = BudgetedModel(ScriptedModel(SAID), purse, PRICES)
    for question in ("a", "a" * 4_000, "密码" * 2_000):
        await model.answer(request(question))
    short, long, chinese = purse.reserved
    assert 900 * 25 / 1_000_000 < short < long < chinese


async def test_a_useless_answer_is_paid_for() -> None:
    """What the model used before it failed is spent; a call that died without a word keeps its reservation."""
    purse = Purse()
    with pytest.raises(ChatModelOutputInvalid):
        await BudgetedModel(ScriptedModel(ChatModelOutputInvalid("empty", usage=USAGE)), purse, PRICES).answer(
            request()
        )
    assert purse.left == pytest.approx(0.99)

    class Dying(ScriptedModel):
        async def answer(self, request: AnswerRequest) -> ModelAnswer:
            raise TimeoutError

    with pytest.raises(TimeoutError):
        await BudgetedModel(Dying(), purse, PRICES).answer(request())
    assert purse.left == pytest.approx(0.99 - purse.reserved[-1])


async def test_a_cost_that_is_unknown_keeps_the_reservation() -> None:
    """A kind of token without a price: the reservation stands for it."""
    purse = Purse()
    unknown = ModelRewrite(ALONE.standalone, (), False, Usage(calls=1, cost_usd=None))
    await BudgetedModel(ScriptedModel(rewrite=unknown), purse, PRICES).rewrite(_rewrite_request())
    assert purse.left == pytest.approx(1.0 - purse.reserved[0])


def _rewrite_request():
    from bot.ports import RewriteRequest

    return RewriteRequest(text(QUESTION), "en", (), ("en",), False, 5.0)


async def test_a_spent_budget_asks_nobody() -> None:
    """Too little is left: the model is not asked."""
    model = ScriptedModel(SAID, ALONE)
    bounded = BudgetedModel(model, Purse(0.001), PRICES)
    with pytest.raises(BudgetSpent):
        await bounded.answer(request())
    with pytest.raises(BudgetSpent):
        await bounded.rewrite(_rewrite_request())
    assert model.requests == []


async def test_without_redis_the_model_is_not_asked() -> None:
    """A budget that nobody can count is closed."""
    model = ScriptedModel(SAID)
    with pytest.raises(ChatModelUnavailable):
        await BudgetedModel(model, Purse(is_away=True), PRICES).answer(request())
    assert model.requests == []


async def test_a_redis_that_goes_away_meanwhile_costs_no_answer() -> None:
    """The answer is given; the reservation stays."""
    purse = Purse()

    class Leaving(ScriptedModel):
        async def answer(self, request: AnswerRequest) -> ModelAnswer:
            purse.is_away = True
            return SAID

    assert await BudgetedModel(Leaving(), purse, PRICES).answer(request()) is SAID


async def test_the_asker_reads_that_the_budget_is_spent() -> None:
    """The question is answered by quotes, and the notice says why."""
    answer = await ask(QUESTION, model=BudgetedModel(ScriptedModel(SAID, ALONE), Purse(0.0), PRICES))
    assert answer.mode is Mode.EXTRACTIVE
    assert answer.citations
    assert [(n.kind, "budget" in n.text) for n in answer.notices] == [(NoticeKind.DEGRADED, True)]
