"""Labelled questions move the numbers as far as there are questions, and the error told is of questions left out."""

import dataclasses

import numpy as np
import pytest

from retrieval.ranking.bundled import bundled_calibration
from retrieval.ranking.calibration import is_current
from retrieval.ranking.labelled import LABELLED, fit_gate, fit_labelled
from retrieval.ranking.relevance import FEATURES

PRIOR = bundled_calibration("m@1")


def _questions(count, cosine, lead, *, seed=0):
    rng = np.random.default_rng(seed)
    rows = np.zeros((count, 2, len(FEATURES)))
    rows[:, :, FEATURES.index("cosine")] = cosine + 0.01 * rng.normal(size=(count, 2))
    rows[:, :, FEATURES.index("lexical_lead")] = lead + 0.1 * rng.normal(size=(count, 2))
    # As half of the questions of techqa_sample have at least.
    rows[:, :, FEATURES.index("document_cosine")], rows[:, :, FEATURES.index("fused_lead")] = 0.4, 1.2
    return list(rows)


def test_many_questions_decide() -> None:
    """In a base where near passages answer nothing, three hundred questions tell what to look at."""
    present, absent = _questions(300, 0.80, 0.5), _questions(300, 0.86, 0.1, seed=1)
    made = fit_labelled(PRIOR, present, absent)
    assert made.before.false_plain - made.after.false_plain > 0.3 or made.before.plain < made.after.plain - 0.3
    assert made.after.plain > 0.9
    assert made.after.false_plain < 0.1
    assert made.calibration.basis == LABELLED
    assert made.calibration.measured == made.after
    assert (made.after.n, made.after.n_absent) == (300, 300)
    assert is_current(made.calibration.to_json(), PRIOR.to_json())


def test_a_handful_changes_little() -> None:
    """Three questions that say the contrary of everything known move no cut far and turn no weight round."""
    present, absent = _questions(3, 0.78, 0.0), _questions(3, 0.90, 0.9, seed=1)
    made = fit_labelled(PRIOR, present, absent).calibration
    assert abs(made.answered - PRIOR.answered) < 0.1
    assert abs(made.uncertain - PRIOR.uncertain) < 0.1
    assert made.uncertain <= made.answered
    place = FEATURES.index("document_cosine")
    assert made.weights[place] > 0.5 * PRIOR.weights[place]


def test_the_error_is_of_questions_left_out() -> None:
    """Where nothing can be told apart the error after the fit is not better than chance."""
    rng = np.random.default_rng(5)
    noise = [rng.normal(size=(2, len(FEATURES))) for _ in range(80)]
    made = fit_labelled(dataclasses.replace(PRIOR, weights=(0.0,) * len(FEATURES)), noise[:40], noise[40:])
    assert abs(made.after.plain - made.after.false_plain) < 0.25


def test_question_that_finds_nothing_counts_as_refused() -> None:
    """No passage at all is a relevance of 0."""
    nothing = np.zeros((0, len(FEATURES)))
    made = fit_labelled(PRIOR, [*_questions(9, 0.9, 0.9), nothing], [nothing, nothing])
    assert made.before.refused == pytest.approx(0.1)
    assert made.before.false_plain == 0.0


def test_one_side_alone_is_refused() -> None:
    """Without questions of one kind there is nothing to fit."""
    with pytest.raises(ValueError, match="with an answer and without"):
        fit_labelled(PRIOR, _questions(3, 0.9, 0.9), [])


def test_gate_rises_to_the_off_topic_texts_and_stays_below_the_questions() -> None:
    """The threshold rises by part of what the texts ask for, never over the questions; the share declined grows."""
    made = fit_gate([3.0] * 200, [0.5] * 40)
    assert 0.4 < made.shift < 0.6
    assert made.before == (0.0, 0.0)
    assert made.after[0] == 0.0
    assert fit_gate([0.2] * 200, [3.0] * 40).shift <= 0.1
    assert fit_gate([3.0] * 4, [0.5] * 40).shift < 0.1


def test_gate_falls_for_questions_that_it_declines() -> None:
    """Questions declined now lower the threshold, within bounds; without texts it never rises."""
    made = fit_gate([*[1.0] * 10, *[-0.6] * 10], [])
    assert made.shift == pytest.approx(-0.7)
    assert made.before[0] == 0.5
    assert made.after[0] == 0.0
    assert fit_gate([-9.0] * 10, []).shift == -3.0
    assert fit_gate([2.0] * 10, []).shift == 0.0
    assert fit_gate([], [1.0]).shift == 0.0
