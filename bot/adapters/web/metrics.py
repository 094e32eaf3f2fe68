"""Prometheus metrics: intake, queue, outcomes, refusals, latency by stage, model. No label holds text or a person."""

import time
from collections.abc import Iterator

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from bot.adapters.work.figures import QueueFigures
from bot.messages import AcceptedMessage, Answer

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

        self._refusals = Counter(
            "triage_refusals", "Questions refused, by reason", ("reason",), registry=self._registry
        )
        self._model_errors = Counter(
            "triage_model_errors", "Failed calls of the chat model", ("call", "error"), registry=self._registry
        )
        self._deliveries = Counter(
            "triage_deliveries", "Questions that platforms delivered; taken is no when it was known already",
            ("platform", "taken"), registry=self._registry,
        )  # fmt: skip
        self._reply_seconds = Histogram(
            "triage_reply_seconds", "From the acceptance of a question to its posted reply, in seconds", ("platform",),
            buckets=(*_BUCKETS, 60.0, 300.0), registry=self._registry,
        )  # fmt: skip
        self._queue = _QueueGauges()
        self._registry.register(self._queue)

    def observe_reply(self, message: AcceptedMessage, answer: Answer) -> None:
        """Count one answer to a question, and why it was refused."""
        self.observe(answer, platform=message.thread.platform)
        if message.refusal:
            self._refusals.labels(message.refusal).inc()

    def observe_delivery(self, platform: str, is_new: bool) -> None:  # noqa: FBT001 - a callback
        """Count one delivery of a question."""
        self._deliveries.labels(platform, "yes" if is_new else "no").inc()

    def observe_model_error(self, call: str, error: str) -> None:
        """Count one failed call of the model by the class of its error."""
        self._model_errors.labels(call, error).inc()

    def observe_post(self, message: AcceptedMessage, post_s: float) -> None:
        """Count one post: how long it took, and how long the asker waited for it."""
        self._stage_seconds.labels("post").observe(post_s)
        self._reply_seconds.labels(message.thread.platform).observe(max(time.time() - message.received_at, 0.0))

    def show_queue(self, figures: QueueFigures | None) -> None:
        """Show what lies in the queue from now on; None while Redis does not say."""
        self._queue.figures = figures

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


class _QueueGauges(Collector):
    """Gauges that are absent while nothing is known, instead of showing what was."""

    figures: QueueFigures | None = None

    def collect(self) -> Iterator[GaugeMetricFamily]:
        figures = self.figures
        yield GaugeMetricFamily("triage_redis_up", "Whether Redis told the queue's figures", value=figures is not None)
        if figures is None:
            return
        for name, value, text in (
            ("entries", figures.entries, "Questions that wait or are in work"),
            ("oldest_seconds", figures.oldest_s, "Age of the oldest of them"),
            ("pending", figures.pending, "Questions that a worker has taken"),
            ("oldest_pending_seconds", figures.oldest_pending_s, "Age of the oldest of those"),
        ):
            yield GaugeMetricFamily(f"triage_queue_{name}", text, value=value)
        yield GaugeMetricFamily("triage_dead_letters", "Questions that were given up", value=figures.dead_letters)
