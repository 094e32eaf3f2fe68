"""A reply to the customer, drafted for the agent: only what customers may see, checked like every answer, in the house style."""

import re
from dataclasses import dataclass, replace

from bot.lexicon import LANGUAGES
from bot.messages import AcceptedMessage, Answer, Mode, Outcome
from bot.ports import Responder
from bot.questions.access import SHARED_AUDIENCE
from bot.texts import language_name, say
from retrieval.redaction import EMPTY, RedactedText

_MARKS = re.compile(r"\s?\[\d{1,3}\]")
_QUOTED = re.compile(r"^“(.*?)”$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class DraftStyle:
    """The house style. `is_formal` is the form of address; `sign_off` stands below the closing line.

    `tone` is said to a model in the operator's own words ("calm, no exclamation marks"). `language` is the customers',
    ISO 639-1; empty takes that of the question.
    """

    is_formal: bool = True
    tone: str = ""
    sign_off: RedactedText = EMPTY
    language: str = ""


class Drafter:
    """Drafts replies by the flow itself, so that nothing is in them that an answer would not say."""

    def __init__(self, responder: Responder, style: DraftStyle) -> None:
        """Answer by the responder, which is the flow told to write in this style."""
        self._responder = responder
        self._style = style

    async def draft(self, message: AcceptedMessage) -> Answer:
        """Draft the reply to a question; its sources are cited beside it. Never raises for a question.

        Documents that are not public are not even searched.
        """
        wanted = replace(message, audience=SHARED_AUDIENCE, routing=(), is_truncated=False)
        answer = await self._responder.respond(wanted)
        spoken = answer.language
        if answer.outcome in {Outcome.UNAVAILABLE, Outcome.NOT_PERMITTED}:
            return answer
        if answer.outcome is not Outcome.ANSWERED:
            return replace(answer, outcome=Outcome.NO_MATCH, text=say("draft_none", spoken), nearest=(), triage=None)
        text = drafted(answer, self._style)
        heading = _wrapped("**", say("draft_heading", spoken))
        return replace(answer, text=RedactedText.joined((heading, *_foreign(answer), text), "\n\n"), triage=None)


def drafted(answer: Answer, style: DraftStyle) -> RedactedText:
    """Give the reply: greeting, the verified sentences without their numbers, closing line, sign-off."""
    language = style.language or answer.language
    form = "formal" if style.is_formal else "informal"
    closing = RedactedText.joined(filter(None, (say(f"closing_{form}", language), style.sign_off)), "\n")
    return RedactedText.joined((say(f"greeting_{form}", language), _body(answer), closing), "\n\n")


def _body(answer: Answer) -> RedactedText:
    text = _MARKS.sub("", answer.text)
    for code in LANGUAGES:
        text = text.replace(_label(code, answer.language), "")
    return RedactedText.stored(_QUOTED.sub(r"\1", "\n".join(line.rstrip() for line in text.split("\n"))).strip())


def _foreign(answer: Answer) -> list[RedactedText]:
    """Warn of quotes that are not in the language of the question: nobody translates them without a model."""
    if answer.mode is not Mode.EXTRACTIVE:
        return []
    found = (code for code in LANGUAGES if _label(code, answer.language) in answer.text)
    names = (language_name(code, answer.language) for code in found)
    return [_wrapped("_", say("draft_foreign", answer.language, name=name)) for name in names]


def _wrapped(mark: str, text: RedactedText) -> RedactedText:
    sign = RedactedText.stored(mark)
    return RedactedText.joined((sign, text, sign), "")


def _label(code: str, language: str) -> str:
    """Give what the flow writes behind a quote in another language."""
    return f"({say('quoted_in', language, name=language_name(code, language))})"
