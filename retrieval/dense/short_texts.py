"""Token ids of a short text without the whole tokenizer: reading a vocabulary of 250 000 pieces takes most of a second.

A unigram model cuts a text into pieces that are substrings of it. So the pieces that stand in the text are looked up in a
mapped, sorted table, and a tokenizer of just these gives the same cut; its normalisation is the original's own.
"""

import json
import os
import tempfile
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer, models

_FOLDER = "pieces"
_SHELL = "shell.json"
_ARRAYS = ("letters", "bounds", "ids", "scores")
_PROBE = "a"


@dataclass(frozen=True, slots=True)
class _Table:
    """Pieces in the order of their UTF-8 bytes, with their ids and scores."""

    letters: memoryview
    bounds: memoryview
    ids: memoryview
    scores: memoryview

    def __len__(self) -> int:
        return len(self.ids)

    def piece(self, place: int) -> bytes:
        return bytes(self.letters[self.bounds[place] : self.bounds[place + 1]])


class ShortTexts:
    """Cuts short texts as the tokenizer in a folder does, special tokens included."""

    def __init__(self, table: _Table, shell: Tokenizer, facts: dict[str, Any]) -> None:
        self._table = table
        self._shell = shell
        self._before: list[int] = facts["before"]
        self._after: list[int] = facts["after"]
        self._longest: int = facts["longest"]
        # The unknown piece and the least likely one: what an unknown letter costs is measured by the latter.
        self._always: list[int] = facts["always"]

    @classmethod
    def of(cls, folder: Path) -> "ShortTexts | None":
        """Open the table beside `tokenizer.json`, made at first use; None for a tokenizer that is no plain unigram model.

        A folder that cannot be written has none either.
        """
        home = folder / _FOLDER
        try:
            if not (home / _SHELL).is_file():
                _write(folder / "tokenizer.json", home)
            facts = json.loads((home / _SHELL).read_text(encoding="utf-8"))
            if not facts:
                return None
            letters, bounds, ids, scores = (np.load(home / f"{name}.npy", mmap_mode="r").data for name in _ARRAYS)
            return cls(_Table(letters, bounds, ids, scores), Tokenizer.from_str(json.dumps(facts["shell"])), facts)
        except (OSError, ValueError, KeyError, StopIteration):
            return None

    def ids(self, text: str, most: int) -> list[int]:
        """Give the ids of a text, cut to `most` of them."""
        plain = self._shell.normalizer.normalize_str(text) if self._shell.normalizer else text
        words = self._shell.pre_tokenizer.pre_tokenize_str(plain) if self._shell.pre_tokenizer else [(plain, (0, 0))]
        places = list(dict.fromkeys([*self._always, *(place for word, _ in words for place in self._pieces_in(word))]))
        vocabulary = [(self._table.piece(place).decode("utf-8"), self._table.scores[place]) for place in places]
        model = models.Unigram(vocabulary, unk_id=0, byte_fallback=False)
        found = [self._table.ids[places[token.id]] for word, _ in words for token in model.tokenize(word)]
        return [*self._before, *found[: most - len(self._before) - len(self._after)], *self._after]

    def _pieces_in(self, word: str) -> Iterator[int]:
        """Give the places of all pieces that are substrings of a word."""
        table = self._table
        for start in range(len(word)):
            place = 0
            for end in range(start + 1, min(len(word), start + self._longest) + 1):
                wanted = word[start:end].encode("utf-8", "surrogatepass")
                place = bisect_left(range(len(table)), wanted, lo=place, key=table.piece)
                if place == len(table) or not table.piece(place).startswith(wanted):
                    break  # no piece begins like this, so none is longer either
                if table.piece(place) == wanted:
                    yield place


def _write(source: Path, home: Path) -> None:
    """Make the table of a tokenizer, an empty one when it is of another kind; whole or not at all."""
    read = json.loads(source.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory(prefix=".pieces.", dir=home.parent) as scratch:
        made = Path(scratch) / _FOLDER
        made.mkdir()
        facts = _facts(read, Tokenizer.from_file(str(source)))
        if facts:
            facts |= _write_table(read["model"], made)
        (made / _SHELL).write_text(json.dumps(facts), encoding="utf-8")
        try:
            os.replace(made, home)  # noqa: PTH105 - the step that must be atomic, named as elsewhere
        except OSError:
            if not (home / _SHELL).is_file():  # another process made it first
                raise


def _facts(read: dict[str, Any], whole: Tokenizer) -> dict[str, Any]:
    """Give what a text needs beside the table; nothing when the tokenizer is no plain unigram model."""
    model = read["model"]
    is_plain = (
        model.get("type") == "Unigram"
        and model.get("unk_id") is not None
        and not model.get("byte_fallback")
        and all(token["special"] for token in read.get("added_tokens") or ())
    )
    if not is_plain:
        return {}
    bare, dressed = (whole.encode(_PROBE, add_special_tokens=has).ids for has in (False, True))
    start = next((at for at in range(len(dressed)) if dressed[at : at + len(bare)] == bare), 0)
    shell = read | {"added_tokens": [], "post_processor": None, "truncation": None, "padding": None}
    shell["model"] = {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0.0]], "byte_fallback": False}
    return {"shell": shell, "before": dressed[:start], "after": dressed[start + len(bare) :]}


def _write_table(model: dict[str, Any], folder: Path) -> dict[str, Any]:
    last = {
        piece: (number, score) for number, (piece, score) in enumerate(model["vocab"])
    }  # a repeated piece has its last id
    rows = sorted((piece.encode("utf-8"), number, score) for piece, (number, score) in last.items())
    np.save(folder / "letters.npy", np.frombuffer(b"".join(row[0] for row in rows), np.uint8))
    np.save(folder / "bounds.npy", np.cumsum([0, *(len(row[0]) for row in rows)], dtype=np.int64))
    np.save(folder / "ids.npy", np.array([row[1] for row in rows], np.int64))
    np.save(folder / "scores.npy", np.array([row[2] for row in rows], np.float64))
    unknown = next(place for place, row in enumerate(rows) if row[1] == model["unk_id"])
    least = min(range(len(rows)), key=lambda place: rows[place][2])
    always = list(dict.fromkeys([unknown, least]))
    return {"always": always, "longest": max(len(piece) for piece, _ in model["vocab"])}
