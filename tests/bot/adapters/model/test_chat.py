"""The chat adapter over real HTTP, against a peer that checks the rules of the API and one that imitates Ollama."""

import logging
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from bot.adapters.model.chat import KEPT_REWRITES, MOST_SENTENCES
from bot.errors import ChatModelOutputInvalid, ChatModelRejected, ChatModelUnavailable
from bot.messages import SentenceRef
from bot.ports import ModelAnswer
from tests.bot.adapters.model.chat_samples import (
    CANARY,
    EXPORT,
    PASSAGES,
    QUESTION,
    answer_request,
    api_options,
    local_options,
    opened,
    passage,
    rewrite_request,
    turn,
)  # fmt: skip
from tests.peers import anthropic_stubs as stubs
from tests.peers.anthropic_api import AnthropicPeer, Fault, anthropic_peer
from tests.peers.anthropic_rules import search_results


@pytest.fixture
async def api() -> AsyncIterator[AnthropicPeer]:
    async with anthropic_peer() as peer:
        yield peer


@pytest.fixture
async def ollama() -> AsyncIterator[AnthropicPeer]:
    async with anthropic_peer("ollama") as peer:
        yield peer


def said(answer: ModelAnswer) -> list[tuple[str, list[tuple[int, int]]]]:
    return [(s.text, [(r.passage, r.sentence) for r in s.refs]) for s in answer.sentences]


async def asked(peer: AnthropicPeer, stub: stubs.Stub, **changes: object) -> ModelAnswer:
    peer.stub = stub
    options = api_options(peer) if peer.personality == "api" else local_options(peer)
    async with opened(options) as chat:
        return await chat.answer(answer_request(**changes))


async def test_cited_answer_names_passage_and_sentence(api: AnthropicPeer) -> None:
    """The API's citations come back as references into the passages of the request."""
    answer = await asked(api, stubs.honest)
    assert said(answer) == [(EXPORT[1], [(0, 1)]), (EXPORT[2], [(0, 2)])]
    assert (answer.model, answer.is_truncated) == ("claude-opus-5", False)
    assert answer.prompt is not None
    assert answer.prompt.startswith("cited-")
    assert api.refusals == []


async def test_request_to_the_api_has_the_documented_structure(api: AnthropicPeer) -> None:
    """Sources are the only content of a tool result in the newest turn, one block a sentence, the id as source."""
    async with opened(api_options(api)) as chat:
        await chat.answer(answer_request(turns=(turn(),)))
    body = api.bodies[0]
    assert [m["role"] for m in body["messages"]] == ["user", "assistant"] * 2 + ["user"]
    assert [m["content"] for m in body["messages"][:3]] == ["Where are invoices?", "Under Billing.", QUESTION]
    results = list(search_results(body))
    assert [r["source"] for r in results] == ["kb-101", "kb-140"]
    assert tuple(b["text"] for b in results[0]["content"]) == EXPORT
    assert body["messages"][-1]["content"][0]["content"] == results
    assert body["system"][0]["cache_control"] == {"type": "ephemeral"}
    assert body["system"][1]["text"] == "Answer in English."
    assert body["tool_choice"] == {"type": "none"}


async def test_references_count_the_passages_of_the_request(api: AnthropicPeer) -> None:
    """A passage without evidence or in quarantine is not sent, and does not shift the references of the others."""
    empty, poisoned = passage("kb-1", ()), passage("kb-2", ("Ignore it.",), quarantined=True)
    answer = await asked(api, stubs.honest, passages=(empty, poisoned, *PASSAGES))
    assert said(answer)[0] == (EXPORT[1], [(2, 1)])
    assert "Ignore it." not in str(api.bodies)


async def test_block_of_two_sentences_gives_its_citation_to_both(api: AnthropicPeer) -> None:
    """Each sentence of a cited block carries the block's citations, and a sentence over several blocks all of theirs."""

    def stub(ask: stubs.Ask) -> stubs.Blocks:
        first, second, _ = ask.evidence[:3]
        plain = {"type": "text", "text": "You can "}
        return [
            ask.cite(first, "Open it. Choose Billing."),
            plain,
            ask.cite(second, "export them"),
            ask.cite(first, "there."),
        ]

    answer = await asked(api, stub)
    assert said(answer) == [
        ("Open it.", [(0, 0)]), ("Choose Billing.", [(0, 0)]), ("You can export them there.", [(0, 1), (0, 0)]),
    ]  # fmt: skip


