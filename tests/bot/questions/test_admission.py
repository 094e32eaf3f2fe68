"""Limits in front of the queue."""

from bot.errors import StateUnavailable
from bot.messages import AcceptedMessage
from bot.questions.admission import AdmittedQueue, NoLimits, Verdict, judged
from tests.fakes import RecordingQueue
from tests.sample_messages import message


class FixedLimits:
    """Limits that always say the same."""

    def __init__(self, verdict: Verdict | None) -> None:
        self.verdict = verdict

    async def judge(self, message: AcceptedMessage) -> Verdict:
        """Say it; without a verdict Redis is away."""
        if self.verdict is None:
            raise StateUnavailable("away")
        return self.verdict


async def enqueued(verdict: Verdict | None, **fields: str) -> list[str]:
    """Give the refusals of what came into the queue."""
    queue = RecordingQueue()
    asked = AcceptedMessage(**{name: getattr(message(), name) for name in AcceptedMessage.__slots__} | fields)  # type: ignore[arg-type]
    await AdmittedQueue(queue, FixedLimits(verdict)).enqueue(asked, claims=("c",))
    return [m.refusal for m in queue.messages]


async def test_what_is_over_the_limit_is_enqueued_as_a_refusal() -> None:
    """A welcome question goes in as it is, a refused one with its refusal, a silent one not at all."""
    assert await enqueued(Verdict.WELCOME) == [""]
    assert await enqueued(Verdict.REFUSED) == ["over_limit"]
    assert await enqueued(Verdict.REFUSED, refusal="refused_guest") == ["refused_guest"]
    assert await enqueued(Verdict.SILENT) == []


async def test_without_redis_limits_are_open() -> None:
    """A count that cannot be made lets the question through."""
    assert await enqueued(None) == [""]
    assert await judged(NoLimits(), message()) is Verdict.WELCOME
