"""`triage dead-letters`: what the queue gave up; put it back, or throw it away."""

import argparse
import asyncio
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from bot.errors import BotError
from config.settings import load_settings
from scripts.output import counted, json_line

if TYPE_CHECKING:
    from bot.adapters.work.dead_letters import DeadLetter, DeadLetters

_SHOWN = 80


class NothingNamed(BotError):
    """Neither an id nor `--all`."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listed = actions.add_parser("list", help="show what was given up, and why")
    listed.add_argument("--json", action="store_true", help="print one JSON object a question")
    for name, line in (("retry", "put questions back into the queue"), ("drop", "throw questions away")):
        action = actions.add_parser(name, help=line)
        action.add_argument("ids", nargs="*", metavar="ID", help="as `list` shows it")
        action.add_argument("--all", action="store_true", help="every one that there is now")
        action.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """List, put back or throw away; 1 when some of the named ones could not be, 2 when none could."""
    if arguments.action == "list":
        return asyncio.run(_list(is_json=arguments.json))
    if bool(arguments.ids) == arguments.all:
        raise NothingNamed(f"name the ids of dead letters, or say --all: triage dead-letters {arguments.action} ID…")
    return asyncio.run(_change(arguments.action, arguments.ids, is_json=arguments.json))


async def _list(*, is_json: bool) -> int:
    from bot.bootstrap.dead_letters import open_dead_letters

    count = 0
    async with open_dead_letters(load_settings()) as letters:
        async for letter in letters.all():
            count += 1
            print(json_line(_values(letter)) if is_json else _line(letter))
    if not is_json:
        print(counted(count, "dead letter"))
    return 0


async def _change(action: str, ids: Sequence[str], *, is_json: bool) -> int:
    from bot.bootstrap.dead_letters import open_dead_letters

    async with open_dead_letters(load_settings()) as letters:
        named = list(dict.fromkeys(ids)) or [letter.id async for letter in letters.all()]
        change = letters.retry if action == "retry" else letters.drop
        changed = [name for name in named if await change(name)]
        failed = [name for name in named if name not in set(changed)]
        for name in failed:
            print(f"triage: {name}: {await _why(letters, name)}", file=sys.stderr)
    done = "retried" if action == "retry" else "dropped"
    if is_json:
        print(json_line({done: changed, "failed": failed}))
    elif changed or not failed:
        print(f"{done} {counted(len(changed), 'question')}")
    return 0 if not failed else 1 if changed else 2


async def _why(letters: "DeadLetters", name: str) -> str:
    known = [letter.id async for letter in letters.all()]
    return "it cannot be read, and can only be dropped" if name in known else "no such dead letter"


def _values(letter: "DeadLetter") -> dict[str, object]:
    message = letter.message
    values: dict[str, object] = {
        "id": letter.id,
        "given_up_at": _time(letter.given_up_at),
        "reason": letter.reason,
        "readable": message is not None,
    }
    if message is None:
        return values
    thread = message.thread
    return {
        **values,
        "asked_at": _time(message.received_at),
        "platform": str(thread.platform),
        "tenant": thread.tenant_id,
        "channel": thread.channel_id,
        "thread": thread.thread_id,
        "message": message.message_id,
        "question": message.text,
    }


def _line(letter: "DeadLetter") -> str:
    head = f"{letter.id}  {_time(letter.given_up_at)}  {letter.reason}"
    if letter.message is None:
        return head
    thread, text = letter.message.thread, " ".join(letter.message.text.split())
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
    return f"{head}  {thread.platform} {thread.channel_id} {thread.thread_id}  {shown}"


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
