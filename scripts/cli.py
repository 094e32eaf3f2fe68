"""The console script `triage`: mounts the commands, imports only the one that was asked for."""

import argparse
import importlib
import io
import os
import sys
from collections.abc import Sequence
from typing import NoReturn, Protocol, cast


class Command(Protocol):
    """What a command module offers."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the arguments."""
        ...

    def run(self, arguments: argparse.Namespace) -> int:
        """Do the work and give the exit code: 0 done, 1 partly or something found, 2 nothing could be done."""
        ...


# Name of the command, its module and its line in the help.
COMMANDS: dict[str, tuple[str, str]] = {
    "ask": ("scripts.ask", "ask one question, or a file of them, through the whole flow"),
    "chat": ("scripts.chat", "ask and follow up in a terminal"),
    "index": ("scripts.index", "build or update the index from articles and tickets"),
    "search": ("scripts.search", "search the index without the flow around it"),
    "eval": ("scripts.evaluate", "measure retrieval and refusals on labelled questions"),
    "calibrate": ("scripts.calibrate", "fit relevance and topic gate to labelled questions"),
    "gate": ("scripts.gate", "judge texts by the topic gate"),
    "redact": ("scripts.redact", "show what redaction removes from a text"),
    "screen": ("scripts.screen", "show which documents would be quarantined"),
    "quarantine": ("scripts.quarantine", "list, show, approve or reject documents that were held back"),
    "conflicts": ("scripts.conflicts", "say of pairs of texts whether they contradict each other"),
    "validate": ("scripts.validate", "find contradictions, stale pages and near copies in a knowledge base"),
    "gaps": ("scripts.gaps", "list the questions that nobody could answer, grouped by meaning"),
    "backtest": ("scripts.backtest", "ask resolved tickets again, each with only what was known before it"),
    "bench": ("scripts.bench", "measure speed against public libraries in one run"),
    "dead-letters": ("scripts.dead_letters", "list, put back or drop questions that the queue gave up"),
    "forget": ("scripts.forget", "forget a person, a thread or a document, and list or delete the bot's posts"),
    "lead-link": ("scripts.lead_link", "print a one-time link to the lead's page"),
    "correct": ("scripts.correct", "set a question right: hide a source, pin an approved answer, or have it refused"),
    "recall": ("scripts.recall", "correct or delete every post of the bot that rests on a document"),
    "feedback": ("scripts.feedback", "print what people said of the answers, as rows for `triage eval`"),
    "doctor": ("scripts.doctor", "check settings, Redis, index and model, and say what to do"),
}


class _Parser(argparse.ArgumentParser):
    """Tells a wrong argument as every other error is told: in one line."""

    def error(self, message: str) -> NoReturn:
        """End with 2."""
        self.exit(2, f"triage: {' '.join(message.split())}; see {self.prog} --help\n")


class _Version(argparse.Action):
    """Prints the build only when it was asked for: finding it imports the bot."""

    def __init__(self, option_strings: Sequence[str], dest: str, help: str | None = None) -> None:  # noqa: A002
        super().__init__(option_strings, dest, nargs=0, help=help)

    def __call__(self, parser: argparse.ArgumentParser, *_ignored: object) -> None:
        from bot.bootstrap import build_id

        print(f"triage {build_id()}")
        parser.exit()


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; errors are one line on stderr, never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that knows only ASCII gets escapes, not a traceback
            stream.reconfigure(errors="backslashreplace")
    arguments = list(sys.argv[1:] if argv is None else argv)
    name = arguments[0] if arguments and arguments[0] in COMMANDS else None
    parser = _Parser(prog="triage", description="A support-triage bot that cites what it says.")
    parser.add_argument("--version", action=_Version, help="print the version and the commit")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    module: Command | None = None
    for command, (path, line) in COMMANDS.items():
        child = commands.add_parser(command, help=line, description=line)
        if command == name:
            module = cast("Command", importlib.import_module(path))
            module.add_arguments(child)
    parsed = parser.parse_args(arguments)
    if module is None:  # pragma: no cover - argparse has refused an unknown command before this line
        return 2
    return _run(module, parsed)


def _run(module: Command, parsed: argparse.Namespace) -> int:
    from bot.errors import BotError
    from config.settings import ConfigError
    from retrieval.errors import RetrievalError

    try:
        code = module.run(parsed)
        sys.stdout.flush()  # here and not at the end of the process, where a reader that went away is a traceback
    except BrokenPipeError:  # the reader (head, less) went away
        _drop_output()
        return 0
    except (BotError, RetrievalError, ConfigError, OSError) as error:
        print(f"triage: {_told(error)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return code


def _told(error: Exception) -> str:
    """Give the sentence of an error, one of the system as `file: reason`."""
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        return f"{os.fsdecode(error.filename)}: {error.strerror}"
    return " ".join(str(error).split("\n"))


def _drop_output() -> None:
    """Point standard output at nothing, so that the interpreter's last flush does not fail again."""
    try:
        number = sys.stdout.fileno()
    except OSError:  # no real file
        return
    with open(os.devnull, "wb") as nothing:  # noqa: PTH123 - a device by its name
        os.dup2(nothing.fileno(), number)


if __name__ == "__main__":
    sys.exit(main())
