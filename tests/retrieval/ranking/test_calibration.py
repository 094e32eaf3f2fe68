"""Relevance means the same in a base of any size, belongs to one model, and says how wrong it is."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.errors import IndexMismatch
from retrieval.passages import Band
from retrieval.ranking import Calibration, RawEvidence
from retrieval.ranking.bundled import OwnText, bundled_calibration, calibrated_on, is_bundled_model
from retrieval.ranking.calibration import cuts, fit_logistic
from retrieval.ranking.relevance import FEATURES, bank_level, relevance_features


def _evidence(cosine, lexical, documents, *, foreign=None, maximum=20.0, level=0.78):
    count = len(cosine)
    return RawEvidence(
        np.array(cosine, float),
        np.array(lexical, float),
        maximum,
        np.array(documents, np.int32),
        np.array(foreign if foreign is not None else [False] * count),
        level,
    )


def _relevance(evidence):
    return bundled_calibration("multilingual-e5-small@x").relevance(relevance_features(evidence))


def test_right_passage_is_more_relevant_than_noise() -> None:
    """A near passage that holds the words is answered, a far one without them is not."""
    calibration = bundled_calibration("multilingual-e5-small@x")
    good = _relevance(_evidence([0.90, 0.80], [14.0, 2.0], [0, 1]))
    bad = _relevance(_evidence([0.765, 0.76], [0.5, 0.4], [0, 1]))
    assert calibration.band(good.max()) == Band.ANSWERED
    assert calibration.band(bad.max()) == Band.NONE
    assert calibration.band((calibration.answered + calibration.uncertain) / 2) == Band.UNCERTAIN


def test_other_language_needs_no_common_word() -> None:
    """A near passage in another language is relevant without a lexical hit."""
    calibration = bundled_calibration("multilingual-e5-small@x")
    foreign = _relevance(_evidence([0.87, 0.80], [0.0, 0.0], [0, 1], foreign=[True, True]))
    assert calibration.band(foreign.max()) == Band.ANSWERED


@given(st.integers(1, 200))
def test_unrelated_documents_change_nothing(count) -> None:
    """A base grown by chunks that are far from the query gives the same relevance."""
    small = _evidence([0.86, 0.82], [9.0, 4.0], [0, 1])
    grown = _evidence([0.86, 0.82, *[0.70] * count], [9.0, 4.0, *[0.0] * count], [0, 1, *range(2, count + 2)])
    np.testing.assert_allclose(_relevance(grown)[:2], _relevance(small))


def test_gap_is_to_another_document() -> None:
    """Chunks of one document do not compete; a lone document has no gap."""
    features = relevance_features(_evidence([0.9, 0.88, 0.8], [0, 0, 0], [4, 4, 7]))
    np.testing.assert_allclose(features[:, FEATURES.index("cosine_gap")], [0.1, 0.08, -0.1])
    alone = relevance_features(_evidence([0.9, 0.88], [0, 0], [4, 4]))
    np.testing.assert_allclose(alone[:, FEATURES.index("cosine_gap")], 0.0)


def test_bank_level_is_a_mean_of_the_nearest() -> None:
    """The level is the mean of the ten nearest bank texts, 0 without a bank."""
    bank = np.zeros((30, 2), np.float32)
    bank[:, 0] = np.arange(30) / 30
    assert bank_level(np.array([1, 0], np.float32), bank) == pytest.approx(np.mean(np.arange(20, 30) / 30))
    assert bank_level(np.array([1, 0], np.float32), bank[:0]) == 0.0


def test_stored_form_reads_back() -> None:
    """What the manifest stores gives the same calibration and id."""
    made = dataclasses.replace(bundled_calibration("m@1"), gate={"threshold": -1.0})
    again = Calibration.from_json(made.to_json(), encoder="m@1")
    assert again == made
    assert again.id == made.id != bundled_calibration("m@1").id


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda s: {}, "no calibration"),
        (lambda s: {**s, "encoder": "other@2"}, "calibrated for other@2"),
        (lambda s: {**s, "schema": 99}, "another version"),
        (lambda s: {**s, "features": ["cosine"]}, "another version"),
        (lambda s: {k: v for k, v in s.items() if k != "bias"}, "cannot be read"),
        (lambda s: {**s, "gate": 3}, "cannot be read"),
    ],
)
def test_foreign_calibration_is_refused(change, words) -> None:
    """A calibration that is missing, old, damaged or of another model is refused in one sentence."""
    with pytest.raises(IndexMismatch, match=words):
        Calibration.from_json(change(bundled_calibration("m@1").to_json()), encoder="m@1")


def test_logistic_fit_equals_a_known_model() -> None:
    """Newton's method finds weights that were planted, whatever the scale of the columns."""
    rng = np.random.default_rng(3)
    features = rng.normal(size=(20_000, 2)) * [1.0, 50.0]
    chance = 1 / (1 + np.exp(-(2 * features[:, 0] - 0.04 * features[:, 1] + 0.5)))
    labels = (rng.random(len(chance)) < chance).astype(float)
    weights, bias = fit_logistic(features, labels, np.ones(len(labels)))
    np.testing.assert_allclose(weights, [2, -0.04], rtol=0.1)
    assert bias == pytest.approx(0.5, abs=0.1)


