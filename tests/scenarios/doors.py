"""One driver for each door, all with the same interface: say something in a thread, see what a person sees."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol

import httpx

from bot.lexicon import LANGUAGES
from bot.messages import Outcome
from bot.texts import say
from tests.peers.slack_api import SlackPeer
from tests.peers.slack_payloads import Json, event_body, mention, signed_json
from tests.peers.teams_connector import CHANNEL, TeamsConnector
from tests.scenarios.answer_contract import check_answer
from tests.scenarios.chat_process import ChatProcess

API_TOKEN = "scenario-token"
# By which words of ours a person knows how a question ended.
_WORDS = {
    Outcome.OFF_TOPIC: ("off_topic",),
    Outcome.NO_MATCH: ("no_match",),
    Outcome.CLARIFY: ("clarify_empty", "clarify_vague"),
    Outcome.COURTESY: ("courtesy_thanks", "courtesy_greeting"),
    Outcome.UNAVAILABLE: ("unavailable",),
    Outcome.NOT_PERMITTED: ("not_permitted",),
    Outcome.ANSWERED: ("sources",),
}
_SOURCE = re.compile(r"^\W*\[(\d{1,2})\] \[?([a-z]+-\d+)\b", re.MULTILINE)
_EMAIL = re.compile(r"\S+@[\w.-]+\w")
Settled = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Seen:
    """What one message brought: all texts that appeared, in how many posts, and in which threads."""

    outcome: Outcome | None
    language: str
    cited: tuple[str, ...]
    shown: str
    posts: int
    threads: frozenset[str]


class Door(Protocol):
    """A way in."""

    async def say(self, text: str, thread: str) -> Seen:
        """Say something in a thread that the scenario names, and wait until nothing more can come."""
        ...


def bare(text: str) -> str:
    """Give letters and digits alone: platforms escape the rest differently."""
    return re.sub(r"[\W_]+", "", text)


def told(shown: str) -> tuple[Outcome | None, str]:
    """Tell outcome and language by our own words, as a reader does."""
    lines = {bare(line) for line in shown.splitlines()}
    for language in LANGUAGES:
        for outcome, keys in _WORDS.items():
            if any(bare(say(key, language)) in lines for key in keys):
                return outcome, language
    return None, ""


def _seen(shown: str, cited: tuple[str, ...], *, posts: int, threads: frozenset[str]) -> Seen:
    outcome, language = told(shown)
    return Seen(outcome, language, cited, shown, posts, threads)


def _listed(shown: str) -> tuple[str, ...]:
    return tuple(found[1] for found in _SOURCE.findall(shown.replace("\\", "")))


@dataclass(slots=True)
class SlackDoor:
    """Mentions in a channel, delivered over one of Slack's two ways."""

    peer: SlackPeer
    deliver: Callable[[Json], Awaitable[None]]
    settled: Settled
    roots: dict[str, str] = field(default_factory=dict)

    async def say(self, text: str, thread: str) -> Seen:
        before = len(self.peer.posts)
        known = {"thread_ts": self.roots[thread]} if thread in self.roots else {}
        event = mention(_slack_form(text), **known)
        root = self.roots.setdefault(thread, event["ts"])
        await self.deliver(event_body(event))
        await self.settled()
        new = self.peer.posts[before:]
        shown = "\n".join(post.shown for post in new)
        threads = frozenset(thread if post.thread_ts == root else post.thread_ts for post in new)
        return _seen(shown, _listed(shown), posts=len(new), threads=threads)


def slack_over_http(peer: SlackPeer, http: httpx.AsyncClient, settled: Settled) -> SlackDoor:
    """Give the door of signed HTTP."""

    async def deliver(body: Json) -> None:
        raw, headers = signed_json(body)
        response = await http.post("/slack/events", content=raw, headers=headers)
        assert response.status_code == 200, response.text

    return SlackDoor(peer, deliver, settled)


def slack_over_socket(peer: SlackPeer, settled: Settled) -> SlackDoor:
    """Give the door of Socket Mode."""

    async def deliver(body: Json) -> None:
        assert await peer.deliver(body) is not None

    return SlackDoor(peer, deliver, settled)


def _slack_form(text: str) -> str:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _EMAIL.sub(lambda found: f"<mailto:{found[0]}|{found[0]}>", escaped)


@dataclass(slots=True)
class TeamsDoor:
    """Mentions in a Teams channel, signed as the Bot Connector signs."""

    peer: TeamsConnector
    http: httpx.AsyncClient
    settled: Settled
    number: int
    roots: dict[str, str] = field(default_factory=dict)
    said: int = 0

    async def say(self, text: str, thread: str) -> Seen:
        before = len(self.peer.activities)
        self.said += 1
        number = f"17000000{self.number:03d}{self.said:02d}"
        root = self.roots.setdefault(thread, number)
        activity = self.peer.activity(text, number=number, root=root)
        headers = {"Authorization": f"Bearer {self.peer.token()}"}
        response = await self.http.post("/api/messages", json=activity, headers=headers)
        assert response.status_code == 200, response.text
        await self.settled()
        new = self.peer.activities[before:]
        shown = "\n".join(sent.body["text"] for sent in new)
        place = f"{CHANNEL};messageid={root}"
        threads = frozenset(thread if sent.conversation == place else sent.conversation for sent in new)
        cited = tuple(name for sent in new for name in _entities(sent.body))
        assert set(cited) == set(_listed(shown)), "the entities explain the sources that the text lists"
        return _seen(shown, cited, posts=len(new), threads=threads)


def _entities(body: Json) -> list[str]:
    claims = [claim for entity in body.get("entities", []) for claim in entity.get("citation", [])]
    return [claim["appearance"]["name"].split()[0] for claim in claims]


@dataclass(slots=True)
class ApiDoor:
    """The HTTP API with its token."""

    http: httpx.AsyncClient
    name: str

    async def say(self, text: str, thread: str) -> Seen:
        body = {"question": text or " ", "thread": f"{self.name}-{thread}"}
        response = await self.http.post("/api/v1/ask", json=body, headers={"Authorization": f"Bearer {API_TOKEN}"})
        assert response.status_code == 200, response.text
        answer = response.json()
        check_answer(answer)
        shown = "\n".join([answer["text"], *(notice["text"] for notice in answer["notices"]), *answer["queries"]])
        cited = tuple(citation["id"] for citation in answer["citations"])
        return Seen(Outcome(answer["outcome"]), answer["language"], cited, shown, 1, frozenset({thread}))


@dataclass(slots=True)
class ConsoleDoor:
    """`triage chat` as a process, read from its pipe."""

    chat: ChatProcess
    current: str = ""

    async def say(self, text: str, thread: str) -> Seen:
        if thread != self.current:
            await self.chat.new_thread()
            self.current = thread
        shown = await self.chat.ask(text or "?")
        return _seen(shown, _listed(shown), posts=1, threads=frozenset({thread}))
