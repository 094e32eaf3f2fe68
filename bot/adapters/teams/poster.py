"""Posts replies on Teams through the Bot Connector, into the thread that asked."""

from urllib.parse import quote

import httpx

from bot.adapters.teams.render import ABSTRACT_LIMIT, NAME_LIMIT, TeamsPart, render
from bot.adapters.teams.sdk import ApiClient, CitationAppearance, Client, ClientOptions, MessageActivityInput
from bot.adapters.teams.tokens import BotTokens
from bot.errors import PlatformError, PlatformUnavailable, ReplyRejected
from bot.lead.receipts import Receipt
from bot.messages import AcceptedMessage, Citation, Mode, Reply
from retrieval.redaction import RedactedText

_TIMEOUT_S = 10.0
_SAFE = ":;=@.,-_"
_KEPT_CLIENTS = 16  # one for each service URL: Teams has a handful of regions


class TeamsPoster:
    """`bot.ports.Poster` for Teams. A 429 and a 5xx are raised as temporary: the worker tries again later."""

    def __init__(self, tokens: BotTokens) -> None:
        """Post with the bot's own tokens."""
        self._tokens = tokens
        self._clients: dict[str, ApiClient] = {}

    async def post(self, reply: Reply) -> str:
        """Post and give the ids of the activities; empty when there is nothing to say.

        Raises:
            PlatformUnavailable: 429, 5xx, or no connection.
            ReplyRejected: the conversation is gone, or the bot was removed from it.
        """
        is_model = reply.answer.mode is Mode.MODEL
        ids = [await self._send(reply.message, part, is_model=is_model) for part in render(reply)]
        return " ".join(ids)

    async def remove(self, receipt: Receipt) -> None:
        """Delete every part of a reply; one that is gone already counts as deleted.

        Raises:
            PlatformUnavailable: may be tried again.
            ReplyRejected: Teams will not delete it.
        """
        for post_id in receipt.post_ids:
            await self._change(receipt, post_id, None)

    async def correct(self, receipt: Receipt, text: RedactedText) -> None:
        """Let the first part of a reply say `text` and delete the others; one that is gone already counts as corrected.

        Raises:
            PlatformUnavailable: may be tried again.
            ReplyRejected: Teams will not change it.
        """
        for place, post_id in enumerate(receipt.post_ids):
            await self._change(receipt, post_id, None if place else text)

    async def _change(self, receipt: Receipt, post_id: str, text: RedactedText | None) -> None:
        """Let one activity say something else, or delete it."""
        thread = receipt.thread
        conversation = _conversation_id(thread.channel_id, "" if thread.thread_id == "chat" else thread.thread_id)
        activity_id = quote(post_id, safe=_SAFE)
        try:
            activities = self._client(receipt.service_url).conversations
            if text is None:
                await activities.delete_activity(conversation, activity_id)
            else:
                said = MessageActivityInput(text=str(text), text_format="plain")
                await activities.update_activity(conversation, activity_id, said)
        except (httpx.HTTPError, ValueError) as error:
            if not _is_gone(error):
                raise translated(error) from error

    async def close(self) -> None:
        """Close every connection."""
        for client in self._clients.values():
            await client.http.http.aclose()
        self._clients.clear()

    async def _send(self, message: AcceptedMessage, part: TeamsPart, *, is_model: bool) -> str:
        activity = MessageActivityInput(text=part.text, text_format="markdown")
        if is_model:
            activity.add_ai_generated()
        for citation in part.citations:
            activity.add_citation(citation.n, _appearance(citation))
        client = self._client(message.route("service_url"))
        try:
            sent = await client.conversations.create_activity(_conversation(message), activity)
        except (httpx.HTTPError, ValueError) as error:
            raise translated(error) from error
        return sent.id

    def _client(self, service_url: str) -> ApiClient:
        if service_url not in self._clients:
            if len(self._clients) >= _KEPT_CLIENTS:
                self._clients.pop(next(iter(self._clients)))
            options = ClientOptions(timeout=_TIMEOUT_S, headers={"User-Agent": "support-triage-bot"})
            self._clients[service_url] = ApiClient(service_url, Client(options), token_provider=self._tokens)
        return self._clients[service_url]


def translated(error: Exception) -> PlatformError:
    """Give our error for one of the Connector's client; its text, which may hold the body, stays out."""
    if isinstance(error, httpx.HTTPStatusError):
        status = error.response.status_code
        if status == 429 or status >= 500 or status in {401, 408}:
            return PlatformUnavailable(f"Teams answered {status}", retry_after_s=_retry_after(error.response))
        return ReplyRejected(f"Teams refused: {status}")
    if isinstance(error, httpx.HTTPError):
        return PlatformUnavailable(f"Teams is out of reach: {type(error).__name__}")
    return PlatformUnavailable(f"Teams answered something unreadable: {type(error).__name__}")


def _retry_after(response: httpx.Response) -> float | None:
    value = response.headers.get("retry-after", "")
    return float(value) if value.isdecimal() and value.isascii() else None


def _conversation(message: AcceptedMessage) -> str:
    return _conversation_id(message.thread.channel_id, message.route("root"))


def _conversation_id(channel_id: str, root: str) -> str:
    # The SDK puts the id into the path as it is; it comes from a signed request, and still may not leave its place.
    return quote(channel_id + (f";messageid={root}" if root else ""), safe=_SAFE)


def _is_gone(error: Exception) -> bool:
    return isinstance(error, httpx.HTTPStatusError) and error.response.status_code in {404, 410}


def _appearance(citation: Citation) -> CitationAppearance:
    name = f"{citation.id} {citation.title}".strip()[:NAME_LIMIT]
    url = citation.url if citation.url and citation.url.startswith("https://") else None
    return CitationAppearance(
        name=name, abstract=(citation.quote or citation.title or citation.id)[:ABSTRACT_LIMIT], url=url
    )
