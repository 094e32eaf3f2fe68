"""`triage recall`: corrects or deletes every post of the bot that rests on a document."""

import argparse
import asyncio
import sys
from pathlib import Path

from bot.bootstrap.recall import RecallResult, RecallWanted, recall
from bot.bootstrap.trust import build_audit
from bot.errors import BotError
from config.settings import load_settings
from retrieval.errors import RetrievalError
from retrieval.index import read_manifest
from scripts.output import counted, json_line, post_values


class NoDocumentNamed(BotError):
    """The id is empty."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--document", required=True, metavar="ID", help="the article or ticket that was wrong")
    parser.add_argument("--delete", action="store_true", help="delete the posts instead of correcting them")
    parser.add_argument("--dry-run", action="store_true", help="only list the posts")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Take back and say what was done; 1 when something is left to do."""
    name = arguments.document.strip()
    if not name:
        raise NoDocumentNamed("--document needs an id")
    settings = load_settings()
    wanted = RecallWanted(name, deletes=arguments.delete, is_dry=arguments.dry_run)
    result = asyncio.run(recall(settings, wanted, build_audit(settings, sys.stderr)))
    if not result.posts and not _is_indexed(name, settings.retrieval.index_dir):
        print(f"triage: nothing is known of document {name}; is the id right?", file=sys.stderr)
    for problem in result.problems:
        print(f"triage: {problem}", file=sys.stderr)
    print(json_line(_values(wanted, result)) if arguments.json else _text(wanted, result))
    return 0 if result.is_whole else 1


def _is_indexed(name: str, folder: Path) -> bool:
    """Whether an index holds the document; also where none can be read, so that nothing is said of the id then."""
    try:
        return name in read_manifest(folder).documents
    except RetrievalError:
        return True


def _values(wanted: RecallWanted, result: RecallResult) -> dict[str, object]:
    return {
        "document": wanted.document,
        "action": "list" if wanted.is_dry else "delete" if wanted.deletes else "correct",
        "posts": [post_values(post.receipt) | {"done": post.done} for post in result.posts],
        "changed": dict(result.counts),
    }


def _text(wanted: RecallWanted, result: RecallResult) -> str:
    verb = "deleted" if wanted.deletes else "corrected"
    lines = [
        f"document {wanted.document}: {counted(len(result.posts), 'post')} rest{'s' if len(result.posts) == 1 else ''} on it"
    ]
    for post in result.posts:
        thread = post.receipt.thread
        fate = {None: "stands", True: verb, False: f"NOT {verb}"}[post.done]
        lines.append(f"post {thread.platform} {thread.channel_id} {' '.join(post.receipt.post_ids)}: {fate}")
    if not wanted.is_dry:
        changed = ", ".join(f"{count} {kind}" for kind, count in sorted(result.counts.items()) if count) or "nothing"
        lines.append(f"changed in what is kept: {changed}")
    return "\n".join(lines)
