"""How long the checks of one answer take: verify stage with leak check, ten sentences on 8 KB of passages nobody has read.

`TRIAGE_EVAL_DATA=… python -m tests.bot.checks_time` prints median and p95 in milliseconds of one core's own time, for
sentences as their source has them and for reworded ones, on passages read for the first time and once more.
"""

import asyncio
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

import numpy as np

from bot.answers.disagreement import read_ahead
from bot.answers.sources import usable_passages
from bot.bootstrap.old_heap import old_heap
from bot.checks.leak_check import LeakCheck
from bot.messages import (
    DraftAnswer,
    DraftSentence,
    GatedQuestion,
    Mode,
    Queries,
    Question,
    Retrieved,
    SentenceRef,
)
from bot.prompts import Prompts
from bot.stages.verify import verify_stage
from bot.words import words
from retrieval.documents import Chunk, Document, chunk_document
from retrieval.passages import Band, EvidenceSentence, GateScore, GateVerdict, Passage, Ranking
from tests.bot.flow_kit import REDACTOR, card, message, ports, text
from tests.fakes import FakePassageSource
from tests.public_data import public_rows

BYTES, SENTENCES, ANSWERS, WARM_UP, SEED = 8_192, 10, 25, 3, 7
LEAST = 300  # characters of a chunk
_LEAKS = LeakCheck(Prompts(), lambda said: [span.type for span in REDACTOR.redact(said).spans])


def _chunks() -> Iterator[tuple[Document, Chunk]]:
    """Give long chunks, first one of every article, then another of those that have more."""
    rows = list(public_rows("helpcenter_faq/corpus.jsonl"))
    random.Random(SEED).shuffle(rows)
    articles = [Document(id=row["id"], title=row.get("title", ""), text=row["text"], lang="en") for row in rows]
    cut = [[one for one in chunk_document(document) if len(one.text) > LEAST] for document in articles]
    for place in range(max(map(len, cut))):
        yield from ((document, own[place]) for document, own in zip(articles, cut, strict=True) if place < len(own))


def _passages(chunks: Iterator[tuple[Document, Chunk]]) -> Iterator[Passage]:
    """Give the next chunks until there are enough bytes, redacted as the index has them."""
    size = 0
    for document, chunk in chunks:
        evidence = tuple(
            EvidenceSentence(i, text(said), 0.8 - 0.001 * i, 2.4 - 0.01 * i) for i, said in enumerate(chunk.sentences)
        )
        size += sum(len(one.text.encode()) for one in evidence)
        about = card(document.id, lang="en", title=document.title)
        yield Passage(f"{document.id}#0", about, chunk.heading, evidence, 1, 1, 1, 0.9)
        if size >= BYTES:
            return
    # An answer on fewer would be quick, and the figure wrong.
    raise RuntimeError("the set has no more chunks that nobody has read")


def _draft(passages: Sequence[Passage], *, is_reworded: bool) -> DraftAnswer:
    asked = message("How is this set up?")
    queries = Queries(
        GatedQuestion(Question(asked, asked.text, "en"), GateScore(GateVerdict.ANSWER, 1.0)), asked.text, asked.text
    )
    ranking = Ranking(tuple(passages), Band.ANSWERED, 0.5, 0.3, "i", "c")
    places = [
        SentenceRef(p, n)
        for p, passage in enumerate(passages)
        for n, one in enumerate(passage.sentences)
        if len(words(one.text)) > 5
    ]
    chosen = random.Random(SEED).sample(places, min(SENTENCES, len(places)))
    sentences = tuple(
        DraftSentence(text(f"In short, {said}") if is_reworded else said, (ref,))
        for ref in chosen
        for said in (passages[ref.passage].sentences[ref.sentence].text,)
    )
    return DraftAnswer(Retrieved(queries, ranking), tuple(passages), sentences, Mode.MODEL)


async def _took_ms(draft: DraftAnswer) -> float:
    given = replace(ports(FakePassageSource(*draft.passages)), is_leak=_LEAKS)
    began = time.thread_time()
    await verify_stage(draft, ports=given)
    return (time.thread_time() - began) * 1000


async def measure() -> dict[str, list[float]]:
    """Time every answer twice, on chunks that no answer before it had; the first ones warm the process."""
    chunks = _chunks()
    drafts = [_draft(tuple(_passages(chunks)), is_reworded=n % 4 > 1) for n in range(4 * (ANSWERS + WARM_UP))]
    with old_heap():  # as the process does once it has started
        return await _measured(drafts)


async def _measured(drafts: Sequence[DraftAnswer]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for number, draft in enumerate(drafts):
        is_reworded, is_read = divmod(number % 4, 2)
        question = draft.retrieved.queries.standalone
        # The answer stage has done this before the checks begin.
        usable_passages(draft.passages, date(2026, 9, 21), question)
        if is_read:
            read_ahead(draft.passages, question)
        for reading in ("read while the model wrote" if is_read else "first reading", "read before"):
            took = await _took_ms(draft)
            if number >= 4 * WARM_UP:
                found.setdefault(f"{'reworded' if is_reworded else 'verbatim'}, {reading}", []).append(took)
    return found


if __name__ == "__main__":
    for name, times in sorted(asyncio.run(measure()).items()):
        print(f"{name}: median {np.median(times):.1f}, p95 {np.percentile(times, 95):.1f} ms ({len(times)} answers)")
