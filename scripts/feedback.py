"""`triage feedback export`: what people said of the answers, as rows for `triage eval`."""

import argparse
import asyncio
from datetime import UTC, datetime

from bot.bootstrap.desk_answers import rated_answers
from bot.errors import BotError
from bot.feedback import evaluation_rows, is_labelled
from config.settings import load_settings
from scripts.output import json_line


class SinceUnreadable(BotError):
    """The date is none."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="export")
    export = actions.add_parser("export", help="print one row a question, in the form of `triage eval --queries`")
    export.add_argument("--since", metavar="DATE", help="only answers with a verdict from this day on (2026-11-30)")
    export.add_argument(
        "--rejected",
        action="store_true",
        help="instead print what most people found not useful, to be labelled by hand",
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the rows, oldest first."""
    since = _day(arguments.since) if arguments.since else 0.0
    rated = asyncio.run(rated_answers(load_settings()))
    for row in evaluation_rows(rated, since=since):
        if is_labelled(row) != arguments.rejected:
            print(json_line(row))
    return 0


def _day(text: str) -> float:
    try:
        return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()
    except ValueError:
        raise SinceUnreadable(f"--since needs a day such as 2026-11-30, not {text!r}") from None
