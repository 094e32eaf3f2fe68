"""`triage feedback export|report`: what people said of the answers, as rows for `triage eval` and summed up."""

import argparse
import asyncio

from bot.bootstrap.desk_answers import rated_answers
from bot.lead.feedback import evaluation_rows, is_labelled
from config.settings import load_settings
from scripts.feedback_report import report_of, text_of
from scripts.output import json_line
from scripts.since import seconds_since

_SINCE = "only answers with a verdict from then on: a date, a time, or an age such as 7d, 12h or 2w"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="export|report")
    export = actions.add_parser("export", help="print one row a question, in the form of `triage eval --queries`")
    export.add_argument("--since", default="", metavar="TIME", help=_SINCE)
    export.add_argument(
        "--rejected",
        action="store_true",
        help="instead print what most people found not useful, to be labelled by hand",
    )
    report = actions.add_parser("report", help="sum up what people said, by source, language and week")
    export.add_argument("--json", action="store_true", help="the same: rows are always JSON")
    report.add_argument("--since", default="", metavar="TIME", help=_SINCE)
    report.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Print the rows, oldest first, or the report."""
    if arguments.action == "report":
        values = report_of(asyncio.run(rated_answers(load_settings())), since=seconds_since(arguments.since))
        print(json_line(values) if arguments.json else text_of(values))
        return 0
    since = seconds_since(arguments.since)
    rated = asyncio.run(rated_answers(load_settings()))
    for row in evaluation_rows(rated, since=since):
        if is_labelled(row) != arguments.rejected:
            print(json_line(row))
    return 0
