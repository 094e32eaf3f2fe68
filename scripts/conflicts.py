"""`triage conflicts`: do two texts contradict each other?"""

import argparse
import sys
from pathlib import Path

from retrieval.validation import Comparison, PairVerdict, compare_texts
from scripts.output import json_line
from scripts.queries import Row, RowsInvalid, exit_code, read_each_row
from scripts.repeated_ids import naming_repeated


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--pairs", type=Path, required=True, metavar="FILE.jsonl", help='rows {"id", "a", "b"}')
    parser.add_argument("--json", action="store_true", help='print {"id", "relation", "slots"}, one a line')


def run(arguments: argparse.Namespace) -> int:
    """Compare and print; 1 when a row could not be read, the others are printed all the same; 2 when none could."""
    done = skipped = 0
    for row in naming_repeated(read_each_row(arguments.pairs)):
        try:
            if isinstance(row, RowsInvalid):
                raise row
            verdict = compare_texts(row.text("a"), row.text("b"))
        except RowsInvalid as fault:
            print(f"triage: {fault}", file=sys.stderr)
            skipped += 1
            continue
        _print(row, verdict, as_json=arguments.json)
        done += 1
    return exit_code(done=done, skipped=skipped)


def _print(row: Row, verdict: PairVerdict, *, as_json: bool) -> None:
    values = {"id": row.values.get("id"), "relation": str(verdict.relation), "slots": [_slot(s) for s in verdict.slots]}
    if as_json:
        print(json_line(values))
        return
    told = "; ".join(f"{one.slot or one.kind}: {one.values[0]} / {one.values[1]}" for one in verdict.slots)
    print(f"{values['id']}  {verdict.relation}  {told}".rstrip())


def _slot(one: Comparison) -> dict[str, object]:
    return {
        "slot": one.slot,
        "kind": one.kind,
        "values": list(one.values),
        "relation": str(one.relation),
        "certainty": round(one.certainty, 3),
    }
