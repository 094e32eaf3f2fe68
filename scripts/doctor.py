"""`triage doctor`: tries every part that the settings name, and says what to do about what does not work."""

import argparse
import asyncio
from dataclasses import asdict

from bot.bootstrap.checks import Finding, check_all
from config.settings import load_settings
from scripts.output import json_line


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "--channel", action="append", default=[], metavar="ID", help="a Slack channel that the bot should be in"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a part")


def run(arguments: argparse.Namespace) -> int:
    """Check and print; 1 when something was found."""
    findings = asyncio.run(_findings(arguments.channel))
    for finding in findings:
        print(json_line(asdict(finding)) if arguments.json else _line(finding))
    return 0 if all(finding.is_well for finding in findings) else 1


async def _findings(channels: list[str]) -> list[Finding]:
    return [finding async for finding in check_all(load_settings(), channels)]


def _line(finding: Finding) -> str:
    mark = "FAIL" if not finding.is_well else "warn" if finding.is_warning else "ok  "
    advice = f"\n       → {finding.advice}" if finding.advice else ""
    return f"{mark} {finding.part}: {finding.seen}{advice}"
