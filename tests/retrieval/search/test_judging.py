"""Features of a question with and without its documents, from real small indexes."""

from pathlib import Path

import numpy as np

from retrieval.ranking.bundled import bundled_calibration
from retrieval.ranking.relevance import FEATURES
from tests.retrieval.indexes import DESK, article, retriever_over


def test_held_out_documents_are_as_absent(tmp_path: Path) -> None:
    """The nearest passage is that of a base which does not hold the document; an unknown id changes nothing."""
    full, less = (
        retriever_over(tmp_path / "a", DESK),
        retriever_over(tmp_path / "b", [d for d in DESK if d.id != "kb-1"]),
    )
    asked = ["reset my password"]
    held_out, absent = full.features(asked, held_out=["kb-1"]), less.features(asked)
    place = FEATURES.index("cosine")
    assert abs(held_out[:, place].max() - absent[:, place].max()) < 1e-5
    assert held_out[:, place].max() < full.features(asked)[:, place].max()
    np.testing.assert_array_equal(full.features(asked, held_out=["nobody"]), full.features(asked))


def test_nothing_found_gives_no_rows(tmp_path: Path) -> None:
    """A blank question, and a base whose only document is held out."""
    alone = retriever_over(tmp_path, [article("kb-1", "Refunds take 30 days.", title="Refunds")])
    assert alone.features(["  "]).shape == (0, len(FEATURES))
    assert alone.features(["refunds"], held_out=["kb-1"]).shape == (0, len(FEATURES))


def test_every_query_has_its_rows(tmp_path: Path) -> None:
    """Two ways to ask give twice the rows."""
    desk = retriever_over(tmp_path, DESK)
    one, two = desk.features(["reset password"]), desk.features(["reset password", "how do I log in again"])
    assert len(two) == 2 * len(one)


def test_an_article_on_another_code_is_less_relevant(tmp_path: Path) -> None:
    """Of two bulletins alike but for the code, the one asked for is far more relevant than the other where it stands alone."""
    bulletins = [
        article(
            f"kb-{n}", f"The vulnerability CVE-2019-{n} affects the gateway. Install the fix pack.", title="Bulletin"
        )
        for n in (4821, 7713)
    ]
    both, other = retriever_over(tmp_path / "a", bulletins), retriever_over(tmp_path / "b", bulletins[1:])
    asked = ["does the vulnerability CVE-2019-4821 affect the gateway"]
    right, wrong = both.features(asked)[0], other.features(asked)[0]
    held, another = FEATURES.index("codes_held"), FEATURES.index("other_codes")
    assert (right[held], right[another]) == (1.0, 0.0)
    assert (wrong[held], wrong[another]) == (0.0, 1.0)
    weights = np.asarray(bundled_calibration("m@1").weights)
    assert (right - wrong)[[held, another]] @ weights[[held, another]] > 2.0
