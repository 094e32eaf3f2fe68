"""Labelled questions, measures, and the reports made of them."""

from retrieval.evaluation.measures import MEASURES
from retrieval.evaluation.report import render_report
from retrieval.evaluation.results import check_thresholds, compare_results, missed_thresholds, results_of
from retrieval.evaluation.runs import LabelledQuestion, Run, as_asked, run_method

__all__ = [
    "MEASURES",
    "LabelledQuestion",
    "Run",
    "as_asked",
    "check_thresholds",
    "compare_results",
    "missed_thresholds",
    "render_report",
    "results_of",
    "run_method",
]
