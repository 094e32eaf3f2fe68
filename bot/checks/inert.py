"""Source text made inert: what would ping, dial or hide where it leads is kept to be read, and no longer acts.

A ticket that says "tell <!channel>" or "write @here" is a source like any other. Its sentences become inert when they are
found, so that a quote, a model's request and the support check all see one text. An invisible character stands between
the sign and its name; whoever escapes every `<` anyway shows the sign as it was written (`with_brackets`).
"""

import re
from dataclasses import replace

from retrieval.passages import EvidenceSentence, Passage, Ranking
from retrieval.redaction import RedactedText

_BREAK = "\u200b"
_MAY_ACT = re.compile(r"[<@]|\b(?:tel|file):", re.IGNORECASE)
_BRACKET = re.compile(r"<(?=[!@#]|/?at\b)", re.IGNORECASE)
_EVERYBODY = re.compile(r"(?<!\w)@(?=(?:here|channel|everyone|team|all)\b)", re.IGNORECASE)
# Of Slack's wire form `<target|label>` and of HTML; other schemes stay as they are, and are not shown.
_WIRE_LINK = re.compile(r"<((?:https?|mailto|tel):[^<>|\s]{1,1900})\|([^<>|]{0,300})>", re.IGNORECASE)
_ANCHOR = re.compile(
    r"<a\s[^<>]{0,300}?\bhref\s{0,3}=\s{0,3}[\"']?((?:https?|mailto|tel):[^\"'<>\s]{1,1900})[\"']?[^<>]{0,300}>([^<>]{0,300})</a>",
    re.IGNORECASE,
)
_DIALLED = re.compile(r"(?<!!)\[([^\[\]\n]{1,300})\]\((tel:[^\s()<>]{1,1900})\)", re.IGNORECASE)
_SCHEME = re.compile(r"\b(?:tel|file)(?=:\S)", re.IGNORECASE)
_ADDRESS = re.compile(r"//|\bwww\.|\w\.[a-z]{2,20}(?:/|$)", re.IGNORECASE)
_NO_ADDRESS = re.compile(r"(?:mailto|tel):", re.IGNORECASE)
_BROKEN = re.compile(
    rf"<{_BREAK}[!@#/a-z][^<>\s]{{0,200}}|@{_BREAK}\w{{2,8}}|\b(?:tel|file){_BREAK}:\S{{1,200}}", re.IGNORECASE
)
_TRAILING = ".,;:!?)]}*_'\"”»…"
_BROKEN_BRACKET = re.compile(rf"<{_BREAK}(?=[!@#]|/?at\b)", re.IGNORECASE)


def inert(text: RedactedText) -> RedactedText:
    """Give the text with its pings broken, and each hidden target written behind its label.

    Images, scripts and acting schemes stay as they are: such a sentence is not shown at all.
    """
    if not _MAY_ACT.search(text):
        return text
    plain = str(text)
    for labelled in (_WIRE_LINK, _ANCHOR):
        plain = labelled.sub(lambda link: _written(link[0], link[1], link[2]), plain)
    plain = _DIALLED.sub(lambda link: _written(link[0], link[2], link[1]), plain)
    plain = _SCHEME.sub(lambda name: f"{name[0]}{_BREAK}", plain)
    plain = _EVERYBODY.sub(f"@{_BREAK}", _BRACKET.sub(f"<{_BREAK}", plain))
    return RedactedText.stored(plain) if plain != text else text


def inert_ranking(ranking: Ranking) -> Ranking:
    """Give what was found with inert evidence."""
    return replace(ranking, passages=tuple(map(_inert_passage, ranking.passages)))


def broken_in(text: str) -> frozenset[str]:
    """Name what is broken in an inert text: pings, numbers to dial and paths, folded."""
    return frozenset(found.casefold().rstrip(_TRAILING) for found in _BROKEN.findall(text))


def with_brackets(text: str) -> str:
    """Give an inert text with its angle brackets as they were written, for whoever escapes every one of them."""
    return _BROKEN_BRACKET.sub("<", text)


def _written(whole: str, target: str, label: str) -> str:
    shown, label = _NO_ADDRESS.sub("", target), label.strip()
    if label in ("", shown, target):
        return shown
    # One address that says it leads to another was never written for a reader.
    return whole if _ADDRESS.search(label) else f"{label} ({shown})"


def _inert_passage(passage: Passage) -> Passage:
    sentences = _inert_sentences(passage.sentences)
    return passage if sentences is passage.sentences else replace(passage, sentences=sentences)


def _inert_sentences(sentences: tuple[EvidenceSentence, ...]) -> tuple[EvidenceSentence, ...]:
    if not any(_MAY_ACT.search(sentence.text) for sentence in sentences):
        return sentences
    return tuple(replace(sentence, text=inert(sentence.text)) for sentence in sentences)
