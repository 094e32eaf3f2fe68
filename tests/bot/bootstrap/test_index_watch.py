"""A running bot takes a newer index without a restart."""

from pathlib import Path

from bot.bootstrap.index_watch import IndexWatch
from bot.passage_source import ThreadedPassageSource
from retrieval.redaction import RedactedText
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
