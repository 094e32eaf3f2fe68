"""How a sentence of a reply hangs on what stands before it: it answers the question with yes or no, or speaks of "them"."""

import re
from collections.abc import Sequence

_NO = re.compile(
    r"(?i)\A\s*+(?:no|nope|(?:sorry|unfortunately),? no(?:t)?|not possible|that is not possible|impossible|nein|leider nein|(?:das |leider )?(?:geht|ist) (?:leider )?nicht(?: möglich)?|nicht möglich"
    r"|ні|на жаль, ні|неможливо|не можна|нет|нельзя|невозможно|non|pas possible|no es posible|imposible|não|não é possível|nie|nie można|niemożliwe)\s*(?=[,.;:!–—-]|$)"
)
_YES = re.compile(
    r"(?i)\A\s*+(?:yes|yep|sure|of course|certainly|possible|that is possible|ja|klar|natürlich|ja klar|(?:das )?geht|möglich|так|звичайно|авжеж|можна|звісно|да|конечно|можно"
    r"|oui|bien sûr|sí|claro|por supuesto|sim|claro que sim|tak|oczywiście|można)\s*(?=[,.;:!–—-]|$)"
)
_BUT = re.compile(
    r"(?i)\b(?:but|except|unless|aber|außer|allerdings|але|крім|но|кроме|mais|sauf|pero|salvo|excepto|mas|exceto|ale|oprócz)\b"
)
# A sentence that begins so speaks of what the one before it names.
_POINTING = re.compile(
    r"(?i)\A\s*+(?:they|these|those|it|this|that|each|both|sie|diese[rs]?|es|das|jede[rs]?|вони|воно|це|цей|ця|ці|кожн\w+|они|оно|это|эти|этот|эта|кажд\w+|ils|elles|ce|cette|ces"
    r"|ellos|ellas|esto|esta|estos|estas|cada|eles|elas|isto|este|estes|one|ono|to|ten|ta|te)\b"
)


def reply_to_question(sentence: str) -> str:
    """Give "yes" or "no" where a sentence begins with it and does not take it back, else an empty text."""
    said = "no" if _NO.match(sentence) else "yes" if _YES.match(sentence) else ""
    return "" if said and _BUT.search(sentence) else said


_ASKS = re.compile(
    r"(?i)(?:\A|[.!?,;:]\s+)\W*(?:can|could|may|is|are|do|does|did|will|would|has|have|kann|können|könnte|darf|dürfen|ist|sind|gibt|wird|werden|lässt|hat|haben|muss"
    r"|чи|можна|можу|можно|могу|puis|peut|peuvent|pouvons|est-ce|est-il|sont|a-t|y a-t|se puede|puedo|podemos|puede|es|hay|tiene|czy|można|mogę|posso|pode|podemos|é|há|tem)\b"
    r"|\b(?:geht das|ist das möglich|is (?:it|that|this) possible|est-(?:il|elle|ce)|t-(?:il|elle|on)|puis-je|peut-on|peux-tu|pouvez-vous|ли)\b|(?:吗|か)[?？]?\s*\Z"
)
_OPEN = re.compile(
    r"(?i)\b(?:how|what|when|where|which|who|why|wie|was|wann|wo|welche\w*|wer|warum|як|що|коли|де|який|яка|яке|які|якого|якому|хто|чому|скільки|как|что|когда|где|какой|какая|какие|кто|почему"
    r"|сколько|comment|quand|où|quel\w*|qui|pourquoi|combien|cómo|cuándo|dónde|cuál\w*|quién\w*|cuánt\w+|jak|kiedy|gdzie|któr\w+|jaki\w*|kto|dlaczego|ile|como|quando|onde|qual|quais|quem|quant\w+)\b"
)


def is_asked_yes_or_no(question: str) -> bool:
    """Say whether a question asks for a yes or a no, and for nothing else."""
    return bool(_ASKS.search(question)) and not _OPEN.search(question)


_OF_QUESTIONS = re.compile(
    r"(?i)(?<![\w-])(?:my|our|your|does|do|did|get|mein\w*|unser\w*|mon|ma|mes|notre|nos|mi|mis|nuestr\w+|mój|moja|moje|мій|моя|мої|мой|мои|meu|minha"
    r"|est-(?:il|elle|ce)|(?:\w+-t-|puis-|peut-)(?:il|elle|on|je)|hay|much|many|long|much|lange|oft|часто|często|qué|que|need\w*|requir\w*|brauch\w*|necesit\w*|besoin|потріб\w*|нужн\w*|potrzeb\w*|precis\w*)(?![\w-])"
)


def subject_of(question: str) -> str:
    """Give a question without the words that only make it one: "how many", "can I", "my"."""
    return _OF_QUESTIONS.sub(" ", _OPEN.sub(" ", question))


def is_pointing(sentence: str) -> bool:
    """Say whether a sentence begins with a word for what was named before it."""
    return bool(_POINTING.match(sentence))


def spoken_of(place: int, sentences: Sequence[str]) -> str:
    """Give the sentence that the one at a place points to, empty when it points to none."""
    return sentences[place - 1] if place and is_pointing(sentences[place]) else ""
