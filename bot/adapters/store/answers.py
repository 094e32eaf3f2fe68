"""Answers and votes in Redis: what the buttons below an answer need, wherever they are pressed."""

import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

from bot.adapters.store.client import RedisLink
from bot.adapters.store.keys import HISTORY_TTL_S, Keyspace
from bot.adapters.store.pseudonyms import Pseudonyms
from bot.adapters.store.scripts import KEEP
from bot.answers.kept_answers import KeptAnswer
from bot.answers.kept_json import kept_from_json, kept_to_json
from bot.lead.feedback import Rated, Verdict, Vote, rated_answer
from bot.messages import MessageId, Platform, ThreadRef, Turn
from bot.questions.message_json import MessageUnreadable, turn_from_json, turn_to_json
from retrieval.redaction import RedactedText

FEEDBACK_TTL_S = 90 * 86_400
PAGE = 500
_VOTE = "by:"

VOTE = """-- feedback, gone… | asked at, ttl, voter, vote, thread, turn, earlier
for i = 2, #KEYS do
  local at = redis.call('GET', KEYS[i])
  if at and tonumber(at) >= tonumber(ARGV[1]) then return 0 end
end
redis.call('HSET', KEYS[1], ARGV[3], ARGV[4], 'thread', ARGV[5], 'turn', ARGV[6], 'earlier', ARGV[7])
redis.call('EXPIRE', KEYS[1], ARGV[2])
return 1
"""


class RedisAnswers:
    """Implements `bot.answers.kept_answers.AnswerStore`; an answer lives as long as its thread's history."""

    def __init__(self, link: RedisLink, keys: Keyspace, *, ttl_s: int = HISTORY_TTL_S) -> None:
        """Keep answers for `ttl_s` seconds."""
        self._link = link
        self._keys = keys
        self._ttl_s = ttl_s

    async def keep(self, kept: KeptAnswer) -> None:
        """Keep an answer, unless its message, thread, asker or sources were forgotten since it was asked.

        Raises:
            StateUnavailable: Redis is out of reach.
        """
        keys = [_answer_key(self._keys, kept.message.thread, kept.message.message_id), *_gone(self._keys, kept)]
        await self._link.run(KEEP, keys, [kept_to_json(kept), self._ttl_s, repr(kept.message.received_at)])

    async def find(self, thread: ThreadRef, message_id: MessageId) -> KeptAnswer | None:
        """Give the answer of a message, None when there is none any more.

        Raises:
            StateUnavailable: Redis is out of reach.
        """
        text = await self._link.execute("GET", _answer_key(self._keys, thread, message_id))
        return kept_from_json(str(text)) if text else None


class RedisPresses:
    """Implements `bot.adapters.slack.pressed.Presses`: names among the claims, for some seconds, with no person in them."""

    def __init__(self, link: RedisLink, keys: Keyspace) -> None:
        """Keep names beside the claims of events, so that whoever is forgotten loses them too."""
        self._link = link
        self._keys = keys

    async def press(self, thread: ThreadRef, message_id: MessageId, name: str, *, for_s: int) -> bool:
        """Take a name for some seconds; False when it is taken.

        Raises:
            StateUnavailable: Redis is out of reach.
        """
        key = self._keys.of_thread(thread, "claim", name)
        return bool(await self._link.execute("SET", key, message_id, "NX", "EX", for_s))

    async def release(self, thread: ThreadRef, name: str) -> None:
        """Give a name back.

        Raises:
            StateUnavailable: Redis is out of reach.
        """
        await self._link.execute("DEL", self._keys.of_thread(thread, "claim", name))


