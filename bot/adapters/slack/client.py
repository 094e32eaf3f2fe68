"""The Web API client: bounded waits, no retry that could post twice, no bodies in its log."""

from slack_sdk.http_retry.async_handler import AsyncRetryHandler
from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler
from slack_sdk.http_retry.request import HttpRequest
from slack_sdk.http_retry.response import HttpResponse
from slack_sdk.http_retry.state import RetryState
from slack_sdk.web.async_client import AsyncWebClient

from bot.adapters.slack.quiet_log import quiet_logger

LONGEST_WAIT_S = 3
TIMEOUT_S = 10


class ShortRateLimitHandler(AsyncRateLimitErrorRetryHandler):
    """Waits for a 429 itself only when Slack asks for a few seconds; a longer wait is the work queue's business.

    Other failures are not repeated here: after a 500 or a cut connection the message may stand already, so the poster
    looks before it posts again.
    """

    async def _can_retry_async(
        self,
        *,
        state: RetryState,
        request: HttpRequest,
        response: HttpResponse | None = None,
        error: Exception | None = None,
    ) -> bool:
        if not await super()._can_retry_async(state=state, request=request, response=response, error=error):
            return False
        headers = {} if response is None else {name.lower(): value for name, value in response.headers.items()}
        asked = headers.get("retry-after", ["1"])
        first = asked if isinstance(asked, str) else asked[0]
        return first.isdigit() and int(first) <= LONGEST_WAIT_S


def build_client(token: str, *, base_url: str, timeout_s: int = TIMEOUT_S) -> AsyncWebClient:
    """Build the client that posts and asks.

    Args:
        token: the bot token (`xoxb-…`).
        base_url: Web API address; another than Slack's own is for tests and gateways.
        timeout_s: bound of one call, seconds.
    """
    handlers: list[AsyncRetryHandler] = [ShortRateLimitHandler(max_retry_count=2)]
    return AsyncWebClient(
        token=token,
        base_url=base_url if base_url.endswith("/") else f"{base_url}/",
        timeout=timeout_s,
        retry_handlers=handlers,
        logger=quiet_logger(),
    )
