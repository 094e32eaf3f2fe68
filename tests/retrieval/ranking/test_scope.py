"""The gate lets a base's own questions through and declines small talk, in any language."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pytest

from retrieval.passages import GateScore, GateVerdict
from retrieval.ports import Encoder, Vectors
from retrieval.ranking.banks import bundled_banks
from retrieval.ranking.neutral import LanguageMeans
from retrieval.ranking.scope import (
    ScopeBanks,
    ScopeGate,
    ScopeLabels,
    ScopeNumbers,
    label_of,
    measure_scope,
    opening_of,
    sampled,
    says_more,
    scope_columns,
)
from tests.kept_index import bank_of

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

    def __init__(self, encoder: Encoder, articles: Mapping[str, str]) -> None:
        self._encoder = encoder
        banks = bundled_banks()
        raw = bank_of(encoder).queries
        self._means = LanguageMeans.of(raw, banks.languages)
        neutral = self._means.neutral(raw)
        self.banks = ScopeBanks(neutral[: len(banks.ordinary)], neutral[len(banks.ordinary) :], self._means.axes)
        self.labels = self.labels_of(articles)
        self.numbers, self.plane = measure_scope(self.labels, self.banks)
        self.gate = ScopeGate(self.labels.vectors, self.banks, plane=self.plane, numbers=self.numbers)

    def labels_of(self, articles: Mapping[str, str]) -> ScopeLabels:
        vectors = self.vectors([*articles, *(opening_of("", text) for text in articles.values())])
        return ScopeLabels(vectors, np.tile(np.arange(len(articles), dtype=np.int32), 2), len(articles))

    def vectors(self, texts: Iterable[str]) -> Vectors:
        return self._means.neutral(self._encoder.encode_queries(list(texts)))

    def judged(self, text: str, before: str | None = None, *, is_named: bool = False) -> GateScore:
        alone = self.vectors([text])[0]
        joint = self.vectors([f"{before}\n{text}"])[0] if before else None
        return self.gate.judge(alone, joint, is_named=is_named)


@pytest.fixture(scope="module")
def desk(kept_encoder: Encoder) -> Desk:
    return Desk(kept_encoder, ARTICLES)


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
    assert -4.3 <= numbers.threshold <= 1.0
    with pytest.raises(KeyError):
        ScopeNumbers.from_json({})


@pytest.mark.parametrize("count", [1, 2])
def test_a_question_is_measured_as_in_a_crowd(desk: Desk, count: int) -> None:
    """One question or two are compared in another way than many at once, with the same numbers."""
    asked, near = desk.vectors([*ARTICLES]), np.linspace(0.5, 0.9, len(ARTICLES))
    many, few = (
        scope_columns(asked[:n], near[:n], desk.banks, plane=desk.plane, numbers=desk.numbers)
        for n in (len(ARTICLES), count)
    )
    np.testing.assert_allclose(few, many[:count], rtol=1e-4)


def test_an_empty_base_lets_questions_through(desk: Desk) -> None:
    """Without documents the gate says nothing."""
    empty = ScopeLabels(np.zeros((0, desk.labels.vectors.shape[1]), np.float32), np.zeros(0, np.int32), 0)
    numbers, plane = measure_scope(empty, desk.banks)
    gate = ScopeGate(empty.vectors, desk.banks, plane=plane, numbers=numbers)
    assert gate.judge(desk.vectors(["what is the weather"])[0]).verdict == GateVerdict.ANSWER
    assert gate.value(desk.vectors(["what is the weather"])[0]) == 0.0


def test_two_documents_are_enough_to_tell(kept_encoder: Encoder) -> None:
    """A base of two documents answers its own questions and declines clear outsiders, at a mild threshold."""
    two = {title: ARTICLES[title] for title in ("Refund policy", "Reset your password")}
    desk = Desk(kept_encoder, two)
    assert desk.numbers.threshold == -3.5
    assert desk.judged("how do I get a refund for the annual plan").verdict != GateVerdict.DECLINE
    assert desk.judged("tell me a joke about penguins").verdict == GateVerdict.DECLINE


def test_nonsense_is_declined(desk: Desk) -> None:
    """Words of no language are nearer to the bank's nonsense than to the base."""
    for text in ("lorem ipsum dolor sit amet consectetur adipiscing elit", "asdf qwer zxcv", "blah blah blah blah"):
        assert desk.judged(text).verdict == GateVerdict.DECLINE, text


def test_bare_names_are_never_declined(desk: Desk) -> None:
    """A word that the caller found in the base is at most unsure."""
    assert desk.judged("sunset over the sea").verdict == GateVerdict.DECLINE
    named = desk.judged("sunset over the sea", is_named=True)
    assert named == GateScore(GateVerdict.ASK, 0.5)
    assert desk.judged("reset password", is_named=True) == desk.judged("reset password")


def test_threshold_falls_for_mixed_bases_and_rises_for_plain_ones(desk: Desk) -> None:
    """A base that is as mixed as small talk gets a lower threshold than usual; one of near-copies a higher one."""
    mixed, _ = measure_scope(_labels(desk, bundled_banks().off_topic[::12]), desk.banks)
    plain = [f"how do I reset the password of user {number} in the admin console" for number in range(80)]
    alike, _ = measure_scope(_labels(desk, plain), desk.banks)
    assert mixed.threshold < -1.5
    assert alike.threshold == pytest.approx(1.0)


def test_few_documents_are_judged_mildly(desk: Desk) -> None:
    """The fewer documents, the lower the highest threshold: labels leave gaps."""
    plain = [f"how do I reset the password of user {number} in the admin console" for number in range(80)]
    found = [measure_scope(_labels(desk, plain[:count]), desk.banks)[0].threshold for count in (5, 12, 36, 80)]
    assert found == pytest.approx([-3.5, -3.5, -1.05, 1.0])


def _labels(desk: Desk, texts: Sequence[str]) -> ScopeLabels:
    return ScopeLabels(desk.vectors(texts), np.arange(len(texts), dtype=np.int32), len(texts))


def test_samples_and_labels() -> None:
    """Samples are even and repeatable; a label is the first thing that names a chunk."""
    assert sampled(5, 10).tolist() == [0, 1, 2, 3, 4]
    assert sampled(1000, 3).tolist() == [0, 499, 999]
    assert label_of("", " asked ", "h", "t") == "asked"
    assert label_of("", "", "", " ") == ""


def test_openings_are_questions_or_first_sentences() -> None:
    """The customer's question comes first; a first sentence has at least twenty characters and at most two hundred."""
    assert opening_of(" Where is my order? It is late. ", "We sent it.") == "Where is my order?" + " It is late."
    assert opening_of("", "Note: press Export in a project. Then wait.") == "Note: press Export in a project."
    assert opening_of("", "First line of the text\nand more.") == "First line of the text"
    assert len(opening_of("", "word " * 100)) <= 200
    assert opening_of("", " ") == ""


def test_messages_have_no_second_label() -> None:
    """The first sentence of a short text without a title is in its label; of a titled or long text it is not."""
    assert not says_more("Hello. Where is my card?", "Hello. Where is my card?")
    assert not says_more("I lost my card today. What now?", "I lost my card today.")
    assert says_more("Lost cards", "Call us at once.")
    assert says_more("x" * 200, "x" * 50)
