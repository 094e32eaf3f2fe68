"""Ask a desk's questions without a model and count the answers: `python -m tests.scenarios.parcel_desk.judge [FOLDER]`.

FOLDER is another desk beside this one, such as `university_desk`. Good: the first citation is a right one and all facts stand, or
nothing is said where nothing answers; late when no fact stands in the first line (of a table, in its first row). Poor: a right
source without the fact. None: nothing is said though a source answers. Wrong: anything else. Each is counted with and without the
notice `uncertain`.
"""

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

HERE = Path(__file__).parent
# The head of a table and the rule below it stand above its first row.
_FIRST = 3
_RUN = uuid4().hex


def judged(question: Mapping[str, Any], answer: Mapping[str, Any]) -> str:
    """Say how good an answer is: good, poor, none or wrong."""
    cited = [citation["id"] for citation in answer["citations"]]
    if answer["outcome"] != "answered":
        return "none" if question["ids"] else "good"
    if not set(cited) & set(question["ids"]):
        return "wrong"
    has_all = all(re.search(fact, answer["text"]) for fact in question["facts"])
    if not has_all or cited[0] not in question["ids"]:
        return "poor"
    return "good" if _is_first(question["facts"], answer["text"]) else "good, late"


def _is_first(facts: Sequence[str], text: str) -> bool:
    """Say whether a fact stands in the first line; steps count as one."""
    lines = text.split("\n")
    head = lines[:_FIRST] if lines[0].startswith("|") else [text.partition("[1]")[0]]
    return not facts or any(re.search(fact, "\n".join(head)) for fact in facts)


def main() -> None:
    """Index the base, ask, and print what is not good, then the counts."""
    desk = HERE.parent / (sys.argv[1] if len(sys.argv) > 1 else HERE.name)
    questions = {row["id"]: row for row in map(json.loads, (desk / "questions.jsonl").read_text("utf-8").splitlines())}
    counts: Counter[str] = Counter()
    with TemporaryDirectory() as folder:
        columns = (desk / "columns.txt").read_text("utf-8").splitlines()
        _triage("index", str(desk / "kb"), "--out", folder, *(part for pair in columns for part in ("--map", pair)))
        asked = Path(folder) / "asked.jsonl"
        asked.write_text("".join(json.dumps(_in_new_thread(row)) + "\n" for row in questions.values()), "utf-8")
        answers = _triage("ask", "--queries", str(asked), "--index", folder, "--json")
    for answer in map(json.loads, answers.splitlines()):
        question = questions[answer["id"]]
        is_faint = any(notice["kind"] == "uncertain" for notice in answer["notices"])
        verdict = judged(question, answer) + (" (uncertain)" if is_faint else "")
        counts[verdict] += 1
        if not verdict.startswith("good"):
            print(f"{answer['id']} {verdict}: {question['query']}")
    print(dict(counts))


def _in_new_thread(row: Mapping[str, Any]) -> dict[str, Any]:
    """Name the thread anew, so that a run does not follow the threads of the one before."""
    return {**row, "thread": f"{row['thread']}-{_RUN}"} if "thread" in row else dict(row)


def _triage(*arguments: str) -> str:
    command = [sys.executable, "-m", "scripts.cli", *arguments]
    return subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout


if __name__ == "__main__":
    main()
