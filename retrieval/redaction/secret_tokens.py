"""Secrets that show what they are: private keys, tokens with a vendor's prefix, passwords in addresses.

Prefixes follow the vendors' own documentation of their token formats. Looked for by prefix first, so that text without
one costs a single pass.
"""

import re
from collections.abc import Iterator

from retrieval.redaction.spans import Span

_KEY_BLOCK = re.compile(
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:[^-]{0,20000}(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?)"
)
_TOKENS = re.compile(
    r"(?<![A-Za-z0-9])(?:"
    r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}"  # AWS access key id
    r"|gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{20,255}"
    r"|gl(?:pat|dt|rt|ptt|cbt|soat|agent)-[A-Za-z0-9_-]{16,64}"  # GitLab
    r"|xox[abeoprs](?:\.xox[bp])?-[A-Za-z0-9-]{8,255}|xapp-[0-9]-[A-Za-z0-9-]{10,255}"  # Slack
    r"|hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_-]{10,200}"
    r"|(?:sk|rk|pk)_(?:live|test|prod)_[A-Za-z0-9]{8,255}|whsec_[A-Za-z0-9+/=]{16,100}"  # Stripe
    r"|sk-(?:ant-|proj-|svcacct-|or-v1-|live-|test-)?[A-Za-z0-9_-]{16,255}"  # Anthropic, OpenAI and relatives
    r"|AIza[A-Za-z0-9_-]{30,40}|GOCSPX-[A-Za-z0-9_-]{20,40}|ya29\.[A-Za-z0-9_-]{16,1000}|1//0[A-Za-z0-9_-]{30,200}"  # Google
    r"|SG\.[A-Za-z0-9_-]{10,30}\.[A-Za-z0-9_-]{20,60}"  # SendGrid
    r"|(?:SK|AC)[0-9a-f]{32}"  # Twilio
    r"|key-[0-9a-f]{32}|[0-9a-f]{32}-us[0-9]{1,2}"  # Mailgun, Mailchimp
    r"|npm_[A-Za-z0-9]{30,40}|pypi-[A-Za-z0-9_-]{30,255}|dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,60}|hf_[A-Za-z0-9]{30,40}"
    r"|do[opr]_v1_[0-9a-f]{40,64}|shp(?:at|ss|ca|pa)_[0-9a-fA-F]{32}|sq0[a-z]{3}-[A-Za-z0-9_-]{20,60}"
    r"|[0-9]{8,10}:AA[A-Za-z0-9_-]{30,40}"  # Telegram bot
    r"|[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}"  # Discord bot
    r"|eyJ[A-Za-z0-9_-]{4,4000}(?:\.\.\.|(?:\.[A-Za-z0-9_-]{0,4000}){1,4})"  # JSON Web Token, also shortened
    r"|ATATT3[A-Za-z0-9_=-]{20,255}|ATCTT3[A-Za-z0-9_=-]{20,255}|lin_(?:api|oauth)_[A-Za-z0-9]{20,64}"
    r"|(?:secret|ntn)_[A-Za-z0-9]{40,50}|fig[dour]_[A-Za-z0-9_-]{20,60}|PMAK-[0-9a-f]{24}-[0-9a-f]{34}"
    r"|NR(?:AK|JS|II)-[A-Za-z0-9]{19,42}|dapi[0-9a-f]{32}|hv[sbr]\.[A-Za-z0-9_-]{20,255}|dp\.(?:pt|st|ct)\.[A-Za-z0-9_.-]{30,60}"
    r"|[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{40,90}|AGE-SECRET-KEY-1[A-Z0-9]{50,60}|HRKU-[A-Za-z0-9_-]{30,70}"
    r"|gl(?:sa|c)_[A-Za-z0-9_=+/]{20,200}|sntr[yu]s?_[A-Za-z0-9_=+/]{30,200}|pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{30,60}"
    r"|sb[ps]_[0-9a-f]{40}|sk\.eyJ[A-Za-z0-9_.-]{20,255}|EAA[A-Za-z0-9]{60,255}|xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}"
    r"|cfp?ut_[A-Za-z0-9_-]{30,60}|rubygems_[0-9a-f]{48}|tfp_[A-Za-z0-9_-]{30,60}|phx_[A-Za-z0-9]{30,60}|r8_[A-Za-z0-9]{30,45}"
    # Any other product's: a short name, what the key is for, and something random.
    r"|[a-z][a-z0-9]{1,11}[_-](?:live|test|prod|dev|sandbox|sk|pk|api|key|secret|token|pat|admin)[_-](?=[A-Za-z0-9_-]{0,40}[0-9])[A-Za-z0-9_-]{16,200}"
    r")(?![A-Za-z0-9])"
)
_URL_PASSWORD = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s:/@'\"<>]{0,80}:([^\s/@'\"<>]{1,120})@[^\s/@'\"<>]")
_AUTHORIZATION = re.compile(r"(?i)\b(?:bearer|basic)\s{1,3}([A-Za-z0-9+/_.~-]{12,2000}={0,2})(?![\w.~+/-])")
_CONNECTION_KEY = re.compile(
    r"(?i)\b(?:AccountKey|SharedAccessKey|SharedAccessSignature|sig)=([A-Za-z0-9+/%_.-]{20,400}={0,2})"
)
_CURL_USER = re.compile(r"(?:^|\s)(?:-u|--user)[ =]{1,2}['\"]?[\w.@+-]{1,60}:([^\s'\"]{3,120})")
# The secret of an AWS key has no form of its own; beside the key's id it has.
_KEY_PAIR = re.compile(r"A(?:KI|SI|BI|CC)A[A-Z0-9]{16}[\s:,;|/]{1,4}([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])")
# Cheap signs that one of them may be there at all.
_NAMED = (
    (_URL_PASSWORD, re.compile("://[^/\\s]{1,200}@")),
    (_CONNECTION_KEY, re.compile("=(?<=[Yy]=|[EeGg]=)")),
    (_CURL_USER, re.compile("-u|--user")),
    (_KEY_PAIR, re.compile("A(?:KI|SI|BI|CC)A[A-Z0-9]")),
)
_LONG_RUN = re.compile(r"[A-Za-z0-9_.+/=:-]{12,}|eyJ[A-Za-z0-9_-]{4,}(?:\.\.\.)?")
_PLACEHOLDER = re.compile(
    r"(?i:\W.{0,40}|x{3,40}|(?:pass|pw)(?:word|wd)?|secret|token|(?:your|replace|insert|enter).{0,60}|(?:my|the|some)(?:\W|_).{0,40}|.{0,40}[_-](?:here|key|token|password|secret)"
    r"|change_?me|example)|[A-Z]{2,20}(?:[_-][A-Z]{1,20}){1,6}"
)


