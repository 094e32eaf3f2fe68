"""A running bot takes a newer index without a restart."""

import sys
from collections.abc import Sequence
from pathlib import Path

from bot.bootstrap.index_watch import IndexWatch
from bot.passage_source import ThreadedPassageSource
from retrieval.index import read_manifest
from retrieval.ports import Vectors
from retrieval.redaction import RedactedText
from tests.fakes import HashEncoder
from tests.retrieval.indexes import DESK, ENCODER, article, build, retriever_over

EVERYBODY = frozenset({"public", "internal"})
PARKING = article("kb-9", "Visitors park behind the north gate. Ask the porter for a badge.", title="Parking")


async def test_a_new_generation_is_served(tmp_path: Path) -> None:
    """Nothing new changes nothing; a new document is found after the next look, a damaged index is not taken."""
    source = ThreadedPassageSource(retriever_over(tmp_path, DESK))
    watch = IndexWatch(tmp_path / "index", ENCODER, source)
    assert not await watch.look()
    build(tmp_path, [*DESK, PARKING])
    assert await source.document("kb-9", audience=EVERYBODY) is None
    assert await watch.look()
    assert await source.document("kb-9", audience=EVERYBODY) is not None
    (tmp_path / "index" / "manifest.json").write_text("{", encoding="utf-8")
    assert not await watch.look()
    ranking = await source.search((RedactedText.stored("visitors park north gate"),), audience=EVERYBODY)
    assert ranking.passages[0].document.id == "kb-9"
    (tmp_path / "index" / "manifest.json").unlink()
    assert not await watch.look()
    await source.close()


async def test_loading_gives_way_to_searches(tmp_path: Path) -> None:
    """While a generation is read, threads change more often than usual, and afterwards as before, also when it cannot be read."""
    seen: list[float] = []

    class Looks(HashEncoder):
        def encode_queries(self, texts: Sequence[str]) -> Vectors:
            seen.append(sys.getswitchinterval())
            return super().encode_queries(texts)

    usual = sys.getswitchinterval()
    encoder = Looks(dimension=96)
    source = ThreadedPassageSource(retriever_over(tmp_path, DESK))
    watch = IndexWatch(tmp_path / "index", encoder, source)
    build(tmp_path, [*DESK, article("kb-20", "Another one.")])
    assert await watch.look()
    assert max(seen) < usual == sys.getswitchinterval()
    build(tmp_path, DESK)
    (tmp_path / "index" / read_manifest(tmp_path / "index").files["vectors.npy"].name).unlink()
    assert not await watch.look()
    assert sys.getswitchinterval() == usual
    await source.close()


async def test_the_generation_before_is_let_go_of_and_what_it_had_more_is_told(tmp_path: Path) -> None:
    """After the swap its ids are dropped piece by piece; ids that the new one lacks are told."""
    told: list[frozenset[str]] = []

    async def on_removed(ids: frozenset[str]) -> None:
        told.append(ids)

    old = retriever_over(tmp_path, [*DESK, PARKING])
    source = ThreadedPassageSource(old)
    watch = IndexWatch(
        tmp_path / "index", ENCODER, source, documents=frozenset(old.document_ids), on_removed=on_removed
    )
    build(tmp_path, DESK)
    assert await watch.look()
    assert told == [frozenset({"kb-9"})]
    assert old.document_ids == ()
    assert await source.document("kb-1", audience=EVERYBODY) is not None
    await source.close()
