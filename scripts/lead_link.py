"""`triage lead-link`: a one-time link to the lead's page."""

import argparse
import asyncio
import sys

from bot.bootstrap.lead_link import lead_link
from bot.bootstrap.trust import build_audit
from config.settings import load_settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "--port",
        type=int,
        default=0,
        metavar="N",
        help="private port of the bot (default: where the running one listens)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the link."""
    settings = load_settings()
    print(asyncio.run(lead_link(settings, build_audit(settings, sys.stderr), port=arguments.port)))
    print("opens once, within 15 minutes, on the machine of the bot", file=sys.stderr)
    return 0
