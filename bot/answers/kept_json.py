"""Kept answers as the JSON text that lies in Redis: the answer object of the public contract with what it leaves out."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from bot.answers.answer_json import answer_as_json
from bot.answers.kept_answers import KeptAnswer
from bot.messages import (
    Answer,
    Citation,
    Hit,
    Mode,
    Notice,
    NoticeKind,
    Outcome,
    Provenance,
    Triage,
    Usage,
)
from bot.questions.message_json import MessageUnreadable, message_from_json, message_to_json
from retrieval.passages import GateScore, GateVerdict
from retrieval.redaction import RedactedText

SCHEMA = 1
_sealed = RedactedText.stored


def kept_to_json(kept: KeptAnswer) -> str:
    """Write a kept answer as one line of JSON."""
    row = {
        "v": SCHEMA,
        "message": message_to_json(kept.message),
        "answer": answer_as_json(kept.answer),
        "cuts": [kept.answer.cut, kept.answer.uncertain_cut],
        "asker": kept.asker,
        "earlier": kept.earlier,
    }
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"))


def kept_from_json(text: str) -> KeptAnswer | None:
    """Read a kept answer back; None when another version wrote it."""
    try:
        row = json.loads(text)
        if row["v"] != SCHEMA:
            return None
        cut, uncertain_cut = row["cuts"]
        return KeptAnswer(
            message=message_from_json(row["message"]),
            answer=_answer(row["answer"], cut=cut, uncertain_cut=uncertain_cut),
            asker=str(row["asker"]),
            earlier=tuple(_sealed(str(question)) for question in row["earlier"]),
        )
    except (KeyError, TypeError, ValueError, MessageUnreadable):
        return None


def _answer(row: Mapping[str, Any], *, cut: float | None, uncertain_cut: float | None) -> Answer:
    hits = tuple(_hit(hit) for hit in row["hits"])
    nearest = {str(hit["id"]) for hit in row["nearest"]}
    return Answer(
        outcome=Outcome(row["outcome"]),
        text=_sealed(str(row["text"])),
        language=str(row["language"]),
        request_id=str(row["request_id"]),
        citations=tuple(_citation(citation) for citation in row["citations"]),
        notices=tuple(_notice(notice) for notice in row["notices"]),
        queries=tuple(_sealed(str(query)) for query in row["queries"]),
        hits=hits,
        nearest=tuple(hit for hit in hits if hit.id in nearest),
        triage=_triage(row["triage"]),
        gate=_gate(row["gate"]),
        mode=Mode(row["mode"]),
        provenance=Provenance(**row["provenance"]),
        usage=Usage(**{name: value for name, value in row["usage"].items() if name != "thread_cost_usd"}),
        thread_cost_usd=row["usage"]["thread_cost_usd"],
        timings_ms=tuple(row["timings_ms"].items()),
        cut=cut,
        uncertain_cut=uncertain_cut,
    )


def _citation(row: Mapping[str, Any]) -> Citation:
    return Citation(
        n=int(row["n"]),
        id=str(row["id"]),
        kind=str(row["kind"]),
        title=_sealed(str(row["title"])),
        url=row["url"],
        updated_at=str(row["updated_at"] or ""),
        quote=_sealed(str(row["quote"])),
    )


def _notice(row: Mapping[str, Any]) -> Notice:
    return Notice(NoticeKind(row["kind"]), _texts(row["ids"]), _sealed(str(row["text"])))


def _hit(row: Mapping[str, Any]) -> Hit:
    return Hit(
        id=str(row["id"]),
        chunk=str(row["chunk"]),
        title=_sealed(str(row["title"])),
        bm25=float(row["bm25"]),
        cosine=float(row["cosine"]),
        fused=float(row["fused"]),
        relevance=float(row["relevance"]),
        used=bool(row["used"]),
    )


def _triage(row: Mapping[str, Any] | None) -> Triage | None:
    if row is None:
        return None
    next_step = _sealed(str(row["next_step"] or ""))
    return Triage(str(row["queue"]), float(row["confidence"]), _texts(row["basis"]), next_step, _texts(row["similar"]))


def _gate(row: Mapping[str, Any] | None) -> GateScore | None:
    return None if row is None else GateScore(GateVerdict(row["decision"]), float(row["score"]))


def _texts(values: Sequence[object]) -> tuple[str, ...]:
    return tuple(str(value) for value in values)
