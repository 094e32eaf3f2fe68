"""What the commands print: JSON that every terminal can take."""

import json
import sys


def counted(number: int, noun: str) -> str:
    """Give "1 document", "2 documents": for nouns that only take an s."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def json_line(values: object) -> str:
    """Give one object on one line.

    Text stays readable where the output can hold it; else, and for lone surrogates, it is escaped as JSON does, so that
    a reader gets back what was put in.
    """
    text = json.dumps(values, ensure_ascii=False)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return json.dumps(values)
    return text
