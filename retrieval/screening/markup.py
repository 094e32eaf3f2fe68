"""What planted text looks like: invisible characters, turns of a conversation that are none, hidden HTML, beacons."""

import base64
import binascii
import re
from collections.abc import Iterator

from retrieval.documents.blocks import count_words

# Each signal: reason and weight (0 to 1).
Found = tuple[str, float]

_TAGS = re.compile("[\U000e0020-\U000e007f]+")
_FLAG_TAGS = re.compile("\U0001f3f4[\U000e0020-\U000e007e]{2,6}\U000e007f")  # the flags of England, Scotland, Wales
_OVERRIDES = re.compile("[\u202d\u202e]")
_ZERO_WIDTH = re.compile("(?<=\\w)[\u200b\u2060-\u2064\ufeff\u180e](?=\\w)")
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{3,}")
_PRIVATE = re.compile("[\ue000-\uf8ff\U000f0000-\U0010fffd]{8,}")

_CHAT_TOKEN = re.compile(
    r"<\|(?:im_start|im_end|im_sep|system|user|assistant|endoftext|eot_id|end|begin_of_text|start_header_id|end_of_turn)\|>"
    r"|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>|(?:^|\n)\s?\u001b?\[?(?:BEGIN|END) (?:SYSTEM|USER) (?:PROMPT|MESSAGE)"
)
_ROLE_HEADER = re.compile(
    r"(?i)\#{2,4}\s?\(?(?:system(?:[ _]?(?:message|prompt|mode))?|instructions?|assistant)\s?[):\n]"
    r"|(?:^|\n)[ \t>]{0,4}[\[<]\s?(?:system(?:[ _]?(?:message|prompt|mode))?|instructions?|information|assistant)\s?[\]>:]"
)
_ROLE_LINE = re.compile(r"(?i)(?:^|\n)[ \t>*-]{0,6}(system|assistant|ai|human|user)\*{0,2}\s?:\s")
_CLOSING = re.compile(
    r"(?i)</\s?(?:documents?|search_results?|tool_results?|context|sources?|user_query|articles?|passages?|instructions?)\s?>|[\"']\s?\}\s?\]\s?\}"
)
_REPEATED = re.compile(r"(<[^<>\n]{2,30}>|\[[^\[\]\n]{2,30}\])(?:\s?\1){2,}")

_COMMENT = re.compile(r"<!--((?:[^<-]|-(?!->)|<(?!!--)){1,4000})-->")
_TECHNICAL_COMMENT = re.compile(
    r"(?i)\s{0,4}(?:prettier|eslint|markdownlint|vale|more|toc|end|begin|start|cspell|html|\[|/|#|=|-|copyright|licen[cs]e|todo|fixme|note:)"
)
_HIDDEN_STYLE = re.compile(
    r"(?i)<[a-z0-9]{1,12}\s[^<>]{0,400}(?:display\s?:\s?none|visibility\s?:\s?hidden|font-size\s?:\s?0|opacity\s?:\s?0(?![.\d])|"
    r"color\s?:\s?(?:white|transparent|\#fff(?:fff)?)\b|(?<=\s)hidden(?=[\s>=]))[^<>]{0,400}>\s{0,8}([^<>]{12,4000})"
)
_MARKDOWN_IMAGE = re.compile(r"!\[[^\]\n]{0,200}\]\(\s?<?(https?://[^\s)>]{1,1000}(?:[<{][^)\n]{0,200})?)")
_HTML_IMAGE = re.compile(r"(?i)<img\s[^<>]{0,400}src\s?=\s?[\"']?(https?://[^\s\"'>]{1,1000})")
_CARRIES_DATA = re.compile(
    r"(?i)[?&](?:d|q|data|c|leak|s|secret|msg|text|exfil|payload|content|info|u|user|email|token|history|chat|conversation|prompt|summary)=|[<{\[]|%7b|\$\(|%s|‹|«"
)
_BADGE = re.compile(
    r"(?i)https?://(?:img\.shields\.io|badge|codecov|github\.com|travis-ci|circleci|api\.netlify|snyk\.io|badges?\.)"
)

_BASE64 = re.compile(r"(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/_-]{24,8000}={0,2}(?![A-Za-z0-9+/=])")
_HEX = re.compile(r"(?<![0-9A-Fa-f])(?:[0-9A-Fa-f]{2}[ :]?){24,2000}(?![0-9A-Fa-f])")


def invisible_signals(raw: str) -> Iterator[Found]:
    """Judge what a reader does not see, before it is removed."""
    if raw.isascii():
        return
    if _TAGS.search(_FLAG_TAGS.sub("", raw)):
        yield "invisible_tags", 0.95
    if _SELECTORS.search(raw):
        yield "invisible_selectors", 0.9
    if _OVERRIDES.search(raw):
        yield "bidi_override", 0.65
    if zero_width := len(_ZERO_WIDTH.findall(raw)):
        yield "zero_width_in_words", 0.3 if zero_width < 4 else 0.62
    if _PRIVATE.search(raw):
        yield "private_characters", 0.4


def role_signals(text: str) -> Iterator[Found]:
    """Judge turns, delimiters and template tokens of a conversation that the document is not."""
    if _CHAT_TOKEN.search(text):
        yield "chat_template_token", 0.8
    if _ROLE_HEADER.search(text):
        yield "role_markup", 0.62
    roles = [match[1].lower() for match in _ROLE_LINE.finditer(text)]
    if roles:
        yield "role_line", 0.5 if "assistant" in roles or len(roles) > 1 else 0.3
    if _REPEATED.search(text):
        yield "repeated_marker", 0.5
    if _CLOSING.search(text):
        yield "closes_a_delimiter", 0.3


def hidden_texts(text: str) -> Iterator[str]:
    """Give what an HTML page holds and does not show."""
    for comment in _COMMENT.finditer(text):
        if count_words(comment[1]) > 2 and not _TECHNICAL_COMMENT.match(comment[1]):
            yield comment[1]
    for hidden in _HIDDEN_STYLE.finditer(text):
        yield hidden[1]


def image_signals(text: str) -> Iterator[Found]:
    """Judge images whose address carries something out."""
    for pattern in (_MARKDOWN_IMAGE, _HTML_IMAGE):
        for image in pattern.finditer(text):
            if "?" in image[1] and not _BADGE.match(image[1]):
                yield "image_beacon", 0.8 if _CARRIES_DATA.search(image[1]) else 0.3


def decoded_texts(text: str) -> Iterator[str]:
    """Give readable text that stands in the document as base64 or hex."""
    for blob in _BASE64.finditer(text):
        value = blob[0].rstrip("=").replace("-", "+").replace("_", "/")
        try:
            decoded = base64.b64decode(value + "=" * (-len(value) % 4), validate=True)
        except (binascii.Error, ValueError):
            continue
        yield from _readable(decoded)
    for blob in _HEX.finditer(text):
        try:
            yield from _readable(bytes.fromhex(re.sub("[ :]", "", blob[0])))
        except ValueError:  # a separator inside a pair
            continue


def _readable(decoded: bytes) -> Iterator[str]:
    """Give the text of bytes that are words, not a key or a picture."""
    try:
        text = decoded.decode()
    except UnicodeDecodeError:
        return
    if (
        text.isprintable()
        and count_words(text) > 2
        and sum(letter.isalpha() or letter == " " for letter in text) > 0.8 * len(text)
    ):
        yield text