class RedisFeedback:
    """Implements `bot.lead.feedback.FeedbackStore`; votes outlive their answers, so they carry their question with them."""

    def __init__(self, link: RedisLink, keys: Keyspace, people: Pseudonyms, *, ttl_s: int = FEEDBACK_TTL_S) -> None:
        """Keep votes for `ttl_s` seconds after the newest one on an answer."""
        self._link = link
        self._keys = keys
        self._people = people
        self._ttl_s = ttl_s

    async def vote(self, kept: KeptAnswer, user_id: str, vote: Vote) -> None:
        """Keep a person's vote; one with the same verdict and no reason leaves an earlier reason as it is.

        Raises:
            StateUnavailable: Redis is out of reach.
        """
        key, voter = self._key(kept), _VOTE + await self._people.of(user_id)
        text = await self._link.execute("HGET", key, voter)
        before = _vote(str(text)) if text else None
        if before is not None and before.reason and before.verdict is vote.verdict and not vote.reason:
            return
        about = rated_answer(kept)
        args: list[str | float] = [repr(kept.message.received_at), self._ttl_s, voter, _vote_json(vote)]
        args += [about.thread.key, turn_to_json(about.turn), json.dumps(about.earlier, ensure_ascii=False)]
        await self._link.run(VOTE, [key, *_gone(self._keys, kept)], args)

    async def withdraw(self, kept: KeptAnswer, user_id: str) -> None:
        """Drop a person's vote.

        Raises:
            StateUnavailable: Redis is out of reach.
        """
        await self._link.execute("HDEL", self._key(kept), _VOTE + await self._people.of(user_id))

    async def all(self) -> AsyncIterator[Rated]:
        """Give every answer with votes, in no order.

        Raises:
            StateUnavailable: Redis is out of reach.
        """
        async for names in self._link.scan(self._keys.all_of("feedback"), count=PAGE):
            rows = await self._link.many([("HGETALL", name) for name in names])
            for name, row in zip(names, rows, strict=True):
                rated = read_rated(name.partition(":feedback:")[2], fields_of(row))
                if rated is not None and rated.votes:
                    yield rated

    def _key(self, kept: KeptAnswer) -> str:
        return self._keys.of_thread(kept.message.thread, "feedback", kept.message.message_id)


def read_rated(message_id: str, fields: Mapping[str, str]) -> Rated | None:
    """Read an answer with its votes; None when another version wrote it, or it went away meanwhile."""
    thread, turn = _thread(fields.get("thread", "")), _turn(fields.get("turn", ""))
    if thread is None or turn is None:
        return None
    earlier = tuple(RedactedText.stored(str(text)) for text in json.loads(fields.get("earlier") or "[]"))
    found = {name.removeprefix(_VOTE): _vote(text) for name, text in fields.items() if name.startswith(_VOTE)}
    votes = {name: vote for name, vote in found.items() if vote is not None}
    return Rated(MessageId(message_id), thread, turn, earlier, votes)


def voter_field(pseudonym: str) -> str:
    """Name the field of a person's vote."""
    return _VOTE + pseudonym


def fields_of(row: Any) -> dict[str, str]:
    """Normalise what HGETALL gives inside a pipeline, in the RESP2 shape or the RESP3 shape."""
    pairs = row.items() if isinstance(row, Mapping) else zip(row[::2], row[1::2], strict=True)
    return {str(name): str(value) for name, value in pairs}


def _answer_key(keys: Keyspace, thread: ThreadRef, message_id: MessageId) -> str:
    return keys.of_thread(thread, "answer", message_id)


def _gone(keys: Keyspace, kept: KeptAnswer) -> list[str]:
    return keys.gone(kept.message.thread, kept.message.message_id, asker=kept.asker, cited=kept.cited)


def _vote_json(vote: Vote) -> str:
    return json.dumps({"verdict": vote.verdict, "at": vote.at, "reason": vote.reason}, ensure_ascii=False)


def _vote(text: str) -> Vote | None:
    try:
        row = json.loads(text)
        return Vote(Verdict(row["verdict"]), float(row["at"]), RedactedText.stored(str(row["reason"])))
    except (KeyError, TypeError, ValueError):
        return None


def _turn(text: str) -> Turn | None:
    try:
        return turn_from_json(text)
    except MessageUnreadable:
        return None


def _thread(key: str) -> ThreadRef | None:
    parts = key.split("/", 3)
    try:
        return ThreadRef(Platform(parts[0]), *parts[1:])
    except (TypeError, ValueError):
        return None
