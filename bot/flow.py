"""What the stages are given beside their value: ports and limits, bundled once and handed to every stage."""

import math
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from bot.lead.corrections import Corrections
from bot.lexicon import DEFAULT
from bot.messages import DraftAnswer
from bot.ports import ChatModel, Clock, PassageSource, ThreadStore
from retrieval.redaction import RedactedText

DAY_S = 86_400
# Quoting and checking take 50 ms, a post to a slow platform a second.
KEPT_BACK_S = 1.5


@dataclass(frozen=True, slots=True)
class FlowLimits:
    """Bounds of one question. Times are seconds.

    `answer_within_s` bounds the whole question: what history, gate and rewrite used of it, the model does not get. `history_ttl_s` is how long a turn counts as context; `top_k` documents are searched, of which a model is given
    `model_passages` and an extractive answer quotes at most three. `cross_cosine` is the least raw cosine of a sentence
    with its evidence in another language; 0.80 fits multilingual-e5-small.
    """

    history_ttl_s: float = 14 * DAY_S
    gate_timeout_s: float = 2.0
    rewrite_timeout_s: float = 6.0
    model_timeout_s: float = 25.0
    answer_within_s: float = 30.0
    top_k: int = 8
    model_passages: int = 5
    cross_cosine: float = 0.80


def _no_language(_text: str) -> str:
    return ""


async def _at_once() -> None:
    return


async def _nobody(_user_id: str) -> str:
    return ""


def _no_speakers(_words: Sequence[str]) -> Mapping[str, int]:
    return {}


def _no_leak(_text: str) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Ports:
    """Everything outside the core that answering needs.

    `threads` is None where no history is kept, `model` where answers are extractive. `redact` takes personal data out,
    `language_of` names a text's language ("" when it cannot tell), `asked_in` that of a question in a thread of a language ("" for none); None asks `language_of`; `speakers` counts for each language how many of some words stand in its documents,
    `is_leak` knows the prompts, `name_of` gives
    the pseudonym of a user id ("" where there are none). `build` and `index_languages` are facts of the process;
    `deadline_s` is when the question under way must have its answer, on the monotonic clock; `style` is how a model is to
    write beside its rules; `corrections` is what the lead set right, None where nobody does; `early` takes what reads the draft
    while a model writes it, None where an answer is shown whole; `go_on` waits until the checks of an answer may begin.
    """

    passages: PassageSource
    redact: Callable[[str], RedactedText]
    clock: Clock
    threads: ThreadStore | None = None
    model: ChatModel | None = None
    language_of: Callable[[str], str] = _no_language
    asked_in: Callable[[str, str], str] | None = None
    speakers: Callable[[Sequence[str]], Mapping[str, int]] = _no_speakers
    is_leak: Callable[[str], bool] = _no_leak
    name_of: Callable[[str], Awaitable[str]] = _nobody
    limits: FlowLimits = field(default_factory=FlowLimits)
    build: str = ""
    index_languages: tuple[str, ...] = (DEFAULT,)
    deadline_s: float = math.inf
    style: str = ""
    corrections: Corrections | None = None
    early: Callable[[Callable[[], DraftAnswer | None]], None] | None = None
    go_on: Callable[[], Awaitable[None]] = _at_once

    def time_for(self, limit_s: float) -> float:
        """Give the seconds that a model call may take: its own limit, or what is left of the question's, 0 at least.

        A little is kept back for what follows a call: quoting, checking, posting.
        """
        return max(0.0, min(limit_s, self.deadline_s - time.monotonic() - KEPT_BACK_S))
