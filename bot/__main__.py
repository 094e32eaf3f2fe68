"""`python -m bot all|http|slack|teams|worker`: starts one process and stops it cleanly on SIGINT or SIGTERM.

Exit codes: 0 stopped as asked; 1 a part failed while running; 2 it could not be started.
"""

import argparse
import asyncio
import signal
import sys
import webbrowser

import structlog

from bot.bootstrap.processes import Role, run_process
from bot.bootstrap.sample_index import prepare_sample
from bot.bootstrap.services import ServiceFailed
from bot.errors import BotError
from config.logs import configure_logs
from config.settings import ConfigError, Settings, has_display, load_settings
from retrieval.errors import RetrievalError

_log = structlog.get_logger(__name__)


def main(argv: list[str] | None = None) -> int:
    """Run the process that the arguments name."""
    parser = argparse.ArgumentParser(prog="python -m bot", description="Starts a process of the support triage bot.")
    parser.add_argument("role", choices=[str(role) for role in Role], help="what the process does")
    role = Role(parser.parse_args(argv).role)
    try:
        settings = load_settings()
        configure_logs(_log_level(role, settings))
        if role is Role.ALL:
            signal.signal(signal.SIGTERM, signal.default_int_handler)
            prepare_sample(settings.retrieval, _announce)
        asyncio.run(_run(role, settings))
    except (ConfigError, BotError, RetrievalError, OSError) as error:
        print(f"triage: {error}", file=sys.stderr)
        return 2
    except ServiceFailed as error:
        print(f"triage: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:  # while indexing; what was embedded is kept
        return 0
    return 0


def _log_level(role: Role, settings: Settings) -> str:
    """Give the level; a person who watches `all` in a terminal sees warnings only, unless the setting says otherwise."""
    is_chosen = "log_level" in settings.server.model_fields_set
    return "warning" if role is Role.ALL and sys.stderr.isatty() and not is_chosen else settings.server.log_level


async def _run(role: Role, settings: Settings) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    await run_process(role, settings, stop, _announce, _open_page if role is Role.ALL else _ignore)


def _announce(line: str) -> None:
    print(line, flush=True)


def _open_page(address: str) -> None:
    if has_display():
        webbrowser.open(address)


def _ignore(_address: str) -> None:
    return


if __name__ == "__main__":
    sys.exit(main())
