"""`triage lead-link`: a one-time link to the lead's page."""

import argparse
import asyncio
import sys

from bot.bootstrap.lead_desk import make_lead_link
from bot.bootstrap.private_doors import FIRST_PRIVATE_PORT
from bot.bootstrap.trust import build_audit
from config.settings import load_settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "--port", type=int, default=0, metavar="N", help=f"port of the bot (TRIAGE_PORT, else {FIRST_PRIVATE_PORT})"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the link."""
    settings = load_settings()
    secret = asyncio.run(make_lead_link(settings, build_audit(settings, sys.stderr)))
    port = arguments.port or settings.server.port or FIRST_PRIVATE_PORT
    print(f"http://127.0.0.1:{port}/lead?link={secret}")
    print("opens once, within 15 minutes, on the machine of the bot", file=sys.stderr)
    return 0
