"""Records the rewrites of the sample's follow-ups: `python -m tests.record_rewrites`, after the rewrite prompt was changed.

The peer of the tests plays the model: it puts the earlier questions in front of the follow-up. So the recording shows
that the prompt, the reading of its lines and the replay fit together; it says nothing of how well a real model rewrites.
With a real one: `triage eval --queries … --rewrite model --record FILE.jsonl`.
"""

import asyncio
import json
import os
import sys
import tempfile
from pathlib import Path

from bot.bootstrap import SAMPLE
from scripts.cli import main
from tests.peers.anthropic_api import anthropic_peer
from tests.peers.anthropic_stubs import joined

RECORDED = SAMPLE / "rewrites.jsonl"
MODEL = "stub-that-joins-the-thread"
NOTE = (
    "Recorded from the tests' deterministic peer, which puts the earlier questions before the follow-up; no real model "
    "was asked. Record again with `python -m tests.record_rewrites` when the rewrite prompt changes."
)


async def rewrites(index: Path, questions: Path, said: Path) -> int:
    """Let the peer rewrite questions and write what it said; gives the exit code of `triage eval`."""
    async with anthropic_peer("ollama") as peer:
        peer.rewrite_stub = joined
        os.environ |= {"ANTHROPIC_BASE_URL": peer.url, "TRIAGE_REWRITE_MODEL": MODEL}
        command = ["eval", "--index", str(index), "--queries", str(questions), "--rewrite", "model"]
        return await asyncio.to_thread(main, [*command, "--record", str(said), "--methods", "hybrid"])


def record(index: Path, path: Path) -> int:
    """Record the sample's follow-ups with a first line that says where they come from."""
    rows = (SAMPLE / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    follow_ups = [row for row in rows if json.loads(row).get("previous_user_turns")]
    with tempfile.TemporaryDirectory() as folder:
        questions, said = Path(folder) / "follow-ups.jsonl", Path(folder) / "said.jsonl"
        questions.write_text("\n".join(follow_ups), encoding="utf-8")
        code = asyncio.run(rewrites(index, questions, said))
        if not code:
            path.write_text(json.dumps({"note": NOTE}) + "\n" + said.read_text(encoding="utf-8"), encoding="utf-8")
    return code


if __name__ == "__main__":
    sys.exit(record(Path(sys.argv[1] if len(sys.argv) > 1 else ".triage/index"), RECORDED))
