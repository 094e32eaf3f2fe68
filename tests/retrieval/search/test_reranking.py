"""Claims of `retrieval.search.reranking`."""

from pathlib import Path

from retrieval.search.reranking import rerank
from tests.fakes import WordReranker
from tests.retrieval.indexes import DESK, retriever_over


def test_reranking_changes_the_order_and_nothing_else(tmp_path: Path) -> None:
    """The passages, their relevance and the band stay; the best by the reranker comes first."""
    retriever = retriever_over(tmp_path, DESK)
    plain = retriever.search(["installer administrator denied"], top_k=20)
    again = rerank(plain, "reset password link", WordReranker(), top_k=3)
    assert again.passages[0].document.id == "kb-1"
    assert len(again.passages) == 3
    assert set(again.passages) <= set(plain.passages)
    assert again.band == plain.band
