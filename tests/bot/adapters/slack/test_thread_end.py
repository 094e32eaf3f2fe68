"""The end of a long thread is found in a few looks, however unevenly it was written."""

import random
from dataclasses import dataclass, field

import pytest

from bot.adapters.slack.payload import Payload
from bot.adapters.slack.thread_end import PAGE, ThreadEnd, at, expected

DAY = 86_400.0
END = 40 * DAY
LOOKS = 5


@dataclass(slots=True)
class LongThread:
    """Times of messages, read as Slack gives them: the oldest of a window first, a page at most."""

    times: list[float]
    looks: int = 0
    read: list[float] = field(default_factory=list)
    is_whole: bool = False

    def __post_init__(self) -> None:
        """Keep the times as Slack's stamps tell them."""
        self.times = sorted(round(time, 6) for time in self.times)

    def page(self, begins: float) -> tuple[list[Payload], bool]:
        """Give a page after a time, and whether it is the last one."""
        rows = [time for time in self.times if begins < time <= END]
        return [{"ts": f"{time:.6f}"} for time in rows[:PAGE]], len(rows) <= PAGE

    def find_end(self, *, told: bool) -> None:
        """Read it as `read_window` does; with `told` the root says how many replies there are."""
        first, _ = self.page(0.0)
        left = len(self.times) - len(first) if told else expected(first, 1.0, END)
        end = ThreadEnd(END, run=first, left=left)
        while not end.is_found and self.looks < LOOKS:
            self.looks += 1
            begins = end.look_from(is_last=self.looks == LOOKS)
            found, is_end = self.page(begins)
            end.took(begins, found, is_end=is_end)
        self.read, self.is_whole = [at(post) for post in end.posts], end.is_whole


def _evenly(chance: random.Random, count: int) -> list[float]:
    return [chance.uniform(1.0, END) for _ in range(count)]


def _first_day(chance: random.Random, count: int) -> list[float]:
    return [*(chance.uniform(1.0, DAY) for _ in range(count - 30)), *(END - 600 * n for n in range(1, 31))]


def _last_hour(chance: random.Random, count: int) -> list[float]:
    return [*_evenly(chance, count // 5), *(END - chance.uniform(1, 3_600) for _ in range(count - count // 5))]


def _in_a_minute(chance: random.Random, count: int) -> list[float]:
    return [*_evenly(chance, count - 300), *(END - chance.uniform(1, 60) for _ in range(300))]


def _two_days_ago(chance: random.Random, count: int) -> list[float]:
    return [END - min(chance.expovariate(1 / DAY), 39 * DAY) for _ in range(count)]


SHAPES = {
    "evenly": (_evenly, 2, 40), "first day": (_first_day, 3, 30), "last hour": (_last_hour, 4, 40),
    "in a minute": (_in_a_minute, 4, 40), "two days ago": (_two_days_ago, 4, 40),
}  # fmt: skip


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("count", [450, 1_500, 5_000])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_newest_are_found_in_a_few_looks(shape: str, count: int, told: bool) -> None:
    """However a long thread was written, its newest messages are read without a gap, in as many looks as are named."""
    write, looks, newest = SHAPES[shape]
    thread = LongThread(write(random.Random(count), count))
    thread.find_end(told=told)
    wanted = thread.times[-newest:]
    assert thread.read[-newest:] == wanted
    assert thread.looks <= looks


def test_a_little_more_than_a_page_is_read_whole() -> None:
    """What is left behind the first page and fits into another is read from there on, and nothing is called left out."""
    thread = LongThread([10.0 * n for n in range(1, 331)])
    thread.find_end(told=True)
    assert thread.read == thread.times
    assert (thread.looks, thread.is_whole) == (1, True)


@pytest.mark.parametrize("seed", range(20))
def test_whatever_is_read_has_no_gap_and_looks_are_bounded(seed: int) -> None:
    """In twelve bursts with days between, the hardest of threads, what is read is one run of the thread, in five looks at most."""
    chance = random.Random(seed)
    begins = [chance.uniform(1.0, END - DAY) for _ in range(12)]
    thread = LongThread([chance.choice(begins) + chance.uniform(0, 3_600) for _ in range(1_500)])
    thread.find_end(told=bool(seed % 2))
    place = thread.times.index(thread.read[0])
    assert thread.read == thread.times[place : place + len(thread.read)]
    assert thread.looks <= LOOKS


def test_messages_of_one_moment_end_the_search() -> None:
    """Hundreds of messages with one broken time stamp give what could be read, and no endless search."""
    end = ThreadEnd(END, run=[{"ts": "x"}] * PAGE, left=expected([{"ts": "x"}] * PAGE, 0.0, END))
    for _ in range(LOOKS):
        end.took(end.look_from(), [{"ts": "x"}] * PAGE, is_end=False)
    end.took(end.look_from(), [], is_end=False)
    assert len(end.posts) >= PAGE
