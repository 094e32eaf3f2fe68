"""What the settings name is what answers."""

import asyncio
from pathlib import Path

import pytest

from bot.adapters.store.client import CONNECTIONS
from bot.bootstrap import build_redactor, build_reranker, open_flow, open_index
from bot.bootstrap.parts import open_beside, open_state
from config.settings import load_settings
from retrieval.errors import ModelMissing
from retrieval.passages import Ranking
from tests.conftest import MODELS
from tests.cross_encoders import build_overlap_model, words_of
from tests.environment import settings_of
from tests.redis_servers import RedisServer
from tests.sample_messages import message

QUESTION = "How do I install the Till app on an iPad and pair the printer?"


async def found(index: Path) -> Ranking:
    """Search the sample with the settings of the moment."""
    settings = load_settings().retrieval
    async with open_index(settings, index) as served:
        query = build_redactor(settings).redact(QUESTION).text
        return await served.source.search([query], audience=frozenset({"public", "internal"}), top_k=5)


async def test_the_reranker_of_the_settings_orders_what_is_answered_from(
    sample_index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another order than the plain one, and the model's; what counts as relevant stays with the calibration."""
    monkeypatch.setenv("TRIAGE_DATA_DIR", str(MODELS))
    plain = await found(sample_index)
    folder = build_overlap_model(tmp_path / "overlap", words_of(QUESTION))
    monkeypatch.setenv("TRIAGE_RERANKER", str(folder))
    reranked = await found(sample_index)
    reranker = build_reranker(load_settings().retrieval)
    assert reranker is not None
    texts = ["\n".join([p.document.title, p.heading, " ".join(s.text for s in p.sentences)]) for p in reranked.passages]
    scores = (await asyncio.to_thread(reranker.scores, QUESTION, texts)).tolist()
    assert scores == sorted(scores, reverse=True)
    assert [p.document.id for p in reranked.passages] != [p.document.id for p in plain.passages]
    assert (reranked.band, reranked.cut) == (plain.band, plain.cut)
    known = {p.document.id: p.relevance for p in plain.passages}
    assert all(p.relevance == pytest.approx(known.get(p.document.id, p.relevance)) for p in reranked.passages)


async def test_a_reranker_that_is_not_there_is_named(
    sample_index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The flow does not open without the model that was asked for."""
    monkeypatch.setenv("TRIAGE_DATA_DIR", str(MODELS))
    monkeypatch.setenv("TRIAGE_RERANKER", str(tmp_path / "none"))
    with pytest.raises(ModelMissing, match="the reranker is missing"):
        async with open_flow(load_settings(), index_dir=sample_index):
            pass


@pytest.mark.parametrize("own_redis_server", ["valkey"], indirect=True)
async def test_what_comes_in_does_not_wait_behind_what_is_answered(
    own_redis_server: RedisServer, tmp_path: Path
) -> None:
    """While answers hold every connection that they have, a question is stored; both parts see the same queue."""
    server = settings_of(REDIS_URL=own_redis_server.url).server
    async with open_state(server, tmp_path) as state, open_beside(state, server, posts_ttl_s=60) as work:
        taken = asyncio.gather(*(work.link.execute("BLPOP", "nothing", 0.6) for _ in range(CONNECTIONS)))
        await asyncio.sleep(0.05)
        assert await state.queue.enqueue(message(), claims=["e"])
        assert not taken.done()
        await taken
        assert not await work.queue.enqueue(message(), claims=["e"])
