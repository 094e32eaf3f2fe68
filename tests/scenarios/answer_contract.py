"""The answer object of the public contract, as a program outside the repository would check it."""

import re
from typing import Any

OUTCOMES = {"answered", "no_match", "off_topic", "clarify", "courtesy", "not_permitted", "unavailable"}
NOTICES = {"uncertain", "conflict", "stale", "superseded", "truncated", "degraded"}
NUMBER, TEXT, MAYBE_TEXT = (int, float), (str,), (str, type(None))
SHAPE: dict[str, Any] = {
    "outcome": TEXT, "text": TEXT, "language": TEXT, "mode": TEXT, "request_id": TEXT,
    "citations": [{"n": (int,), "id": TEXT, "kind": TEXT, "title": TEXT, "url": MAYBE_TEXT, "updated_at": MAYBE_TEXT, "quote": TEXT}],
    "notices": [{"kind": TEXT, "ids": [TEXT], "text": TEXT}],
    "queries": [TEXT],
    "hits": [{"id": TEXT, "chunk": TEXT, "bm25": NUMBER, "cosine": NUMBER, "fused": NUMBER, "relevance": NUMBER, "used": (bool,)}],
    "nearest": [{"id": TEXT, "title": TEXT, "relevance": NUMBER}],
    "triage": {"queue": TEXT, "confidence": NUMBER, "basis": [TEXT], "next_step": MAYBE_TEXT, "similar": [TEXT]},
    "gate": {"decision": TEXT, "score": NUMBER},
    "provenance": {"index": TEXT, "calibration": TEXT, "model": MAYBE_TEXT, "prompt": MAYBE_TEXT, "build": TEXT},
    "usage": {
        "input_tokens": (int,), "cached_input_tokens": (int,), "output_tokens": (int,), "calls": (int,),
        "cost_usd": (int, float, type(None)), "thread_cost_usd": (int, float, type(None)),
    },
    "timings_ms": {"gate": NUMBER, "rewrite": NUMBER, "retrieve": NUMBER, "answer": NUMBER, "total": NUMBER},
}  # fmt: skip
NULLABLE = {"triage", "gate"}


def check_answer(answer: dict[str, Any]) -> None:
    """Fail unless every key is present with its type and the parts fit together."""
    _check(answer, SHAPE, "answer")
    assert answer["outcome"] in OUTCOMES
    assert answer["mode"] in ("extractive", "model")
    assert answer["text"].strip()
    assert {notice["kind"] for notice in answer["notices"]} <= NOTICES
    numbers = [citation["n"] for citation in answer["citations"]]
    assert numbers == list(range(1, len(numbers) + 1))
    if answer["outcome"] == "answered":
        assert {int(n) for n in re.findall(r"\[(\d{1,3})\]", answer["text"])} == set(numbers) != set()
        hits = {hit["id"] for hit in answer["hits"]}
        assert {citation["id"] for citation in answer["citations"]} <= hits
    else:
        assert numbers == []
    assert len(answer["nearest"]) <= 3


def _check(value: Any, shape: Any, where: str) -> None:
    if isinstance(shape, tuple):
        assert isinstance(value, shape), f"{where}: {value!r}"
        assert bool in shape or not isinstance(value, bool), where
    elif isinstance(shape, list):
        assert isinstance(value, list), where
        for i, item in enumerate(value):
            _check(item, shape[0], f"{where}[{i}]")
    else:
        assert isinstance(value, dict), where
        assert shape.keys() <= value.keys(), f"{where}: {shape.keys() - value.keys()} missing"
        for key, inner in shape.items():
            if value[key] is not None or key not in NULLABLE:
                _check(value[key], inner, f"{where}.{key}")
