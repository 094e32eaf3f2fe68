"""Claims of `retrieval.search.reranking`."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from retrieval.errors import RerankerFailed
from retrieval.passages import Band, Ranking
from retrieval.ranking import CrossEncoderReranker, load_reranker
from retrieval.retriever import Retriever
from retrieval.search.reranking import rerank, search_reranked
from tests.cross_encoders import build_overlap_model, words_of
from tests.fakes import Vectors, WordReranker
from tests.retrieval.indexes import DESK, retriever_over

ADMIN = "installer administrator denied"


@pytest.fixture
def retriever(tmp_path: Path) -> Retriever:
    """A small desk."""
    return retriever_over(tmp_path, DESK)


@pytest.fixture(scope="module")
def cross_encoder(tmp_path_factory: pytest.TempPathFactory) -> CrossEncoderReranker:
    """A real model for which words in common win."""
    words = words_of(*(f"{row.title} {row.text} {row.question} {row.resolution}" for row in DESK))
    return load_reranker(str(build_overlap_model(tmp_path_factory.mktemp("models") / "overlap", words)))


def ids(ranking: Ranking) -> list[str]:
    """Name the documents in their order."""
    return [passage.document.id for passage in ranking.passages]


def test_reranking_changes_the_order_and_nothing_else(retriever: Retriever) -> None:
    """The passages, their relevance and the band stay; the best by the reranker comes first."""
    plain = retriever.search([ADMIN], top_k=20)
    again = rerank(plain, ["reset password link"], WordReranker(), top_k=3)
    assert again.passages[0].document.id == "kb-1"
    assert len(again.passages) == 3
    assert set(again.passages) <= set(plain.passages)
    assert again.band == plain.band


def test_a_real_model_decides_the_order(retriever: Retriever, cross_encoder: CrossEncoderReranker) -> None:
    """Found for one question and read with another, the passages stand in the order of the second."""
    plain = retriever.search([ADMIN], top_k=20)
    again = rerank(plain, ["reset your password link"], cross_encoder, top_k=20)
    assert ids(plain)[0] != "kb-1"
    assert ids(again)[0] == "kb-1"
    assert sorted(ids(again)) == sorted(ids(plain))


def test_the_better_of_two_ways_to_ask_counts(retriever: Retriever) -> None:
    """A follow-up says little by itself; the question standing alone is read beside it, what follows is not."""
    plain = retriever.search([ADMIN], top_k=20)
    assert ids(rerank(plain, ["and how?", "reset password link", ADMIN], WordReranker(), top_k=3))[0] == "kb-1"
    assert ids(rerank(plain, ["and how?", "so?", "reset password link"], WordReranker(), top_k=20)) == ids(plain)


def test_nothing_and_one_passage_need_no_model(retriever: Retriever) -> None:
    """A model that always breaks is not asked."""
    plain = retriever.search([ADMIN], top_k=1)
    assert rerank(plain, [ADMIN], Breaking(), top_k=5) == plain
    assert rerank(replace(plain, passages=()), [ADMIN], Breaking(), top_k=5).passages == ()


class Breaking:
    """Breaks off after `good` calls."""

    identity = "breaking"

    def __init__(self, good: int = 0) -> None:
        self.good = good

    def scores(self, query: str, passages: Sequence[str]) -> Vectors:
        self.good -= 1
        if self.good < 0:
            raise RerankerFailed("out of memory")
        return np.zeros(len(passages), np.float32)


class TooFew(WordReranker):
    """Forgets one score."""

    def scores(self, query: str, passages: Sequence[str]) -> Vectors:
        return super().scores(query, passages)[1:]


def test_a_wrong_number_of_scores_is_an_error(retriever: Retriever) -> None:
    """It is never put in any order by them."""
    with pytest.raises(RerankerFailed, match="another number of scores"):
        rerank(retriever.search([ADMIN], top_k=5), [ADMIN], TooFew(), top_k=5)


def test_more_is_read_than_given_and_the_band_stays_plain(retriever: Retriever) -> None:
    """A document from beyond `top_k` can come first; whether anything is relevant is judged over the plain `top_k`."""
    asked = []

    def search(top_k: int) -> Ranking:
        asked.append(top_k)
        found = retriever.search([ADMIN], top_k=top_k)
        return replace(found, band=Band.UNCERTAIN if top_k == 1 else Band.ANSWERED)

    found = search_reranked(search, ["reset password link"], WordReranker(), top_k=1)
    assert asked == [1, 20]
    assert ids(found) == ["kb-1"]
    assert found.band == Band.UNCERTAIN
