"""The gate lets a base's own questions through and declines small talk, in any language."""

import numpy as np
import pytest

from retrieval.passages import GateVerdict
from retrieval.ports import Encoder
from retrieval.ranking.banks import bundled_banks
from retrieval.ranking.neutral import LanguageMeans
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


class Desk:
    """The gate over the articles, and its encoder without languages."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        banks = bundled_banks()
        texts = [*banks.ordinary, *banks.off_topic]
        raw = encoder.encode_queries(texts)
        self._means = LanguageMeans.of(raw, banks.languages)
        neutral = self._means.neutral(raw)
        ordinary, off_topic = neutral[: len(banks.ordinary)], neutral[len(banks.ordinary) :]
        passages = LanguageMeans.of(encoder.encode_passages(texts), banks.languages)
        chunks = passages.neutral(encoder.encode_passages([f"{title}\n{text}" for title, text in ARTICLES.items()]))
        labels = self.vectors(ARTICLES)
        rows = np.arange(len(ARTICLES), dtype=np.int32)
        self.numbers = measure_scope(chunks, rows, labels, rows, banks=(ordinary, off_topic))
        self.gate = ScopeGate(chunks, labels, ordinary=ordinary, off_topic=off_topic, numbers=self.numbers)

    def vectors(self, texts):
        return self._means.neutral(self._encoder.encode_queries(list(texts)))

    def judged(self, text, before=None):
        alone = self.vectors([text])[0]
        return self.gate.judge(alone, self.vectors([f"{before}\n{text}"])[0] if before else None)


@pytest.fixture(scope="module")
def desk(default_encoder: Encoder) -> Desk:
    return Desk(default_encoder)


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
def test_own_questions_pass(desk: Desk, text: str) -> None:
    """Questions of the desk are not declined, whatever their verb, mood or language."""
    assert desk.judged(text).verdict != GateVerdict.DECLINE


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
def test_outsiders_are_declined(desk: Desk, text: str) -> None:
    """Talk of no support desk is declined with a score below one half."""
    score = desk.judged(text)
    assert score.verdict == GateVerdict.DECLINE
    assert score.score < 0.5


def test_follow_up_is_judged_with_its_question(desk: Desk) -> None:
    """A bare follow-up passes with the question before it; a joke does not."""
    before = "how do I turn on two-factor sign-in"
    assert desk.judged("and on Android?", before).verdict != GateVerdict.DECLINE
    assert desk.judged("tell me a joke about penguins", before).verdict == GateVerdict.DECLINE


def test_middle_band_is_unsure(desk: Desk) -> None:
    """Scores just above one half ask; the score grows with the value."""
    texts = [*ARTICLES, *bundled_banks().off_topic[:40], *bundled_banks().ordinary[:60]]
    rows = desk.vectors(texts)
    scores = [desk.gate.judge(row) for row in rows]
    for row, score in zip(rows, scores, strict=True):
        above = desk.gate.value(row) - desk.numbers.threshold
        expected = GateVerdict.DECLINE if above < 0 else GateVerdict.ASK if above < 1.5 else GateVerdict.ANSWER
        assert score.verdict == expected
        assert (score.score < 0.5) == (above < 0)


def test_numbers_read_back(desk: Desk) -> None:
    """The stored numbers give the same ones; a missing one is a KeyError."""
    numbers = desk.numbers
    assert ScopeNumbers.from_json(numbers.to_json()) == numbers
    assert -1.95 <= numbers.threshold <= 0.3
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
    assert numbers.threshold == -1.5


def test_samples_and_labels() -> None:
    """Samples are even and repeatable; a label is the first thing that names a chunk."""
    assert sampled(5, 10).tolist() == [0, 1, 2, 3, 4]
    assert sampled(1000, 3).tolist() == [0, 499, 999]
    assert label_of("", " asked ", "h", "t") == "asked"
    assert label_of("", "", "", " ") == ""
