"""Prometheus metrics of answers: outcomes, latency by stage, tokens and cost. No label holds text or a person."""

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest

from bot.messages import Answer

_BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
CONTENT_TYPE = CONTENT_TYPE_LATEST


class AnswerMetrics:
    """Counts answers in a registry of its own, so that two applications in one process do not share it."""

    def __init__(self) -> None:
        """Declare the metrics."""
        self._registry = CollectorRegistry()
        self._answers = Counter(
            "triage_answers",
            "Answers by outcome, mode and platform",
            ("outcome", "mode", "platform"),
            registry=self._registry,
        )
        self._held = Counter(
            "triage_held_back", "Answers without a source but one that is held back", registry=self._registry
        )
        self._stage_seconds = Histogram(
            "triage_stage_seconds", "Time by stage, in seconds", ("stage",), buckets=_BUCKETS, registry=self._registry
        )
        self._tokens = Counter("triage_model_tokens", "Tokens by kind", ("kind",), registry=self._registry)
        self._calls = Counter("triage_model_calls", "Calls of the chat model", registry=self._registry)
        self._cost = Counter("triage_model_cost_usd", "Cost of the chat model in US dollars", registry=self._registry)

    def observe(self, answer: Answer, *, platform: str) -> None:
        """Count one answer."""
        self._answers.labels(answer.outcome, answer.mode, platform).inc()
        self._held.inc(bool(answer.held))
        for stage, ms in answer.timings_ms:
            self._stage_seconds.labels(stage).observe(ms / 1000)
        usage = answer.usage
        self._tokens.labels("input").inc(usage.input_tokens)
        self._tokens.labels("cached_input").inc(usage.cached_input_tokens)
        self._tokens.labels("output").inc(usage.output_tokens)
        self._calls.inc(usage.calls)
        self._cost.inc(usage.cost_usd or 0.0)

    def exposition(self) -> bytes:
        """Give the text that Prometheus scrapes."""
        return generate_latest(self._registry)
