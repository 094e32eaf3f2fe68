"""Claims of `retrieval.search.expansion`."""

from pathlib import Path

from retrieval.index import OpenIndex
from retrieval.search.expansion import expanded
from retrieval.search.queries import prepare_queries
from tests.retrieval.indexes import ENCODER, article, build


def test_expansion_searches_what_the_best_passages_share(tmp_path: Path) -> None:
    """A document without a word of the question is found by the words that its neighbours share."""
    texts = [
        "Refund invoice billing page.",
        "Refund invoice billing form.",
        "Refund billing desk.",
        "Billing desk only.",
    ]
    build(tmp_path, [article(f"kb-{i}", text) for i, text in enumerate(texts)])
    index = OpenIndex.open(tmp_path / "index", encoder_identity=ENCODER.identity)
    (query,) = prepare_queries(["refund"], ENCODER, ("en",))
    plain = index.lexical(query.tokens, 10, audience=None)
    assert sorted(plain.rows.tolist()) == [0, 1, 2]
    assert 3 in expanded(index, query, audience=None).rows
    (unknown,) = prepare_queries(["zzyzx"], ENCODER, ("en",))
    assert len(expanded(index, unknown, audience=None).rows) == 0