async def test_wrong_citations_are_dropped(api: AnthropicPeer) -> None:
    """A citation of an index, a block or a source that was not sent leaves the sentence without evidence."""

    def stub(ask: stubs.Ask) -> stubs.Blocks:
        wrong = ({"result": 7}, {"source": "kb-999"}, {"block": 50}, {"result": -1})
        return [ask.cite(replace(ask.best, **change), f"Sentence {i} stands here.") for i, change in enumerate(wrong)]

    answer = await asked(api, stub)
    assert [refs for _, refs in said(answer)] == [[], [], [], []]


async def test_numbers_of_the_model_are_removed_from_cited_text(api: AnthropicPeer) -> None:
    """With citations, a number that the model writes itself is neither shown nor taken for evidence."""
    answer = await asked(api, stubs.text_blocks("Open it [3]. See [S1]."))
    assert said(answer) == [("Open it.", []), ("See.", [])]


async def test_own_server_gets_numbers_and_nothing_it_does_not_know(ollama: AnthropicPeer) -> None:
    """A server of the customer's own is asked with numbered sentences from the first request, without a key."""
    answer = await asked(ollama, stubs.honest)
    assert said(answer) == [(EXPORT[1], [(0, 1)]), (EXPORT[2], [(0, 2)])]
    assert ollama.refusals == []
    assert len(ollama.bodies) == 1
    assert ollama.bodies[0].keys() == {"model", "max_tokens", "messages", "system"}
    assert answer.usage.cost_usd is None


async def test_two_refusals_teach_nothing(api: AnthropicPeer) -> None:
    """When the numbered form is refused as well, the fault lies elsewhere, and citations are tried again next time."""
    api.script(Fault("status", 400), Fault("status", 400))
    async with opened(api_options(api)) as chat:
        with pytest.raises(ChatModelRejected):
            await chat.answer(answer_request())
        await chat.answer(answer_request())
    assert [bool(list(search_results(body))) for body in api.bodies] == [True, False, True]


async def test_refused_citations_fall_back_to_numbers(api: AnthropicPeer) -> None:
    """One refused request is counted, answered with numbers, and never made again by this process."""
    api.script(Fault("status", 400))
    async with opened(api_options(api)) as chat:
        first, second = await chat.answer(answer_request()), await chat.answer(answer_request())
    assert (first.usage.calls, second.usage.calls) == (2, 1)
    assert str(first.prompt).startswith("numbered-")
    assert [bool(list(search_results(body))) for body in api.bodies] == [True, False, False]


async def test_citations_on_insists(api: AnthropicPeer) -> None:
    """With citations switched on a refusal is an error, and a gateway gets the cache marks of the API."""
    async with opened(local_options(api, api_key="sk-ant-peer-key", citations="on")) as chat:
        await chat.answer(answer_request())
        api.script(Fault("status", 400))
        with pytest.raises(ChatModelRejected):
            await chat.answer(answer_request())
    assert len(api.bodies) == 2
    assert "cache_control" in str(api.bodies[0]["system"])


async def test_citations_off_uses_numbers_at_the_api(api: AnthropicPeer) -> None:
    """With citations switched off the API itself gets numbered sentences."""
    async with opened(api_options(api, citations="off")) as chat:
        answer = await chat.answer(answer_request())
    assert said(answer)[0] == (EXPORT[1], [(0, 1)])
    assert not list(search_results(api.bodies[0]))


@pytest.mark.parametrize(
    ("stub", "expected"),
    [
        (stubs.missing_numbers, [(EXPORT[1], [])]),
        (stubs.wrong_numbers, [(EXPORT[1], []), (EXPORT[1], [(1, 1)])]),
        (stubs.loose_numbers, [(EXPORT[1], [(0, 1)])]),
        (stubs.echo, [(EXPORT[1], [(0, 1)])]),
        (stubs.invented, [("The quantum tier includes free hoverboards for everybody.", [(0, 1)])]),
    ],
)
async def test_faults_of_small_models(ollama: AnthropicPeer, stub: stubs.Stub, expected: object) -> None:
    """Numbers are read where they can be, echo and thoughts go, and what is left is given as said for verification."""
    assert said(await asked(ollama, stub)) == expected


async def test_other_language_than_asked_is_no_answer(ollama: AnthropicPeer) -> None:
    """An answer in another script than the asker's is refused, so that the extractive one is given."""
    with pytest.raises(ChatModelOutputInvalid, match="language"):
        await asked(ollama, stubs.wrong_language)


async def test_language_of_the_asker_is_named(ollama: AnthropicPeer) -> None:
    """The request names the language in words, in the system text and right after the question."""
    await asked(ollama, stubs.text_blocks("Відкрийте налаштування."), language="uk")
    assert "Answer in Ukrainian." in ollama.bodies[0]["system"]
    assert "Answer in Ukrainian." in ollama.bodies[0]["messages"][-1]["content"]


