"""`triage forget`: a person, a thread or a document, out of everything that the bot keeps."""

import argparse
import asyncio
import sys
from pathlib import Path

from bot.bootstrap.forgetting import ForgetResult, Wanted, forget
from bot.bootstrap.trust import build_audit
from bot.errors import BotError
from bot.lead.forgetting import SubjectKind
from config.settings import load_settings
from scripts.output import json_line, post_values


class NothingNamed(BotError):
    """An id is empty, and would name everything or nothing."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    subject = parser.add_mutually_exclusive_group(required=True)
    subject.add_argument("--user", metavar="ID", help="a person: Slack's user id, or the Entra object id in Teams")
    subject.add_argument("--thread", metavar="ID", help="a thread: the time stamp of its root on Slack, else its id")
    subject.add_argument("--document", metavar="ID", help="an article or ticket; remove it from its source too")
    parser.add_argument("--posts", action="store_true", help="also delete what the bot posted")
    parser.add_argument("--index", type=Path, metavar="DIR", help="index folder (default: TRIAGE_DATA_DIR/index)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Forget and say what was done; 1 when something is left to do."""
    kind = next(kind for kind in SubjectKind if getattr(arguments, kind, None) is not None)
    name = str(getattr(arguments, kind)).strip()
    if not name:
        raise NothingNamed(f"--{kind} needs an id")
    settings = load_settings()
    wanted = Wanted(kind, name, deletes_posts=arguments.posts, index_dir=arguments.index)
    result = asyncio.run(forget(settings, wanted, build_audit(settings, sys.stderr)))
    for problem in result.problems:
        print(f"triage: {problem}", file=sys.stderr)
    if result.files == "refused":
        print("triage: the server did not rewrite its files: run BGREWRITEAOF (and BGSAVE) on it", file=sys.stderr)
    if not (result.counts or result.documents or result.older_generations):
        print(f"triage: nothing is known of {wanted.kind} {wanted.id}; is the id right?", file=sys.stderr)
    print(json_line(_values(wanted, result)) if arguments.json else _text(wanted, result))
    return 0 if result.is_whole else 1


def _values(wanted: Wanted, result: ForgetResult) -> dict[str, object]:
    return {
        str(wanted.kind): wanted.id,
        "removed": dict(sorted(result.counts.items())),
        "documents": list(result.documents),
        "older_generations": result.older_generations,
        "vectors": result.vectors,
        "files": result.files,
        "posts": [post_values(post.receipt) | {"deleted": post.deleted} for post in result.posts],
        "seconds": result.seconds,
    }


def _text(wanted: Wanted, result: ForgetResult) -> str:
    removed = ", ".join(f"{count} {kind}" for kind, count in sorted(result.counts.items())) or "nothing"
    lines = [f"{wanted.kind} {wanted.id}: removed {removed} ({result.seconds:.1f} s, server files {result.files})"]
    if wanted.kind is SubjectKind.DOCUMENT:
        where = "removed from the index" if result.documents else "not in the index"
        lines.append(f"{where}; {result.older_generations} older generations dropped, {result.vectors} vectors removed")
    for post in result.posts:
        fate = {None: "stands (--posts deletes it)", True: "deleted", False: "NOT deleted"}[post.deleted]
        thread = post.receipt.thread
        lines.append(f"post {thread.platform} {thread.channel_id} {' '.join(post.receipt.post_ids)}: {fate}")
    return "\n".join(lines)
