"""Part of `make check`: the recorded rewrites of the sample were made with the present rewrite prompt.

A changed prompt without a new recorded run would leave the replay in the tests measuring the old one.
"""

import sys
from pathlib import Path

from bot.bootstrap import SAMPLE
from retrieval.errors import RetrievalError
from scripts.rewriting import check_prompt

RECORDED = SAMPLE / "rewrites.jsonl"


def main(path: Path = RECORDED) -> int:
    """Check one file; 1 and one line on stderr when it must be recorded again."""
    try:
        check_prompt(path)
    except RetrievalError as error:
        print(f"{error} (python -m tests.record_rewrites)", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
