"""`triage index history` and `triage index rollback`: the kept generations of an index, and going back to one."""

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

from config.logs import configure_logs
from config.settings import load_settings
from retrieval.errors import GenerationMissing
from retrieval.index.generations import Generation, list_generations, roll_back
from scripts.output import json_line

HISTORY, ROLLBACK = "history", "rollback"
ACTIONS = (HISTORY, ROLLBACK)


def run(arguments: argparse.Namespace) -> int:
    """Do what the first word says; a folder of that name is written `./history`."""
    action, *rest = arguments.paths
    settings = load_settings()
    folder = settings.retrieval.index_dir if arguments.out is None else Path(arguments.out)
    if action == HISTORY:
        if rest:
            raise GenerationMissing("`triage index history` takes no path; --out names the index folder")
        return _history(folder, as_json=arguments.json)
    if len(rest) > 1:
        raise GenerationMissing("`triage index rollback` takes at most one generation")
    return _roll_back(folder, rest, as_json=arguments.json)


def _history(folder: Path, *, as_json: bool) -> int:
    for one in reversed(list_generations(folder)):
        print(json_line(_values(one)) if as_json else _line(one))
    return 0


def _roll_back(folder: Path, named: Sequence[str], *, as_json: bool) -> int:
    from bot.bootstrap import index_tools
    from bot.bootstrap.recall import withdraw_removed
    from bot.bootstrap.trust import build_audit

    settings = load_settings()
    before, manifest = roll_back(folder, lambda: index_tools(settings.retrieval), to=named[0] if named else "")
    served = next(one.name for one in list_generations(folder) if one.is_current)
    gone = sorted(before.manifest.documents.keys() - manifest.documents.keys())
    configure_logs("error")
    asyncio.run(withdraw_removed(settings, gone))
    trail = build_audit(settings, sys.stderr)
    names = {"generation": served, "generation_before": before.name}
    ids = {"index": manifest.index_id, "before": before.manifest.index_id}
    trail.write("index_rolled_back", **ids, **names, removed=len(gone))
    if as_json:
        counts = {"documents": manifest.counts.documents, "removed": len(gone)}
        print(json_line({**ids, **names, **counts}))
    else:
        print(
            f"serving generation {served} (index {manifest.index_id}, {manifest.counts.documents} documents) again instead of"
            f" {before.name} (index {before.manifest.index_id}); running bots take it within seconds"
        )
    return 0


def _values(one: Generation) -> dict[str, object]:
    return {
        "generation": one.name,
        "index": one.manifest.index_id,
        "calibration": one.manifest.calibration_id,
        "documents": one.manifest.counts.documents,
        "chunks": one.manifest.counts.chunks,
        "quarantined": one.manifest.counts.quarantined,
        "current": one.is_current,
        "rolled_back": one.is_newer,
    }


def _line(one: Generation) -> str:
    state = "current" if one.is_current else "rolled back from" if one.is_newer else ""
    counts = one.manifest.counts
    return f"{one.name}  index {one.manifest.index_id}  {counts.documents:6} documents  {counts.chunks:7} chunks  {state}".rstrip()
