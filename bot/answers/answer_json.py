"""The answer object of the public contract: every key always present, all texts redacted."""

from typing import Any

from bot.ends import hit_of
from bot.messages import Answer, Citation, Hit, Notice, Triage
from retrieval.passages import Ranking
from retrieval.redaction import RedactedText


def answer_as_json(answer: Answer) -> dict[str, Any]:
    """Give the object that `triage ask --json` and `POST /api/v1/ask` print."""
    return {
        "outcome": str(answer.outcome),
        "text": str(answer.text),
        "language": answer.language,
        "citations": [_citation(citation) for citation in answer.citations],
        "notices": [_notice(notice) for notice in answer.notices],
        "queries": [str(query) for query in answer.queries],
        "hits": [hit_as_json(hit) for hit in answer.hits],
        "nearest": [_nearest(hit) for hit in answer.nearest],
        "triage": None if answer.triage is None else _triage(answer.triage),
        "gate": None if answer.gate is None else _gate(answer),
        "mode": str(answer.mode),
        "provenance": _provenance(answer),
        "usage": _usage(answer),
        "timings_ms": {name: round(ms, 2) for name, ms in answer.timings_ms},
        "request_id": answer.request_id,
    }


def ranking_as_json(query: RedactedText, ranking: Ranking, *, method: str = "hybrid") -> dict[str, Any]:
    """Give the object of one search, in the form of `triage search --json`.

    `cut` is the least relevance of a source that an answer may use, `used` whether the hit has it.
    """
    cut = ranking.uncertain_cut
    hits = [hit_as_json(hit_of(passage, used=passage.relevance >= cut)) for passage in ranking.passages]
    return {"query": str(query), "method": method, "cut": cut, "hits": hits}


def hit_as_json(hit: Hit) -> dict[str, Any]:
    """Give one hit with its scores."""
    return {
        "id": hit.id,
        "chunk": hit.chunk,
        "title": str(hit.title),
        "bm25": round(hit.bm25, 4),
        "cosine": round(hit.cosine, 4),
        "fused": round(hit.fused, 6),
        "relevance": round(hit.relevance, 4),
        "used": hit.used,
    }


def _citation(citation: Citation) -> dict[str, Any]:
    return {
        "n": citation.n,
        "id": citation.id,
        "kind": citation.kind,
        "title": str(citation.title),
        "url": citation.url,
        "updated_at": citation.updated_at or None,
        "quote": str(citation.quote),
    }


def _notice(notice: Notice) -> dict[str, Any]:
    return {"kind": str(notice.kind), "ids": list(notice.ids), "text": str(notice.text)}


def _nearest(hit: Hit) -> dict[str, Any]:
    return {"id": hit.id, "title": str(hit.title), "relevance": round(hit.relevance, 4)}


def _triage(triage: Triage) -> dict[str, Any]:
    return {
        "queue": triage.queue,
        "confidence": triage.confidence,
        "basis": list(triage.basis),
        "next_step": str(triage.next_step) or None,
        "similar": list(triage.similar),
    }


def _gate(answer: Answer) -> dict[str, Any]:
    assert answer.gate is not None
    return {"decision": str(answer.gate.verdict), "score": round(answer.gate.score, 4)}


def _provenance(answer: Answer) -> dict[str, Any]:
    made = answer.provenance
    return {
        "index": made.index,
        "calibration": made.calibration,
        "model": made.model,
        "prompt": made.prompt,
        "build": made.build,
    }


def _usage(answer: Answer) -> dict[str, Any]:
    used = answer.usage
    return {
        "input_tokens": used.input_tokens,
        "cached_input_tokens": used.cached_input_tokens,
        "output_tokens": used.output_tokens,
        "cost_usd": used.cost_usd,
        "thread_cost_usd": answer.thread_cost_usd,
        "calls": used.calls,
    }
