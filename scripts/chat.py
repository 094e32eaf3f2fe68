"""`triage chat`: ask and follow up in a terminal, or line by line from a pipe."""

import argparse
import asyncio
import sys
from pathlib import Path
from uuid import uuid4

from bot.messages import Answer
from config.settings import Settings, load_settings

DEFAULT_AUDIENCE = "public,internal"
_PROMPT = "> "
_HELP = "Ask a question; an empty line or Ctrl-D ends, /new starts another thread."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--show-query", action="store_true", help="show what was searched before each answer")
    parser.add_argument("--index", type=Path, metavar="DIR", help="index folder (default: TRIAGE_DATA_DIR/index)")
    parser.add_argument(
        "--audience", default=DEFAULT_AUDIENCE, metavar="LABELS", help=f"who asks (default: {DEFAULT_AUDIENCE})"
    )


def run(arguments: argparse.Namespace) -> int:
    """Talk until the input ends."""
    from scripts.console import quiet_logs

    settings = load_settings()
    quiet_logs(settings)
    return asyncio.run(talk(arguments, settings))


async def talk(arguments: argparse.Namespace, settings: Settings) -> int:
    """Answer line by line until the input ends; gives the exit code."""
    from scripts.console import as_text, open_console

    thread = _new_thread()
    async with open_console(
        settings, index_dir=arguments.index, audience=arguments.audience, has_history=True
    ) as console:
        if sys.stdin.isatty():
            print(_HELP)
        while (line := await asyncio.to_thread(_read_line)) is not None:
            if line == "/new":
                thread = _new_thread()
                continue
            answer = await console.ask(line, thread)
            if arguments.show_query:
                print(_queries(answer))
            print(as_text(answer) + "\n", flush=True)
    return 0


def _read_line() -> str | None:
    """Give the next question; None at the end, on a terminal also for an empty line. Empty lines of a pipe are skipped."""
    if sys.stdin.isatty():
        print(_PROMPT, end="", flush=True)
        return sys.stdin.readline().strip() or None
    while line := sys.stdin.readline():
        if line.strip():
            return line.strip()
    return None


def _new_thread() -> str:
    return f"chat-{uuid4().hex[:12]}"


def _queries(answer: Answer) -> str:
    return "\n".join(f"[searched: {query}]" for query in answer.queries) or "[nothing searched]"
