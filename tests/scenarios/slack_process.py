"""One process of the bot on Slack: Socket Mode, signed HTTP and a worker, on a real Redis and a real index.

`run` is the whole life of the process. It writes one JSON object a line into a pipe: its port when ready, and the id of
every question it begins.
"""

import asyncio
import json
import os
from contextvars import ContextVar
from multiprocessing.connection import Connection
from pathlib import Path

from bot.adapters.model.chat import AnthropicChat, ChatOptions
from bot.adapters.slack import (
    SlackParts,
    SlackPoster,
    SlackPreparer,
    SlackSocket,
    SlackWorking,
    Streams,
    WorkingPoster,
    WorkingResponder,
    build_client,
    build_slack_app,
    mount_slack,
)
from bot.adapters.slack.answer_buttons import Buttons
from bot.adapters.store.answers import RedisAnswers, RedisFeedback
from bot.adapters.store.client import RedisLink
from bot.adapters.store.history import RedisThreadStore
from bot.adapters.store.keys import Keyspace
from bot.adapters.store.post_notes import RedisPostNotes
from bot.adapters.store.pseudonyms import Pseudonyms
from bot.adapters.web.listeners import Listener, bare_application, bind
from bot.adapters.work.queue import RedisWorkQueue
from bot.answers.answer_tasks import Handover, TaskResponder
from bot.answers.drafting import Drafter, DraftStyle
from bot.answers.kept_answers import KeepingResponder
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
from tests.peers.anthropic_api import KEY
from tests.peers.slack_api import APP_TOKEN, BOT_TOKEN
from tests.peers.slack_payloads import SECRET

SLOW = "slowly"
LEASE_S = 0.6
_told: ContextVar[int] = ContextVar("told")


class TellingResponder:
    """The real flow; says what it begins, and takes its time for a question that contains the word "slowly"."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline

    async def respond(self, message: AcceptedMessage, *, is_stateless: bool = False) -> Answer:
        _tell(begins=message.message_id)
        if SLOW in message.text:
            await asyncio.sleep(0.8)
        return await self._pipeline.respond(message, is_stateless=is_stateless)


async def serve(redis_url: str, prefix: str, slack_url: str, index_dir: str, model_url: str = "") -> None:
    """Serve until the process is ended."""
    link, keys, redactor, clock = RedisLink(redis_url), Keyspace(prefix, 16), Redactor(), SystemClock()
    queue, threads = RedisWorkQueue(link, keys, lease_s=LEASE_S), RedisThreadStore(link, keys)
    client = build_client(BOT_TOKEN, base_url=slack_url)
    people, notes = Pseudonyms(link, keys), RedisPostNotes(link, keys)
    answers, working = RedisAnswers(link, keys), SlackWorking(client, notes, clock)
    feedback = RedisFeedback(link, keys, people)
    parts = SlackParts(queue, threads, redactor, clock, answers=answers, feedback=feedback, working=working)
    slack = build_slack_app(client, parts, signing_secret=SECRET)
    web = bare_application([])
    mount_slack(web, slack)
    listener = Listener(web, bind("127.0.0.1", 0, first_tried=0, setting=""))
    socket = SlackSocket(slack, app_token=APP_TOKEN)
    source = ThreadedPassageSource(Retriever.open(Path(index_dir), encoder=HashEncoder()))
    model = AnthropicChat(ChatOptions(api_key=KEY, base_url=model_url), redactor=redactor) if model_url else None
    ports = Ports(source, lambda text: redactor.redact(text).text, clock, threads, model=model, language_of=language_of)
    flow = Pipeline(ports)
    keeping = KeepingResponder(TellingResponder(flow), answers, name_of=people.of)
    tasks_done = TaskResponder(keeping, answers, drafter=Drafter(flow, DraftStyle()), passages=source)
    buttons, streams = Buttons(Handover({"*": "S0HELP"})), Streams(client, notes, clock)
    poster = SlackPoster(client, clock=clock, buttons=buttons, streams=streams)
    worker = Worker(
        queue,
        WorkingResponder(tasks_done, working),
        store=threads,
        posters={Platform.SLACK: WorkingPoster(poster, working)},
        prepare={Platform.SLACK: SlackPreparer(client, redactor=redactor, clock=clock)},
    )
    await asyncio.to_thread(language_of, "Which language is this sentence in?")  # as the bot's own start does
    async with asyncio.TaskGroup() as tasks:
        for serving in (listener.serve_bound(), socket.serve(), worker.run(), slack.identity.learn()):
            tasks.create_task(serving)
        while not (socket.is_connected and slack.identity.is_known):  # noqa: ASYNC110 - the SDK sets no event of ours
            await asyncio.sleep(0.01)
        _tell(address=listener.address)


def _tell(**values: str) -> None:
    os.write(_told.get(), (json.dumps(values) + "\n").encode())


def run(told: Connection, *arguments: str) -> None:
    """Serve with these arguments and no settings of this machine until the process is ended."""
    for name in [name for name in os.environ if name.startswith(("SLACK", "REDIS", "TRIAGE"))]:
        del os.environ[name]
    _told.set(told.fileno())
    asyncio.run(serve(*arguments))