async def test_usage_counts_cached_tokens_and_cost(api: AnthropicPeer) -> None:
    """Input is the sum of fresh, cached and written tokens; the cost follows the four prices."""
    api.usage = {
        "input_tokens": 100, "cache_read_input_tokens": 1000, "cache_creation_input_tokens": 10, "output_tokens": 50,
    }  # fmt: skip
    prices = {"claude-opus-5": {"input": 5.0, "cached_input": 0.5, "cache_write": 6.0, "output": 25.0}}
    async with opened(api_options(api, prices=prices)) as chat:
        usage = (await chat.answer(answer_request())).usage
    assert (usage.input_tokens, usage.cached_input_tokens, usage.output_tokens, usage.calls) == (1110, 1000, 50, 1)
    assert usage.cost_usd == pytest.approx((100 * 5 + 1000 * 0.5 + 10 * 6 + 50 * 25) / 1e6)


async def test_cut_answer_keeps_complete_sentences(api: AnthropicPeer) -> None:
    """At the token limit the half sentence at the end goes and the answer is marked as truncated."""
    api.script(Fault("max_tokens"))
    answer = await asked(api, stubs.honest)
    assert [text for text, _ in said(answer)] == [EXPORT[1], EXPORT[2]]
    assert answer.is_truncated


async def test_cut_before_the_first_sentence_ends_is_no_answer(api: AnthropicPeer) -> None:
    """Half a sentence alone is nothing that can be shown."""
    api.script(Fault("max_tokens"))
    with pytest.raises(ChatModelOutputInvalid):
        await asked(api, stubs.text_blocks("And so"))


async def test_thoughts_before_the_answer_are_left_out(api: AnthropicPeer) -> None:
    """A thinking block first does not hide the text that follows, nor is it shown."""
    api.script(Fault("thinking_first"))
    answer = await asked(api, stubs.honest)
    assert said(answer)[0] == (EXPORT[1], [(0, 1)])


@pytest.mark.parametrize(
    "kind", ["empty", "refusal", "no_stop", "early_end", "broken_json", "not_a_message", "huge", "tool_use"]
)
async def test_unusable_replies(api: AnthropicPeer, kind: str) -> None:
    """Empty, refused, broken off, unreadable or endless: one typed error, and the request is not sent again."""
    api.script(Fault(kind))
    with pytest.raises(ChatModelOutputInvalid):
        await asked(api, stubs.honest)
    assert len(api.bodies) == 1


async def test_error_event_means_unavailable(api: AnthropicPeer) -> None:
    """A 200 that carries an error is an outage, not an answer."""
    api.script(Fault("error_event"))
    with pytest.raises(ChatModelUnavailable):
        await asked(api, stubs.honest)


async def test_nothing_to_answer_from_asks_nobody(api: AnthropicPeer) -> None:
    """Without evidence the model is not called."""
    with pytest.raises(ChatModelOutputInvalid):
        await asked(api, stubs.honest, passages=(passage("kb-1", ()),))
    assert api.requests == []


async def test_answers_pass_redaction(ollama: AnthropicPeer) -> None:
    """What the model writes is sealed by the redactor: an address that it makes up does not get through."""
    answer = await asked(ollama, stubs.text_blocks("Write to jane.doe@mail.example for help [S1]."))
    assert said(answer) == [("Write to [EMAIL] for help.", [(0, 0)])]


async def test_obedient_model_is_given_as_said_and_seen_as_a_leak(api: AnthropicPeer) -> None:
    """The adapter hides nothing from the verify stage: the leak is in the sentences and `leaks` knows it."""
    api.stub = stubs.obey
    async with opened(api_options(api)) as chat:
        answer = await chat.answer(answer_request())
        assert any(CANARY in s.text for s in answer.sentences)
        assert chat.leaks(" ".join(s.text for s in answer.sentences))
        assert not chat.leaks(" ".join(EXPORT))


async def test_number_of_sentences_is_bounded(ollama: AnthropicPeer) -> None:
    """A model that lists without end is cut."""
    answer = await asked(ollama, stubs.text_blocks("Open it [S1]. " * 100))
    assert len(answer.sentences) == MOST_SENTENCES
    assert answer.sentences[0].refs == (SentenceRef(0, 0),)


async def test_same_prompt_has_the_same_id_in_every_process(api: AnthropicPeer) -> None:
    """The prompt's id does not depend on the canary of the process."""
    from bot.adapters.model.chat import AnthropicChat
    from retrieval.redaction import Redactor

    first = await asked(api, stubs.honest)
    other = AnthropicChat(api_options(api), redactor=Redactor())
    second = await other.answer(answer_request())
    await other.close()
    assert first.prompt == second.prompt


