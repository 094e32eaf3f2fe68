"""Bytes to clean text, with a sentence that says what is wrong when there is none."""

import re

MAX_DOCUMENT_BYTES = 5_000_000

# Control characters that no text needs, and lone surrogates, which neither UTF-8 nor SQLite can hold.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
# Most texts hold nothing that is cleaned away; one look at them costs a fifth of five.
_UNCLEAN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")


class NotText(ValueError):
    """The bytes cannot be read as text; the message is one clear sentence."""


def clean(text: str) -> str:
    """Give the text without NUL bytes, control characters and lone surrogates, with the line feed as the only line end."""
    if _UNCLEAN.search(text) is None:
        return text
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n")
    return _SURROGATE.sub("\ufffd", _CONTROL.sub(" ", text))


def decode(data: bytes) -> str:
    """Read UTF-8, with or without a byte order mark.

    Raises:
        NotText: too large, binary, or another encoding; names the line.
    """
    if len(data) > MAX_DOCUMENT_BYTES:
        raise NotText(too_large(len(data)))
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise NotText("is UTF-16, not UTF-8; save it as UTF-8")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if b"\0" in data:
            raise NotText("is binary, not text") from None
        line = data.count(b"\n", 0, error.start) + 1
        raise NotText(f"is not UTF-8 (byte 0x{data[error.start]:02x} in line {line}); save it as UTF-8") from None
    if "\0" in text:
        raise NotText("is binary, not text (it holds NUL bytes)")
    return clean(text)


def too_large(size: int) -> str:
    """Say that a document is over the limit."""
    return f"is {size / 1e6:.1f} MB; a document may have at most {MAX_DOCUMENT_BYTES / 1e6:.0f} MB"
