"""True sentences of public texts with one value changed, for the figures of the support check."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_UNITS = {
    "en": "minutes>hours hours>days days>weeks weeks>months months>years seconds>minutes GB>MB MB>GB inches>centimeters",
    "de": "Minuten>Stunden Stunden>Tage Tage>Wochen Tagen>Wochen Sekunden>Minuten Monate>Jahre Wochen>Tagen GB>MB",
    "uk": "хвилин>годин годин>днів днів>тижнів секунд>хвилин дні>тижні ГБ>МБ",
    "ru": "минут>часов часов>дней дней>недель секунд>минут дня>недели ГБ>МБ",
    "fr": "minutes>heures heures>jours jours>semaines mois>ans semaines>mois",
}
_MONTHS = {
    "en": "January February March April June July August September October November December",
    "de": "Januar Februar März April Juni Juli August September Oktober November Dezember",
    "ru": "января февраля марта апреля июня июля августа сентября октября ноября декабря",
    "uk": "січня лютого березня квітня червня липня серпня вересня жовтня листопада грудня",
}
# A second denial put into a sentence is no changed value.
_DENIED = re.compile(
    r"\b(?:no|not|never|none|nor|without|unless|nicht|kein\w*|ohne|не|ні|немає|нет|ни|без|нельзя|pas|ne|n')\b|n[’']t\b|[不没无未]",
    re.IGNORECASE,
)
# What takes a denial out of a sentence, then what puts one in; the first that fits is used.
_DENIALS = {
    "en": (
        (r"\bcannot\b", "can"), (r"\b(do|does|is|are|will|should) not\b", r"\1"), (r"\b(do|does|is|are)n[’']t\b", r"\1"),
        (r"\bcan\b", "cannot"), (r"\b(is|are|will|should|must)\b", r"\1 not"),
        (r"^(Click|Open|Press|Select|Use|Turn|Enter|Switch|Choose|Set) ", r"Do not \1 "),
    ),
    "de": ((r"\bnicht\b ?", ""), (r"\b(ist|können|kann|wird|sind|werden)\b", r"\1 nicht"), (r"^(\w+en) Sie ", r"\1 Sie nicht ")),
    "uk": ((r"\bне\b ?", ""), (r"\b(можна|може|можете|буде)\b", r"не \1"), (r"^([А-ЯІЇЄ]\w+(?:іть|йте))\b", r"Не \1")),
    "ru": ((r"\bне\b ?", ""), (r"\bможно\b", "нельзя"), (r"\b(может|можете|будет)\b", r"не \1"), (r"^([А-Я]\w+те)\b", r"Не \1")),
    "fr": ((r"\bne (\w+) pas\b", r"\1"), (r"\b(peut|pouvez|sont)\b", r"ne \1 pas")),
}  # fmt: skip
_NUMBER = re.compile(r"(?<![\w.,\-/:∶])\d+(?:[.,]\d+)?(?![\w\-/:∶]|[.,]\d)")
_ID = re.compile(r"(?<![\w`.])(?=[\w-]*\d)[A-Za-z][\w-]*\d[\w-]*")
_VERSION = re.compile(r"(?<![\w.])\d+(?:\.\d+){1,3}(?![\w.]|\.\d)")
_CODE = re.compile(r"`([^`\n]{3,60})`")
_URL = re.compile(r"https?://[^\s)>\]`]+[^\s)>\]`.,]")
_LIST_MARK = re.compile(r"^\s*\d+[.)]\s")


@dataclass(frozen=True, slots=True)
class Changed:
    """A sentence with one value changed, and the kind of the value."""

    kind: str
    text: str


def changed(text: str, language: str) -> Iterator[Changed]:
    """Give each number, version, id, unit, month, address, piece of code and denial of a sentence changed, one at a time."""
    for match in _NUMBER.finditer(text):
        if not (_LIST_MARK.match(text) and match.start() < 3):  # the place of a step is no value
            yield Changed("number", _with(text, match.span(), f"{match[0][:-1]}{(int(match[0][-1]) + 3) % 10}"))
    for kind, pattern in (("version", _VERSION), ("id", _ID)):
        for match in pattern.finditer(text):
            place = max(i for i, letter in enumerate(match[0]) if letter.isdigit()) + match.start()
            yield Changed(kind, _with(text, (place, place + 1), str((int(text[place]) + 1) % 10)))
    for match in _CODE.finditer(text):
        middle = (match.start(1) + match.end(1)) // 2
        yield Changed("code", _with(text, (middle, middle + 1), "7" if text[middle] != "7" else "3"))
    for match in _URL.finditer(text):
        yield Changed("url", _with(text, match.span(), match[0].rstrip("/") + "/x2"))
    yield from _words(text, language)


def _words(text: str, language: str) -> Iterator[Changed]:
    for pair in _UNITS.get(language, "").split():
        old, _, new = pair.partition(">")
        if (other := re.sub(rf"(\d[\s-]?){old}(?!\w)", rf"\g<1>{new}", text, count=1)) != text:
            yield Changed("unit", other)
    months = _MONTHS.get(language, "").split()
    for old, new in zip(months, [*months[2:], *months[:2]], strict=True):
        if re.search(rf"\d\W+{old}\b|\b{old}\W+\d", text):
            yield Changed("date", re.sub(rf"\b{old}\b", new, text, count=1))
    for pattern, other in _DENIALS.get(language, ()):
        if other not in ("can", "", r"\1") and _DENIED.search(text):
            return
        if (turned := re.sub(pattern, other, text, count=1)) != text:
            yield Changed("denial", turned)
            return


def _with(text: str, span: tuple[int, int], new: str) -> str:
    return text[: span[0]] + new + text[span[1] :]