def secret_tokens(text: str) -> Iterator[Span]:
    """Find key blocks, vendors' tokens, and the password part of addresses, headers and connection strings."""
    if "-----BEGIN " in text:
        yield from (Span("SECRET", *match.span()) for match in _KEY_BLOCK.finditer(text))
    for run in _LONG_RUN.finditer(text):
        yield from (Span("SECRET", *match.span()) for match in _TOKENS.finditer(text, *run.span()))
    for pattern, hint in _NAMED:
        if hint.search(text):
            yield from (
                Span("SECRET", *match.span(1)) for match in pattern.finditer(text) if not is_placeholder(match[1])
            )
    lowered = text.lower()
    for match in _AUTHORIZATION.finditer(text) if "bearer" in lowered or "basic" in lowered else ():
        if _is_random(match[1]) and not is_placeholder(match[1]):
            yield Span("SECRET", *match.span(1))


def is_placeholder(value: str) -> bool:
    """Whether documentation put it where a secret goes: `<password>`, `YOUR_TOKEN`, `xxxx`, `$PASSWORD`, `...`."""
    if set(value) <= set("0xX*.-_#"):
        return True
    return bool(_PLACEHOLDER.fullmatch(value)) and not any(letter.isdigit() for letter in value)


def _is_random(value: str) -> bool:
    """Whether it is no word: "bearer authentication" and "basic Client/Server" are phrases."""
    return any(letter.isdigit() for letter in value) or (len(value) >= 20 and not value.islower())
