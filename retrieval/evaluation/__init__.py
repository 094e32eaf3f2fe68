"""Labelled questions, measures, and the reports made of them."""

from retrieval.evaluation.comparison import Difference, compare_results, details_of, differences
from retrieval.evaluation.measures import MEASURES
from retrieval.evaluation.report import render_report
from retrieval.evaluation.results import check_thresholds, missed_thresholds, results_of
from retrieval.evaluation.runs import LabelledQuestion, Run, as_asked, run_method

__all__ = [
    "MEASURES",
    "Difference",
    "LabelledQuestion",
    "Run",
    "as_asked",
    "check_thresholds",
    "compare_results",
    "details_of",
    "differences",
    "missed_thresholds",
    "render_report",
    "results_of",
    "run_method",
]
