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
from retrieval.ranking.relevance import (
    FEATURES,
    needs_strangers,
    off_topic_level,
    relevance_features,
    shows_another,
)


def _evidence(cosine, lexical, documents, *, foreign=None, languages=None, codes=(None, None), order=None):
    """`order`: rare coverage, fused score and document's cosine of each chunk."""
    count = len(cosine)
    rare, fused, document = (None, None, None) if order is None else np.array(order, float).T
    return RawEvidence(
        cosine=np.array(cosine, float),
        lexical=np.array(lexical, float),
        max_lexical=20.0,
        documents=np.array(documents, np.int32),
        languages=np.array(languages or ["en"] * count),
        strangers=np.full(29, 0.76),
        is_foreign=np.array(foreign if foreign is not None else [False] * count),
        codes_held=codes[0],
        other_codes=codes[1],
        rare=rare,
        fused=fused,
        document=document,
    )


def _column(features, name):
    return features[:, FEATURES.index(name)]


def _relevance(evidence):
    return bundled_calibration("multilingual-e5-small@x").relevance(relevance_features(evidence))


def test_right_passage_is_more_relevant_than_noise() -> None:
    """A near passage that holds the words is answered, a far one without them is not."""
    calibration = bundled_calibration("multilingual-e5-small@x")
    good = _relevance(_evidence([0.90, 0.80], [9.0, 2.0], [0, 1], order=[(0.6, 1.7, 0.5), (0.1, 0.2, 0.2)]))
    bad = _relevance(_evidence([0.765, 0.76], [0.5, 0.4], [0, 1], order=[(0.0, 0.1, 0.1), (0.0, 0.0, 0.1)]))
    assert calibration.band(good.max()) == Band.ANSWERED
    assert calibration.band(bad.max()) == Band.NONE
    assert calibration.band((calibration.answered + calibration.uncertain) / 2) == Band.UNCERTAIN


def test_other_language_needs_no_common_word() -> None:
    """A near passage in another language is relevant without a lexical hit."""
    calibration = bundled_calibration("multilingual-e5-small@x")
    order = [(0.0, 1.2, 0.5), (0.0, 0.1, 0.1)]
    foreign = _relevance(_evidence([0.87, 0.80], [0.0, 0.0], [0, 1], foreign=[True, True], order=order))
    assert calibration.band(foreign.max()) == Band.ANSWERED


@given(st.integers(1, 200))
def test_unrelated_documents_change_nothing(count) -> None:
    """A base of thirty documents grown by chunks that are far from the query gives the same relevance."""
    near, words, rows = [0.86, *np.linspace(0.83, 0.80, 29)], [9.0, *np.linspace(4, 1, 29)], [*range(30)]
    order = [(word / 10, word / 5, 0.4) for word in words]
    small = _evidence(near, words, rows, order=order)
    more = [*near, *[0.70] * count], [*words, *[0.0] * count], [*rows, *range(30, count + 30)]
    grown = _evidence(*more, order=[*order, *[(0.0, 0.0, -0.1)] * count])
    np.testing.assert_allclose(_relevance(grown)[:30], _relevance(small))


def test_lead_is_over_other_documents() -> None:
    """Chunks of one document do not compete; strangers stand for the documents that a small base lacks."""
    features = relevance_features(_evidence([0.9, 0.88, 0.8], [8, 6, 2], [4, 4, 7]))
    others = (0.8 + 28 * 0.76) / 29
    np.testing.assert_allclose(_column(features, "cosine_lead"), [0.9 - others, 0.88 - others, 0.8 - others])
    np.testing.assert_allclose(_column(features, "lexical_lead"), [0.75, 0.5, -0.75])
    np.testing.assert_allclose(_column(features, "lexical_gap"), [0.4, 0.3, 0.1])
    alone = relevance_features(_evidence([0.9], [8], [4]))
    np.testing.assert_allclose(_column(alone, "cosine_lead"), 0.14)
    np.testing.assert_allclose(_column(alone, "lexical_lead"), 1.0)


@pytest.mark.parametrize(
    ("languages", "is_needed"), [(["en"] * 30, False), (["en"] * 29, True), (["en"] * 29 + ["de"], True)]
)
def test_strangers_are_asked_for_where_documents_lack(languages, is_needed) -> None:
    """With thirty documents in each language strangers change nothing, so they need not be computed; with fewer they do."""
    count = len(languages)
    evidence = _evidence(np.linspace(0.9, 0.8, count), [1.0] * count, [*range(count)], languages=languages)
    bare = dataclasses.replace(evidence, strangers=np.zeros(0))
    assert needs_strangers(evidence.documents, evidence.languages) == is_needed
    assert np.array_equal(relevance_features(evidence), relevance_features(bare)) != is_needed


