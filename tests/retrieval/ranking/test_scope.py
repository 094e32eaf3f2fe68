"""The gate lets a base's own questions through and declines small talk, in any language."""

import numpy as np
import pytest

from retrieval.passages import GateVerdict
from retrieval.ports import Encoder
from retrieval.ranking.banks import bundled_banks
from retrieval.ranking.scope import ScopeGate, ScopeNumbers, label_of, measure_scope, sampled

ARTICLES = {
    "Reset your password": "Open Settings, choose Security and press Reset password.",
    "Refund policy": "We return the money for an annual plan within 14 days. Billing decides.",
    "Sync is failing": "When a workspace does not sync, check its connector and press Retry.",
    "Invite people": "An administrator invites colleagues by e-mail under Members.",
    "Export data": "Press Export in a project to get a CSV file.",
    "Two-factor sign-in": "Turn on two-factor sign-in with an authenticator app.",
    "Change the plan": "Workspace owners change the plan under Billing.",
    "Install the mobile app": "Get the Android or iOS app from the store and sign in.",
    "API rate limits": "The API allows 100 requests a minute for each token.",
    "Webhooks": "A webhook is called when a task changes. It is retried five times.",
    "Delete a workspace": "Only the owner deletes a workspace; it is kept for 30 days.",
    "Single sign-on": "Connect your identity provider by SAML under Security.",
    "Download invoices": "Invoices are under Billing, as PDF.",
}


@pytest.fixture(scope="module")
def parts(default_encoder: Encoder):
    banks = bundled_banks()
    ordinary, off_topic = (default_encoder.encode_queries(texts) for texts in (banks.ordinary, banks.off_topic))
    chunks = default_encoder.encode_passages([f"{title}\n{text}" for title, text in ARTICLES.items()])
    labels = default_encoder.encode_queries(list(ARTICLES))
    rows = np.arange(len(ARTICLES), dtype=np.int32)
    numbers = measure_scope(chunks, rows, labels, rows, banks=(ordinary, off_topic))
    return ScopeGate(chunks, labels, ordinary=ordinary, off_topic=off_topic, numbers=numbers), numbers


@pytest.mark.parametrize(
    "text",
    [
        "Please analyse why sync is failing for workspace 42",
        "customer is furious and threatens to sue, what is our refund policy",
        "як скинути пароль?",
        "Wie lade ich meine Rechnung herunter?",
        "怎么重置密码",
    ],
)
def test_own_questions_pass(parts, default_encoder: Encoder, text: str) -> None:
    """Questions of the desk are not declined, whatever their verb, mood or language."""
    gate, _ = parts
    assert gate.judge(default_encoder.encode_queries([text])[0]).verdict != GateVerdict.DECLINE


@pytest.mark.parametrize(
    "text",
    [
        "how long do I feed a sourdough starter before baking",
        "what is the weather in Lisbon tomorrow",
        "розкажи анекдот про кота",
        "Wer hat gestern das Fußballspiel gewonnen?",
        "明天会下雨吗",
    ],
)
def test_outsiders_are_declined(parts, default_encoder: Encoder, text: str) -> None:
    """Talk of no support desk is declined with a score below one half."""
    gate, _ = parts
    score = gate.judge(default_encoder.encode_queries([text])[0])
    assert score.verdict == GateVerdict.DECLINE
    assert score.score < 0.5


def test_follow_up_is_judged_with_its_question(parts, default_encoder: Encoder) -> None:
    """A bare follow-up passes with the question before it; a joke does not."""
    gate, _ = parts
    before = "how do I turn on two-factor sign-in"

    def judged(text):
        alone, joint = default_encoder.encode_queries([text, f"{before}\n{text}"])
        return gate.judge(alone, joint)

    assert judged("and on Android?").verdict != GateVerdict.DECLINE
    assert judged("tell me a joke about penguins").verdict == GateVerdict.DECLINE


def test_middle_band_is_unsure(parts, default_encoder: Encoder) -> None:
    """Scores just above one half ask; the score grows with the value."""
    gate, numbers = parts
    texts = [*ARTICLES, *bundled_banks().off_topic[:40], *bundled_banks().ordinary[:60]]
    rows = default_encoder.encode_queries(texts)
    scores = [gate.judge(row) for row in rows]
    for row, score in zip(rows, scores, strict=True):
        above = gate.value(row) - numbers.threshold
        expected = GateVerdict.DECLINE if above < 0 else GateVerdict.ASK if above < 1.5 else GateVerdict.ANSWER
        assert score.verdict == expected
        assert (score.score < 0.5) == (above < 0)


def test_numbers_read_back(parts) -> None:
    """The stored numbers give the same ones; a missing one is a KeyError."""
    _, numbers = parts
    assert ScopeNumbers.from_json(numbers.to_json()) == numbers
    assert -3.0 <= numbers.threshold <= 0.0
    with pytest.raises(KeyError):
        ScopeNumbers.from_json({})


def test_empty_and_tiny_bases_let_questions_through(default_encoder: Encoder) -> None:
    """Without documents the gate says nothing; with two it has a threshold of its own."""
    banks = default_encoder.encode_queries(["hello there", "what is the weather"])
    empty = np.zeros((0, default_encoder.dimension), np.float32)
    none = np.zeros(0, np.int32)
    numbers = measure_scope(empty, none, empty, none, banks=(banks, banks))
    gate = ScopeGate(empty, empty, ordinary=banks, off_topic=banks, numbers=numbers)
    assert gate.judge(banks[0]).verdict == GateVerdict.ANSWER
    two = default_encoder.encode_passages(["Refunds\nWithin 14 days.", "Login\nReset the password."])
    labels, rows = default_encoder.encode_queries(["Refunds", "Login"]), np.arange(2, dtype=np.int32)
    numbers = measure_scope(two, rows, labels, rows, banks=(banks, banks))
    assert numbers.threshold == -1.0


def test_samples_and_labels() -> None:
    """Samples are even and repeatable; a label is the first thing that names a chunk."""
    assert sampled(5, 10).tolist() == [0, 1, 2, 3, 4]
    assert sampled(1000, 3).tolist() == [0, 499, 999]
    assert label_of("", " asked ", "h", "t") == "asked"
    assert label_of("", "", "", " ") == ""
