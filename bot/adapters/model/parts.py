"""What a model has written so far, for who shows an answer before its end: whole sentences only, and no first few words.

The last sentence is kept back, since it may go on ("version 1." and then "5"), and so is one behind which evidence may still
be named. The first letters are kept back until they tell the language.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from bot.adapters.model.answer_language import SURE_LETTERS, is_other_language
from bot.adapters.model.reply import ModelReply, reply_of
from bot.adapters.model.text import MarkedSentence, sentences_of
from bot.messages import DraftSentence, Usage
from bot.ports import AnswerRequest, ModelAnswer

_ENDS: Final = frozenset(".!?…。！？:：;\n")
_OPENS_A_MARK: Final = ("[", "(", "【", "［")
_MARK_CHARACTERS: Final = 16
# What a reply says as marked text, how a sentence of it is sealed, and the prompt that it came from.
ReadPart = tuple[str, Callable[[MarkedSentence], DraftSentence], str]


class Parts:
    """Gives each part of an answer in which a sentence may have ended to who asked for it."""

    def __init__(self, request: AnswerRequest, read: Callable[[ModelReply], ReadPart]) -> None:
        """Read parts as whole answers are read. A block's citations come behind its words: until then it has no evidence."""
        self._request = request
        self._read = read
        self._seen = 0
        self._drafts: dict[MarkedSentence, DraftSentence] = {}

    def add(self, message: dict[str, Any], is_open: bool) -> None:  # noqa: FBT001 - a callback
        """Take the message so far; what costs time is left to who reads the part, on any thread."""
        reply = reply_of(message)
        text = "".join(block.text for block in reply.blocks)
        is_ended = bool(_ENDS.intersection(text[self._seen :])) or not is_open
        if self._request.written is None or not is_ended:
            return
        self._seen = len(text)
        self._request.written(partial(self._so_far, reply))

    def _so_far(self, reply: ModelReply) -> ModelAnswer | None:
        text, draft, prompt = self._read(reply)
        found = _whole(list(sentences_of(text)))
        said = " ".join(sentence.text for sentence in found)
        if sum(c.isalpha() for c in said) < SURE_LETTERS or is_other_language(said, self._request.language):
            return None
        for sentence in found:
            if sentence not in self._drafts:
                self._drafts[sentence] = draft(sentence)
        return ModelAnswer(tuple(self._drafts[sentence] for sentence in found), Usage(), reply.model, prompt)


def _whole(found: list[MarkedSentence]) -> list[MarkedSentence]:
    if not found:
        return []
    last = found[-1].text
    is_mark = last.startswith(_OPENS_A_MARK) and len(last) < _MARK_CHARACTERS
    return found[: -2 if is_mark else -1]
