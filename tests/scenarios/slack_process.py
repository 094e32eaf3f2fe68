"""One process of the bot on Slack: Socket Mode, signed HTTP and a worker, on a real Redis and a real index.

Run as `python -m tests.scenarios.slack_process REDIS_URL PREFIX SLACK_URL INDEX_DIR`. Prints one JSON object a line:
its port when ready, and the id of every question it begins.
"""

import asyncio
import json
import sys
from pathlib import Path

from bot.adapters.listeners import Listener, bare_application, bind
from bot.adapters.redis_client import RedisLink
from bot.adapters.redis_state import Keyspace, RedisThreadStore
from bot.adapters.slack import (
    SlackParts,
    SlackPoster,
    SlackPreparer,
    SlackSocket,
    build_client,
    build_slack_app,
    mount_slack,
)
from bot.adapters.work_queue import RedisWorkQueue
from bot.bootstrap import SystemClock
from bot.flow import Ports
from bot.messages import AcceptedMessage, Answer, Platform
from bot.passage_source import ThreadedPassageSource
from bot.pipeline import Pipeline
from bot.worker import Worker
from retrieval.language import language_of
from retrieval.redaction import Redactor
from retrieval.retriever import Retriever
from tests.fakes import HashEncoder
from tests.peers.slack_api import APP_TOKEN, BOT_TOKEN
from tests.peers.slack_payloads import SECRET

SLOW = "slowly"
LEASE_S = 0.6


class TellingResponder:
    """The real flow; says what it begins, and takes its time for a question that contains the word "slowly"."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline

    async def respond(self, message: AcceptedMessage, *, is_stateless: bool = False) -> Answer:
        _tell(begins=message.message_id)
        if SLOW in message.text:
            await asyncio.sleep(0.8)
        return await self._pipeline.respond(message, is_stateless=is_stateless)


async def serve(redis_url: str, prefix: str, slack_url: str, index_dir: str) -> None:
    """Serve until the process is ended."""
    link, keys, redactor, clock = RedisLink(redis_url), Keyspace(prefix, 16), Redactor(), SystemClock()
    queue, threads = RedisWorkQueue(link, keys, lease_s=LEASE_S), RedisThreadStore(link, keys)
    client = build_client(BOT_TOKEN, base_url=slack_url)
    slack = build_slack_app(client, SlackParts(queue, threads, redactor, clock), signing_secret=SECRET)
    web = bare_application([])
    mount_slack(web, slack)
    listener = Listener(web, bind("127.0.0.1", 0, first_tried=0, setting=""))
    socket = SlackSocket(slack, app_token=APP_TOKEN)
    source = ThreadedPassageSource(Retriever.open(Path(index_dir), encoder=HashEncoder()))
    ports = Ports(source, lambda text: redactor.redact(text).text, clock, threads, language_of=language_of)
    worker = Worker(
        queue,
        TellingResponder(Pipeline(ports)),
        store=threads,
        posters={Platform.SLACK: SlackPoster(client, clock=clock)},
        prepare={Platform.SLACK: SlackPreparer(client, redactor=redactor, clock=clock)},
    )
    async with asyncio.TaskGroup() as tasks:
        for serving in (listener.serve_bound(), socket.serve(), worker.run(), slack.identity.learn()):
            tasks.create_task(serving)
        while not (socket.is_connected and slack.identity.is_known):  # noqa: ASYNC110 - the SDK sets no event of ours
            await asyncio.sleep(0.01)
        _tell(address=listener.address)


def _tell(**values: str) -> None:
    print(json.dumps(values), flush=True)


if __name__ == "__main__":
    asyncio.run(serve(*sys.argv[1:5]))