def test_cuts_keep_their_word() -> None:
    """At most 4 % of the answerable are refused and at least three quarters answered plainly; the error is told."""
    present, absent = np.linspace(0.2, 1, 101), np.linspace(0, 0.8, 51)
    upper, lower, measured = cuts(present, absent)
    assert lower < upper
    assert measured.refused <= 0.04
    assert measured.plain >= 0.75
    assert measured.false_plain == pytest.approx((absent >= upper).mean())
    assert (measured.n, measured.n_absent) == (101, 51)
    assert cuts(present, np.zeros(0))[2].false_plain == 0.0


def test_another_model_is_calibrated_on_the_base_itself() -> None:
    """Labels near their own document give a relevance that tells them from far texts."""
    rng = np.random.default_rng(1)

    def unit(rows):
        return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)

    chunks = unit(rng.normal(size=(40, 16)))
    labels = unit(chunks + 0.1 * rng.normal(size=chunks.shape))
    off = unit(rng.normal(size=(30, 16)))
    rows = np.arange(40, dtype=np.int32)
    own = OwnText(chunks, rows, np.array(["en"] * 40), labels, rows, off, ["en"] * 30, unit(rng.normal(size=(20, 16))))
    made = calibrated_on(own, "other@1")
    assert made.basis == "own text"
    assert made.measured.false_plain < 0.05
    assert not is_bundled_model(made.encoder)
    empty = calibrated_on(
        dataclasses.replace(
            own, chunks=chunks[:0], chunk_documents=rows[:0], chunk_languages=np.array([], dtype=str), labels=labels[:0]
        ),
        "o@1",
    )
    assert empty.basis == "empty base"


def test_cuts_rise_where_small_talk_is_near() -> None:
    """A base near to the off-topic texts has a higher upper cut, within bounds; a far one has the plain ones."""
    rng = np.random.default_rng(4)
    off = np.eye(8, dtype=np.float32)[:4]
    rows = np.arange(4, dtype=np.int32)

    def own(chunks):
        return OwnText(chunks, rows, np.array(["en"] * 4), off, rows, off, ["en"] * 4, off[:1])

    near = bundled_calibration("m@1", own(off))
    far = bundled_calibration("m@1", own(-off + 0.01 * rng.normal(size=off.shape).astype(np.float32)))
    plain = bundled_calibration("m@1")
    assert (far.answered, far.uncertain) == (plain.answered, plain.uncertain)
    assert plain.answered < near.answered <= plain.answered + 0.14
    assert near.uncertain == plain.uncertain
