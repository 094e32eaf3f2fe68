"""A rewrite is asked for once: kept in a real Redis, by question, turns, language and version."""

import pytest

from bot.adapters.store.client import RedisLink
from bot.adapters.store.forgetting import RedisForgetting
from bot.adapters.store.keys import Keyspace
from bot.adapters.store.pseudonyms import Pseudonyms
from bot.adapters.store.rewrites import REWRITE_TTL_S, KeptRewrites
from bot.errors import ChatModelError
from bot.lead.forgetting import Subject, SubjectKind
from bot.messages import Usage
from bot.ports import ModelRewrite, RewriteRequest
from retrieval.redaction import RedactedText
from tests.bot.adapters.model.chat_samples import answer_request, rewrite_request
from tests.fakes import ScriptedModel

SAID = ModelRewrite(
    RedactedText.stored("Wie setze ich das Passwort in Android zurück?"),
    (RedactedText.stored("reset password"),),
    False,
    Usage(input_tokens=90, calls=1, cost_usd=0.001),
)


def kept(model: ScriptedModel, link: RedisLink, keys: Keyspace, name: str = "small") -> KeptRewrites:
    """Give a worker of its own on the shared Redis."""
    return KeptRewrites(model, link, keys, model_name=name)


async def test_another_worker_does_not_ask_again(redis_link: RedisLink, redis_keys: Keyspace) -> None:
    """The second time costs nothing, is sealed, and says the same."""
    model = ScriptedModel(rewrite=SAID)
    assert await kept(model, redis_link, redis_keys).rewrite(rewrite_request()) == SAID
    again = await kept(model, redis_link, redis_keys).rewrite(rewrite_request())
    assert len(model.requests) == 1
    assert (again.standalone, again.expansions, again.usage) == (SAID.standalone, SAID.expansions, Usage())
    assert isinstance(again.standalone, RedactedText)


@pytest.mark.parametrize(
    "changes", [{"turns": ()}, {"language": "uk"}, {"is_gate_unsure": True}, {"index_languages": ("en",)}]
)
async def test_another_request_is_asked(
    redis_link: RedisLink, redis_keys: Keyspace, changes: dict[str, object]
) -> None:
    """Other turns, another language or another question to the model is another rewrite."""
    model = ScriptedModel(rewrite=SAID)
    await kept(model, redis_link, redis_keys).rewrite(rewrite_request())
    await kept(model, redis_link, redis_keys).rewrite(rewrite_request(**changes))
    await kept(model, redis_link, redis_keys).rewrite(rewrite_request("und auf dem iPad?", **changes))
    await kept(model, redis_link, redis_keys, "other").rewrite(rewrite_request())
    assert len(model.requests) == 4


async def test_it_is_kept_for_an_hour_under_a_hash(redis_link: RedisLink, redis_keys: Keyspace) -> None:
    """The key holds no text, and every key has a lifetime."""
    await kept(ScriptedModel(rewrite=SAID), redis_link, redis_keys).rewrite(rewrite_request("And on Android?"))
    found = await redis_link.execute("KEYS", f"{redis_keys.prefix}*:rewrite:*")
    (name,) = [str(key) for key in found]
    assert "Android" not in name
    assert 0 < int(await redis_link.execute("TTL", name)) <= REWRITE_TTL_S


class _ForgetsMeanwhile(ScriptedModel):
    """A model that is still at work when a thread is forgotten."""

    def __init__(self, link: RedisLink, keys: Keyspace) -> None:
        super().__init__(rewrite=SAID)
        self._forgetting = RedisForgetting(link, keys, Pseudonyms(link, keys))

    async def rewrite(self, request: RewriteRequest) -> ModelRewrite:
        await self._forgetting.forget(Subject(SubjectKind.THREAD, "slack/T1/C1/1700000001.000100"))
        return await super().rewrite(request)


async def test_a_forgotten_thread_leaves_no_rewrite(redis_link: RedisLink, redis_keys: Keyspace) -> None:
    """Neither one kept before nor one whose model was at work meanwhile."""
    await kept(ScriptedModel(rewrite=SAID), redis_link, redis_keys).rewrite(rewrite_request("And on Android?"))
    await kept(_ForgetsMeanwhile(redis_link, redis_keys), redis_link, redis_keys).rewrite(
        rewrite_request("and on iOS?")
    )
    assert await redis_link.execute("KEYS", f"{redis_keys.prefix}*:rewrite:*") == []


async def test_a_damaged_value_is_asked_again(redis_link: RedisLink, redis_keys: Keyspace) -> None:
    """What cannot be read counts as not kept."""
    model = ScriptedModel(rewrite=SAID)
    await kept(model, redis_link, redis_keys).rewrite(rewrite_request())
    (name,) = await redis_link.execute("KEYS", f"{redis_keys.prefix}*:rewrite:*")
    for damaged in ("{", "[]", '{"standalone": "x"}'):
        await redis_link.execute("SET", name, damaged)
        assert await kept(model, redis_link, redis_keys).rewrite(rewrite_request()) == SAID
    assert len(model.requests) == 4


async def test_without_redis_the_model_is_asked(redis_keys: Keyspace) -> None:
    """A failing rewrite stays a failing one and is not kept."""
    link = RedisLink("redis://127.0.0.1:1/0")
    model = ScriptedModel(rewrite=SAID)
    assert await kept(model, link, redis_keys).rewrite(rewrite_request()) == SAID
    with pytest.raises(ChatModelError):
        await kept(ScriptedModel(), link, redis_keys).answer(answer_request())
    await kept(model, link, redis_keys).ping()
    await link.close()
