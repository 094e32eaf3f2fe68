"""What a reference page says a setting is by default ("Default: `true`"), and whether two pages say the same."""

import re
from dataclasses import dataclass
from functools import lru_cache

from retrieval.validation.words import topic_names

_LINE = re.compile(
    r"^\s*(?:[-*•]\s*)?[*_`]{0,2}(?P<label>[^\W\d_][\w /-]{1,30})[*_`]{0,2}\s*[:=：]\s*[*_]{0,2}\s*(?P<value>\S.{0,300})$"
)
_ASIDE = re.compile(r"\([^()]{0,120}\)")
# What is a constant wherever it stands: quoted, code, truth values, numbers, names of variables and of properties.
_CONSTANT = re.compile(
    r"`([^`\n]{0,80})`|\"([^\"\n]{0,80})\"|(?<!\w)'([^'\n]{0,80})'|\b((?i:true|false|null|none|undefined|yes|no|on|off|enabled|disabled))\b"
    r"|\b([A-Z][A-Z0-9]*_[A-Z0-9_]+|[A-Z]{4,})\b|\b([a-z][\w]*\.[a-z]\w*)\b|(?<![\w.])(-?\d+(?:\.\d+)?)(?![\w.]*\w)"
)


@dataclass(frozen=True, slots=True)
class Setting:
    """A default as written, with its constants in one form."""

    label: str
    written: str
    constants: frozenset[str]

    def is_same(self, other: "Setting") -> bool:
        """Whether both name the same constants; where none is named, the same words."""
        if self.constants or other.constants:
            return self.constants == other.constants
        return _plain(self.written) == _plain(other.written)


@lru_cache(maxsize=4096)
def setting_of(sentence: str) -> Setting | None:
    """Read a line that says a default; None for any other sentence."""
    match = _LINE.match(sentence)
    if match is None or not any("default" in topic_names(word) for word in match["label"].casefold().split()):
        return None
    return Setting(match["label"].casefold(), match["value"].strip(), _constants(match["value"]))


def _constants(value: str) -> frozenset[str]:
    found = set()
    for match in _CONSTANT.finditer(_ASIDE.sub(" ", value)):
        written = next(group for group in match.groups() if group is not None)
        found.add(_constant(written))
    return frozenset(found)


def _constant(written: str) -> str:
    """Bring a constant to one form: without escapes, folder and ".exe"."""
    plain = written.strip(" \"'`\\").casefold().replace("\\{", "{").replace("\\}", "}")
    plain = re.split(r"[\\/]", plain)[-1] if re.fullmatch(r"[%\w.\\/:-]+", plain) else plain
    return plain.removesuffix(".exe")


def _plain(value: str) -> str:
    return " ".join(re.findall(r"\w+", value.casefold()))