def test_lead_is_over_the_fifth_document() -> None:
    """The first four are measured against the fifth, later ones against the fourth; chunks of one document do not compete."""
    order = [
        (0.9, 1.8, 0.5),
        (0.8, 1.6, 0.5),
        (0.7, 1.5, 0.4),
        (0.6, 1.2, 0.3),
        (0.5, 1.0, 0.2),
        (0.4, 0.7, 0.1),
        (0.1, 0.3, 0),
    ]
    evidence = _evidence([0.8] * 7, [1] * 7, [1, 1, 2, 3, 4, 5, 6], order=order)
    features = relevance_features(evidence)
    np.testing.assert_allclose(_column(features, "fused_lead"), [1.1, 0.9, 0.8, 0.5, 0.3, -0.3, -0.7])
    np.testing.assert_allclose(_column(features, "rare_lead"), [0.5, 0.4, 0.3, 0.2, 0.1, -0.1, -0.4])
    np.testing.assert_allclose(_column(features, "document_cosine"), [0.5, 0.5, 0.4, 0.3, 0.2, 0.1, 0])
    alone = relevance_features(_evidence([0.8], [1], [1], order=[(0.6, 1.5, 0.2)]))
    np.testing.assert_allclose(_column(alone, "fused_lead"), 1.5)


def test_fused_lead_is_over_every_language() -> None:
    """The order gives credit for words that a chunk cannot share, so translations compete in it; in rare words they do not."""
    order = [(0.5, 1.0, 0.4), *[(0.0, 0.9, 0.4)] * 5]
    tongues = {"languages": ["en", *["de"] * 5], "foreign": [False, *[True] * 5]}
    features = relevance_features(_evidence([0.8] * 6, [1] * 6, [*range(6)], order=order, **tongues))
    np.testing.assert_allclose(_column(features, "fused_lead")[0], 0.1)
    np.testing.assert_allclose(_column(features, "rare_lead"), [0.5, 0, 0, 0, 0, 0])


def test_a_translation_is_no_competition() -> None:
    """Passages compete within their language: the same article in another one takes nothing from the lead."""
    alone = relevance_features(_evidence([0.9, 0.8], [8, 2], [1, 2]))
    beside = relevance_features(_evidence([0.9, 0.8, 0.9], [8, 2, 0], [1, 2, 3], languages=["en", "en", "de"]))
    np.testing.assert_allclose(beside[:2], alone)


def test_hardly_a_common_word_is_no_lead() -> None:
    """A chunk that alone holds a small word of the question does not stand out by it."""
    features = relevance_features(_evidence([0.8, 0.8], [0.1, 0.0], [1, 2]))
    assert _column(features, "lexical_lead")[0] < 0.1


def test_another_code_of_the_same_form_speaks_against_a_passage() -> None:
    """A document that holds the code is more relevant than one with a code of the same form; other chunks of it too."""
    held, other = np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 1.0])
    features = relevance_features(_evidence([0.86] * 3, [5] * 3, [1, 1, 2], codes=(held, other)))
    np.testing.assert_allclose(_column(features, "codes_held"), [1, 1, 0])
    np.testing.assert_allclose(_column(features, "other_codes"), [0, 0, 1])
    order = [(0.5, 1.4, 0.5)] * 3
    judged = _relevance(_evidence([0.86] * 3, [5] * 3, [1, 1, 2], codes=(held, other), order=order))
    assert judged[0] - judged[2] > 0.3
    assert _column(relevance_features(_evidence([0.86], [5], [1])), "has_codes")[0] == 0


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        ("cve-2015-2808", "Security bulletin (CVE-2014-8730)", True),
        ("cve-2015-2808", "Security bulletin (CVE-2015-2808)", False),
        ("cve-2015-2808", "CVE-2015-2808 and CVE-2014-8730", True),
        ("cve-2015-2808", "XCVE-2014-8730 or CVE-2014-8730X", False),
        ("bip3701e", "BIP2230E: error", True),
        ("bip3701e", "see page 3701", False),
        ("0x80070005", "0x80070002", True),
    ],
)
def test_form_of_a_code(code, text, expected) -> None:
    """The form is the code with any digits, as a word of its own."""
    assert shows_another(code, text) is expected


def test_strangers_are_the_nearest_off_topic_texts() -> None:
    """The largest cosines, largest first; none without a bank."""
    bank = np.zeros((40, 2), np.float32)
    bank[:, 0] = np.arange(40) / 40
    found = off_topic_level(np.array([1, 0], np.float32), bank)
    np.testing.assert_allclose(found, np.arange(39, 10, -1) / 40, rtol=1e-6)
    assert not len(off_topic_level(np.array([1, 0], np.float32), bank[:0]))


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
        (lambda s: {**s, "features": 3}, "another version"),
        (lambda s: {**s, "gate": 3}, "cannot be read"),
        (lambda s: {**s, "weights": s["weights"][1:]}, f"{len(FEATURES) - 1} weights for {len(FEATURES)} features"),
        (lambda s: {**s, "weights": [float("inf"), *s["weights"][1:]]}, "not finite"),
        (lambda s: {**s, "answered": float("nan")}, "not finite"),
        (lambda s: {**s, "gate": {"threshold": float("nan")}}, "not finite"),
        (lambda s: {**s, "answered": s["uncertain"] / 2}, "below the lower one"),
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
    own = OwnText(chunks, rows, np.array(["en"] * 40), labels, rows, off, unit(rng.normal(size=(20, 16))))
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
