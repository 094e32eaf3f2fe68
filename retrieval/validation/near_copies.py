"""Families of documents that say the same in nearly the same words, found without comparing every one with every other."""

import hashlib
import re
from collections import defaultdict
from collections.abc import Mapping
from itertools import combinations, pairwise

_SIMILAR = 0.85
_SIGNS = 6
_BLOCK = 60
_FEW_WORDS = 8
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_WORD = re.compile(r"[^\W\d_]+|\d+(?:[.,:]\d+)*")


def copy_families(texts: Mapping[str, str]) -> list[list[str]]:
    """Give the ids of documents that are copies of each other: 85 % of their words, and all their numbers, in common.

    Two texts that differ in a number are no copies: one of them is wrong. Texts of fewer than 8 words are left out.

    Args:
        texts: what each document may be quoted with, by its id.
    """
    words = {key: _words(text) for key, text in texts.items()}
    words = {key: found for key, found in words.items() if len(found) >= _FEW_WORDS}
    numbers = {key: tuple(sorted(_NUMBER.findall(texts[key]))) for key in words}
    family: dict[str, str] = {}
    for first, second in _likely(words, numbers):
        one, other = _root(first, family), _root(second, family)
        if one == other or numbers[first] != numbers[second]:
            continue
        if len(words[first] & words[second]) >= _SIMILAR * len(words[first] | words[second]):
            family[other] = one
    found: dict[str, list[str]] = defaultdict(list)
    for key in words:
        found[_root(key, family)].append(key)
    return sorted((sorted(ids) for ids in found.values() if len(ids) > 1), key=lambda ids: (-len(ids), ids))


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))


def _root(key: str, family: dict[str, str]) -> str:
    while key in family:
        key = family[key]
    return key


def _likely(words: Mapping[str, frozenset[str]], numbers: Mapping[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    """Give pairs that share one of their smallest hashes of words; the same words of any number of texts as a chain."""
    blocks: dict[object, list[str]] = defaultdict(list)
    same: dict[object, list[str]] = defaultdict(list)
    hashes: dict[str, bytes] = {}
    for key, found in words.items():
        same[found, numbers[key]].append(key)
    pairs = [pair for group in same.values() for pair in pairwise(group)]
    for group in same.values():
        key = group[0]
        smallest = sorted(hashes.setdefault(w, hashlib.blake2b(w.encode(), digest_size=8).digest()) for w in words[key])
        for sign in combinations(smallest[:_SIGNS], 3):
            blocks[sign, numbers[key]].append(key)
    for block in blocks.values():
        if len(block) <= _BLOCK:
            pairs += combinations(block, 2)
    return list(dict.fromkeys(pairs))