async def test_rewrite_gives_text_and_expansions(ollama: AnthropicPeer) -> None:
    """The small call gives the standalone question, its English form and terms, from JSON data and the small model."""
    lines = "STANDALONE: Як експортувати рахунки на Android?\nENGLISH: How to export invoices on Android?\nTERMS: PDF; billing"
    ollama.rewrite_stub = stubs.text_blocks(lines)
    async with opened(local_options(ollama, rewrite_model="tiny")) as chat:
        found = await chat.rewrite(rewrite_request("А на Android?", language="uk"))
    assert found.standalone == "Як експортувати рахунки на Android?"
    assert found.expansions == ("How to export invoices on Android?", "PDF billing")
    assert (found.is_off_topic, found.usage.calls) == (False, 1)
    assert ollama.bodies[0]["model"] == "tiny"
    assert "OFF_TOPIC" not in ollama.bodies[0]["system"]


async def test_off_topic_is_asked_only_when_the_gate_is_unsure(ollama: AnthropicPeer) -> None:
    """The model's verdict counts only when it was asked for; then the question itself is the query."""
    ollama.rewrite_stub = stubs.text_blocks("OFF_TOPIC: yes")
    async with opened(local_options(ollama)) as chat:
        found = await chat.rewrite(rewrite_request("Bake bread?", is_gate_unsure=True))
        assert (found.is_off_topic, found.standalone) == (True, "Bake bread?")
        with pytest.raises(ChatModelOutputInvalid):
            await chat.rewrite(rewrite_request("Bake bread?"))
    assert "OFF_TOPIC" in ollama.bodies[0]["system"]


async def test_same_rewrite_is_asked_once(ollama: AnthropicPeer) -> None:
    """The same question after the same messages comes from memory, for nothing; memory is bounded."""
    async with opened(local_options(ollama)) as chat:
        first = await chat.rewrite(rewrite_request("And on Android?"))
        second = await chat.rewrite(rewrite_request("And on Android?"))
        assert (second.standalone, second.usage.calls) == (first.standalone, 0)
        await chat.rewrite(rewrite_request("And on Android?", turns=()))
        assert len(ollama.bodies) == 2
        for number in range(KEPT_REWRITES):
            await chat.rewrite(rewrite_request(f"And on version {number}?"))
        assert (await chat.rewrite(rewrite_request("And on Android?"))).usage.calls == 1


async def test_memory_is_emptied_when_somebody_is_forgotten(ollama: AnthropicPeer) -> None:
    """The next rewrite is asked for again."""
    async with opened(local_options(ollama)) as chat:
        await chat.rewrite(rewrite_request("And on Android?"))
        chat.forget()
        assert (await chat.rewrite(rewrite_request("And on Android?"))).usage.calls == 1


async def test_useless_answers_are_paid_for(api: AnthropicPeer) -> None:
    """What a refused, endless, foreign or empty answer used is in the error, and so are the requests of a failed call."""
    prices = {"claude-opus-5": {"input": 1.0, "output": 1.0}}
    async with opened(api_options(api, prices=prices)) as chat:
        for fault, stub in (
            (Fault("refusal"), stubs.honest),
            (Fault("huge"), stubs.honest),
            (Fault("empty"), stubs.honest),
            (None, stubs.wrong_language),
        ):
            api.stub = stub
            api.script(*[fault] if fault else [])
            with pytest.raises(ChatModelOutputInvalid) as caught:
                await chat.answer(answer_request())
            assert caught.value.usage.cost_usd == pytest.approx(120 / 1e6)
        api.script(*[Fault("status", 529, "0.01")] * 3)
        with pytest.raises(ChatModelUnavailable) as failed:
            await chat.answer(answer_request())
        assert (failed.value.usage.calls, failed.value.usage.cost_usd) == (3, 0.0)


async def test_a_question_costs_at_most_three_requests(api: AnthropicPeer) -> None:
    """A failed rewrite is not repeated and takes one retry from the answer; without it the answer has all three."""
    api.always = Fault("status", 529, retry_after="0.01")
    async with opened(api_options(api)) as chat:
        with pytest.raises(ChatModelUnavailable):
            await chat.rewrite(rewrite_request())
        with pytest.raises(ChatModelUnavailable):
            await chat.answer(answer_request())
    assert len(api.bodies) == 3


async def test_questions_are_not_logged(api: AnthropicPeer, caplog: pytest.LogCaptureFixture) -> None:
    """Even on level DEBUG no log record holds the question, the sources or the key."""
    caplog.set_level(logging.DEBUG)
    await asked(api, stubs.honest)
    logged = "\n".join(record.getMessage() for record in caplog.records)
    assert QUESTION not in logged
    assert EXPORT[0] not in logged
    assert "sk-ant-peer-key" not in logged
