"""Fetching a text or log file of a message: only from Slack, only small ones, and only what tells something of it.

Sources: https://docs.slack.dev/reference/objects/file-object, https://docs.slack.dev/reference/methods/files.info
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

import aiohttp
from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.slack.failures import slack_errors
from bot.adapters.slack.payload import Payload, mapping_at, text_at
from bot.errors import PlatformError

LARGEST_BYTES = 200 * 1024
TOLD_CHARACTERS = 1_600
_TOLD_LINES = 24
_LINE = 300
_FILE_HOSTS = ("files.slack.com", "slack-files.com", "files.slack-gov.com")
_TEXT_TYPES = frozenset(
    {
        "text", "log", "csv", "tsv", "json", "xml", "yaml", "yml", "ini", "conf",
        "cfg", "toml", "properties", "diff", "patch", "sql", "shell", "bash", "powershell", "python",
        "java", "javascript", "typescript", "go", "ruby", "php", "c", "cpp", "csharp", "rust",
        "kotlin", "swift", "perl", "markdown", "md", "html", "css", "plist", "dockerfile",
    }
)  # fmt: skip
_TEXT_NAMES = re.compile(
    r"\.(?:txt|log|out|err|trace|csv|tsv|json|xml|ya?ml|ini|conf|cfg|toml|properties|md)(?:\.\d{1,3})?$"
)
_TELLING = re.compile(
    r"\b(?:error|fatal|exception|failed|failure|fail|denied|refused|timed?\s?out|traceback|panic|critical|severe|abort\w*"
    r"|cannot|unable|invalid|not found|fehler|erreur|ошибка|помилка|błąd|erro)\b|\b[A-Z]{2,}-\d{2,}\b|\b(?:http[^\s:=]{0,40}|status[^\s:=]{0,40}|code)\s{0,8}[:=]?\s{0,8}[45]\d\d\b|0x[0-9a-f]{4,}",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class FetchedFile:
    """What of a file is read, or the key of the text that says why it was not."""

    text: str = ""
    reason: str = ""


class FileFetcher:
    """Reads text files with the bot's token, which goes to Slack's own hosts alone."""

    def __init__(self, client: AsyncWebClient) -> None:
        """Fetch with the token of this client; beside Slack's hosts its own address is trusted."""
        self._client = client

    async def by_id(self, file_id: str) -> FetchedFile:
        """Fetch a file that is known by its id; needs the scope `files:read`."""
        try:
            with slack_errors():
                answer = await self._client.api_call("files.info", data={"file": file_id})
        except PlatformError:
            return FetchedFile(reason="file_unreachable")
        return await self.of(mapping_at(answer.data if isinstance(answer.data, Mapping) else {}, "file"))

    async def of(self, file: Payload) -> FetchedFile:
        """Fetch a file by its object; one of another company's or a deleted one has no address."""
        reason = _unreadable(file)
        if reason:
            return FetchedFile(reason=reason)
        url = text_at(file, "url_private_download", "url_private")
        if not is_file_url(url, self._client.base_url):
            return FetchedFile(reason="file_unreachable")
        body = await self._bytes(url)
        if body is None:
            return FetchedFile(reason="file_unreachable")
        if len(body) > LARGEST_BYTES:
            return FetchedFile(reason="file_large")
        text = decoded(body)
        return FetchedFile(text=telling_lines(text)) if text else FetchedFile(reason="file_kind")

    async def _bytes(self, url: str) -> bytes | None:
        """Give the content, at most a byte too much; None when it is not to be had. A redirect is not followed."""
        headers = {"Authorization": f"Bearer {self._client.token}"}
        try:
            with slack_errors():
                async with (
                    aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=self._client.timeout)) as session,
                    session.get(url, headers=headers, allow_redirects=False) as response,
                ):
                    # Without the scope Slack answers 200 with the page to sign in.
                    if response.status != 200 or response.content_type == "text/html":
                        return None
                    return await _first(response.content, LARGEST_BYTES + 1)
        except PlatformError:
            return None


async def _first(content: aiohttp.StreamReader, limit: int) -> bytes:
    body = bytearray()
    async for chunk in content.iter_chunked(16_384):
        body += chunk
        if len(body) >= limit:
            break
    return bytes(body[:limit])


def is_file_url(url: str, base_url: str) -> bool:
    """Tell whether a file lies with Slack (over https), or where the Web API is configured to be."""
    try:
        given, api = urlsplit(url), urlsplit(base_url)
        given_at = (given.scheme, given.hostname, given.port)
        api_at = (api.scheme, api.hostname, api.port)
    except ValueError:
        return False
    if given.username or given.password or not given.hostname:
        return False
    is_slack = given.scheme == "https" and given.hostname in _FILE_HOSTS and given.port in {None, 443}
    return is_slack or (given_at == api_at and not given.hostname.endswith(("slack.com", "slack-gov.com")))


def _unreadable(file: Payload) -> str:
    """Say by what Slack tells of a file why it is not fetched, empty when it may be."""
    if not file or text_at(file, "mode") in {"tombstone", "hidden_by_limit"}:
        return "file_unreachable"
    mime, kind, name = text_at(file, "mimetype"), text_at(file, "filetype"), text_at(file, "name").lower()
    if mime.startswith(("image/", "video/")):
        return "file_picture"
    is_text = mime.startswith("text/") or kind in _TEXT_TYPES or bool(_TEXT_NAMES.search(name))
    if not is_text:
        return "file_kind"
    size = file.get("size")
    return "file_large" if isinstance(size, int) and size > LARGEST_BYTES else ""


def decoded(body: bytes) -> str:
    """Give the text of a file, empty when it is none: UTF-8, or UTF-16 with its mark; nothing with zero bytes."""
    encoding = "utf-16" if body.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    text = body.decode(encoding, "replace")
    odd = text.count("\ufffd") + text.count("\x00")
    return "" if odd > len(text) / 50 or "\x00" in text else text


def telling_lines(text: str) -> str:
    """Give the lines of a file that tell what went wrong, in their order: short files whole, of long ones the newest.

    A line that repeats with other numbers counts once, where it stands last.
    """
    lines = [line.rstrip()[:_LINE] for line in text.splitlines() if line.strip()]
    if sum(map(len, lines)) > TOLD_CHARACTERS or len(lines) > _TOLD_LINES:
        telling = [place for place, line in enumerate(lines) if _TELLING.search(line)]
        last = {re.sub(r"\d+", "0", lines[place]): place for place in telling}
        chosen = sorted(last.values()) or list(range(len(lines)))
        kept: list[int] = []
        room = TOLD_CHARACTERS
        for place in reversed(chosen[-_TOLD_LINES:]):
            room -= len(lines[place]) + 1
            if room < 0:
                break
            kept.append(place)
        lines = [lines[place] for place in reversed(kept)]
    return "\n".join(lines)
